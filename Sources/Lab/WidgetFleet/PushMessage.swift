internal import Basics
internal import ReloadRouterClient

/// A push that is ready to be sent.
struct PushMessage {
    let payload: [UInt8]
    let isUrgent: Bool
    /// When it expires; nil for never.
    let expiresAt: WallTime?

    /// Passes the push to a session.
    ///
    /// - Returns: false if the session has no capacity for it.
    func offer(to session: inout PublisherSession) -> Bool {
        do throws(ClientError) {
            return try session.push(payload, urgent: isUrgent, expiresAt: expiresAt) != nil
        } catch {
            // The push is too long, so the router would refuse it: it counts as sent.
            return true
        }
    }
}

extension PushPlan {
    /// Makes a push of the plan.
    ///
    /// - Parameters:
    ///   - payload: the payload with its values drawn.
    ///   - now: the date from which its expiry is counted.
    ///   - random: decides whether it is urgent.
    /// - Returns: the push.
    func message(_ payload: JSONValue, now: WallTime, using random: inout SplitMix64) -> PushMessage
    {
        var writer = JSONWriter()
        writer.value(payload)
        return PushMessage(
            payload: writer.bytes,
            isUrgent: urgentPercent > 0 && random.unit() * 100 < urgentPercent,
            expiresAt: expires.map { now + Milliseconds(seconds: $0) }
        )
    }
}
