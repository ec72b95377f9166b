import ReloadScheduling

/// Tests number timers with bare numbers, with which they compute.
extension TimingWheel {
    mutating func schedule(_ id: UInt32, at tick: UInt64) {
        schedule(TimerID(rawValue: id), at: tick)
    }

    mutating func cancel(_ id: UInt32) { cancel(TimerID(rawValue: id)) }

    func deadline(of id: UInt32) -> UInt64? { deadline(of: TimerID(rawValue: id)) }

    mutating func advance(
        to tick: UInt64,
        limit: Int,
        into expired: inout ContiguousArray<UInt32>
    ) -> Bool {
        var timers: ContiguousArray<TimerID> = []
        let isDone = advance(to: tick, limit: limit, into: &timers)
        expired += timers.map(\.rawValue)
        return isDone
    }
}
