internal import Platform
internal import Synchronization

/// The devices' clock in accelerated time, readable from the threads of widget code.
final class VirtualClock: Sendable {
    private let now: Atomic<Int64>

    /// - Parameter now: in ms since 1970.
    init(_ now: Int64) {
        self.now = Atomic(now)
    }

    func set(_ now: Int64) { self.now.store(now, ordering: .relaxed) }

    /// The devices' time in seconds since 1970.
    var time: Double { Double(now.load(ordering: .relaxed)) / 1_000 }

    /// By how many seconds the devices' clock is ahead of the system's clock.
    var shift: Double {
        time - Double(wallNanoseconds()) / 1e9
    }
}
