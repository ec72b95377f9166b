internal import Basics

/// Converts times of the recording into times of the replay.
///
///     due = begin + (time − start) / speed + round × length / speed
struct ReplayClock: Sendable {
    /// When the schedule begins.
    let begin: ExactTime
    /// The date of the moment `begin`.
    let wallBegin: WallTime
    /// When the recording began.
    let recordedWall: WallTime
    /// The part of the recording that is played.
    let roster: (start: RecordedTime, end: RecordedTime)
    /// How many times as fast as recorded; nil for as fast as the router acknowledges.
    let factor: Double?

    /// When a record is due. Without a factor, all are due at once.
    func due(_ time: RecordedTime, round: Int) -> ExactTime {
        guard let factor else { return .min }
        let length = (roster.end - roster.start).inMicroseconds
        let passed = (time - roster.start).inMicroseconds + Double(round) * length
        return begin + Nanoseconds(rawValue: Int64(passed * 1_000 / factor))
    }

    /// How far to move dates that were recorded at `time` and are sent at `now`.
    func shift(_ time: RecordedTime, now: ExactTime) -> Milliseconds {
        let then = recordedWall + Milliseconds(time.sinceBegin)
        return wallBegin + Milliseconds(now - begin) - then
    }
}
