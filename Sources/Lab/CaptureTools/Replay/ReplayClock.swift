/// Converts times of the recording into times of the replay.
///
///     due = begin + (time − start) / speed + round × length / speed
struct ReplayClock: Sendable {
    /// When the schedule begins, in ns of the monotonic clock.
    let begin: Int64
    /// The same moment as ms since 1970.
    let wallBegin: Int64
    /// When the recording began, in ms since 1970.
    let recordedWall: Int64
    /// The part of the recording that is played, in µs since it began.
    let roster: (start: UInt64, end: UInt64)
    /// How many times as fast as recorded; nil for as fast as the router acknowledges.
    let factor: Double?

    /// When a record is due, in ns of the monotonic clock. Without a factor, all are due at once.
    func due(_ time: UInt64, round: Int) -> Int64 {
        guard let factor else { return .min }
        let passed = Double(time - roster.start) + Double(round) * Double(roster.end - roster.start)
        return begin + Int64(passed * 1_000 / factor)
    }

    /// By how many ms to move dates that were recorded at `time`, in µs since the recording began,
    /// and are sent at `now`, in ns of the monotonic clock.
    func shift(_ time: UInt64, now: Int64) -> Int64 {
        let then = recordedWall + Int64(clamping: time / 1_000)
        return wallBegin + (now - begin) / 1_000_000 - then
    }
}
