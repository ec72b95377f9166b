internal import DataStructures
internal import ReloadRouterClient
internal import StrictJSON

/// A push as it goes out.
struct PushMessage {
    let payload: [UInt8]
    let isUrgent: Bool
    /// In ms since 1970.
    let voidAt: Int64?

    /// Gives it to a session.
    ///
    /// - Returns: whether there was room for it.
    func offer(to session: inout PublisherSession) -> Bool {
        do throws(ClientError) {
            return try session.push(payload, urgent: isUrgent, voidAt: voidAt) != nil
        } catch {
            // Too long: the router would refuse it.
            return true
        }
    }
}

extension PushPlan {
    /// A push of the plan.
    ///
    /// - Parameters:
    ///   - payload: with its values drawn.
    ///   - now: in ms since 1970.
    ///   - random: says whether it is urgent.
    /// - Returns: the push.
    func message(_ payload: JSONValue, now: Int64, _ random: inout SplitMix64) -> PushMessage {
        var writer = JSONWriter()
        writer.value(payload)
        return PushMessage(
            payload: writer.bytes,
            isUrgent: urgentPercent > 0 && random.unit() * 100 < urgentPercent,
            voidAt: expires.map { now + Int64($0 * 1_000) }
        )
    }
}
