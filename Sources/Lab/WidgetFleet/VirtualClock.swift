internal import Basics
internal import Platform
internal import Synchronization

/// The devices' clock in accelerated time, readable from the threads of widget code.
final class VirtualClock: Sendable {
    /// The date in ms since 1970, because an `Atomic` cannot hold a `WallTime`.
    private let now: Atomic<Int64>

    /// - Parameter now: the date that it shows first.
    init(_ now: WallTime) {
        self.now = Atomic(now.rawValue)
    }

    func set(_ now: WallTime) { self.now.store(now.rawValue, ordering: .relaxed) }

    /// The devices' time in seconds since 1970.
    var time: Double { Double(now.load(ordering: .relaxed)) / 1_000 }

    /// By how many seconds the devices' clock is ahead of the system's clock.
    var shift: Double {
        time - ExactDate.now.inSeconds
    }
}
