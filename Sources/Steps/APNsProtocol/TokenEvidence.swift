package import Basics

/// What APNs has lately said of the tokens of an app's devices: whether the app's settings are
/// wrong or only some devices.
///
/// A device counts once among those whose tokens were refused, however many it registers, and is
/// blocked alone when it brings one bad token after the other. Any accepted push shows that the
/// settings are right, so these are counted as they come.
package struct TokenEvidence: Equatable, Sendable {
    /// A device whose last token was refused.
    private struct Refused: Equatable, Sendable {
        var device: DeviceID
        /// How many of its tokens were refused in a row.
        var count: UInt8
        /// No push is sent to it before.
        var blockedUntil: MonotonicTime
    }

    /// The devices whose last token was refused, the oldest first.
    private var refused: [Refused] = []
    /// The pushes that were accepted.
    package private(set) var acceptedCount = 0

    /// The answers that are remembered; at this number, the older half is forgotten.
    private static var limit: Int { 256 }
    /// How many devices must have been refused, and how many for each accepted push, before the
    /// app's settings are taken to be wrong.
    package static var deviceLimit: Int { 20 }
    private static var share: Int { 4 }
    /// How many tokens of one device may be refused in a row before it is blocked.
    package static var tokenLimit: UInt8 { 3 }
    /// How long it is blocked; each further refusal doubles that, up to an hour.
    package static var firstBlock: Milliseconds { .minutes(1) }
    private static var longestBlock: Milliseconds { .hours(1) }

    /// Evidence of nothing.
    package init() {}

    /// The devices whose last token was refused.
    package var refusedCount: Int { refused.count }

    /// Whether nearly all devices are refused.
    package var isAgainstSettings: Bool {
        refused.count >= Self.deviceLimit && refused.count >= Self.share * acceptedCount
    }

    /// How long no push is to be sent to a device; zero for none.
    package func block(of device: DeviceID, at now: MonotonicTime) -> Milliseconds {
        guard let index = index(of: device) else { return .zero }
        return max(.zero, refused[index].blockedUntil - now)
    }

    /// A push to a device was accepted.
    package mutating func accepted(_ device: DeviceID) {
        if let index = index(of: device) { refused.remove(at: index) }
        acceptedCount += 1
        forget()
    }

    /// A device's token was refused.
    package mutating func refused(_ device: DeviceID, at now: MonotonicTime) {
        var entry = Refused(device: device, count: 0, blockedUntil: now)
        if let index = index(of: device) { entry = refused.remove(at: index) }
        if entry.count < 100 { entry.count += 1 }
        if entry.count >= Self.tokenLimit {
            let doublings = min(Int64(entry.count - Self.tokenLimit), 10)
            entry.blockedUntil = now + min(Self.firstBlock * (1 << doublings), Self.longestBlock)
        }
        refused.append(entry)
        forget()
    }

    private func index(of device: DeviceID) -> Int? {
        refused.isEmpty ? nil : refused.lastIndex { $0.device == device }
    }

    private mutating func forget() {
        if refused.count + acceptedCount < Self.limit { return }
        acceptedCount /= 2
        refused.removeFirst(refused.count / 2)
    }
}
