internal import Basics
internal import FrameCodec

/// The timeline with which a simulated widget's provider answers WidgetKit.
struct SimulatedTimeline {
    /// The number of entries; the first is for the time at which the timeline is built.
    var entries: Int64 = 1
    /// The time between two entries.
    var step = Milliseconds.zero
    /// When WidgetKit is to ask for the next timeline.
    var policy = TimelinePolicy.never

    /// Returns the dates of the entries of a timeline built at `wall`.
    func dates(_ wall: WallTime) -> [WallTime] { (0..<entries).map { wall + step * $0 } }

    /// Makes the timeline that a widget's provider would return.
    static func make(
        _ kind: World.Kind,
        at wall: WallTime,
        fault: WorldDevice.Fault,
        hash: UInt64
    ) -> SimulatedTimeline {
        switch fault {
        case .endsNow: return SimulatedTimeline(policy: .atEnd)
        case .dense: return SimulatedTimeline(entries: 20, step: .seconds(5), policy: .atEnd)
        case .none, .loop: break
        }
        switch kind {
        case .character: return character(hash)
        case .health: return SimulatedTimeline()
        case .quote: return SimulatedTimeline(policy: .after(quoteDate(wall)))
        case .score: return SimulatedTimeline(policy: .after(scoreDate(wall)))
        case .headline:
            let end = SimulatedTime.next(.hours(6), after: wall)
            return SimulatedTimeline(entries: 2, step: end - wall, policy: .atEnd)
        case .weather:
            let later = SplitMix64.scaled(hash, below: Int(Milliseconds.minutes(20).rawValue))
            return SimulatedTimeline(
                entries: 3,
                step: SimulatedTime.hour,
                policy: .after(wall + .hours(2) + Milliseconds(later))
            )
        }
    }

    /// Makes the timeline of a character. Three in ten show how the character regenerates: they
    /// have four hourly entries, and ask for a new timeline at their end. The others have one
    /// entry.
    private static func character(_ hash: UInt64) -> SimulatedTimeline {
        if hash % 10 >= 3 { return SimulatedTimeline() }
        return SimulatedTimeline(entries: 4, step: SimulatedTime.hour, policy: .atEnd)
    }

    /// Returns the next full hour while the market is open, or else its next opening.
    private static func quoteDate(_ wall: WallTime) -> WallTime {
        let time = SimulatedTime.ofDay(wall)
        let isOpen = time >= World.marketOpens && time < World.marketCloses
        if isOpen && SimulatedTime.weekday(wall) < 5 {
            return SimulatedTime.next(SimulatedTime.hour, after: wall)
        }
        var opening = SimulatedTime.nextOfDay(World.marketOpens, after: wall)
        while SimulatedTime.weekday(opening) >= 5 { opening += SimulatedTime.day }
        return opening
    }

    /// Returns the next time at which the evening's match begins or ends.
    private static func scoreDate(_ wall: WallTime) -> WallTime {
        let begin = SimulatedTime.nextOfDay(World.matchBegins, after: wall)
        let end = SimulatedTime.nextOfDay(World.matchEnds, after: wall)
        return min(begin, end)
    }
}
