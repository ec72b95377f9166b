internal import DataStructures
internal import FrameCodec

/// What a widget's provider answers when WidgetKit asks it for a timeline.
struct SimulatedTimeline: BitwiseCopyable {
    /// Entries, and how far apart; the first is of now.
    var entries: Int64 = 1
    var step: Int64 = 0
    var policy = TimelinePolicy.never

    /// The date of the last entry.
    func lastEntry(_ wall: Int64) -> Int64 { wall + (entries - 1) * step }

    /// When the policy asks for the next reload; nil for never.
    func date(_ wall: Int64) -> Int64? {
        switch policy {
        case .never: nil
        case .after(let date): date
        case .atEnd: lastEntry(wall)
        }
    }

    /// - Parameters:
    ///   - kind: whose provider is asked.
    ///   - wall: when, ms since 1970.
    ///   - fault: what is wrong with the device's app, if anything.
    ///   - hash: what tells this timeline from others.
    /// - Returns: the timeline.
    static func make(
        _ kind: World.Kind,
        _ wall: Int64,
        _ fault: SimulatedDevice.Fault,
        _ hash: UInt64
    ) -> SimulatedTimeline {
        switch fault {
        case .endsNow: return SimulatedTimeline(policy: .atEnd)
        case .dense: return SimulatedTimeline(entries: 20, step: 5_000, policy: .atEnd)
        case .none, .loop: break
        }
        switch kind {
        case .character: return character(hash)
        case .health: return SimulatedTimeline()
        case .quote: return SimulatedTimeline(policy: .after(quoteDate(wall)))
        case .score: return SimulatedTimeline(policy: .after(scoreDate(wall)))
        case .headline:
            let end = SimulatedTime.next(6 * SimulatedTime.hour, after: wall)
            return SimulatedTimeline(entries: 2, step: end - wall, policy: .atEnd)
        case .weather:
            let later = Int64(SplitMix64.scaled(hash, Int(20 * SimulatedTime.minute)))
            return SimulatedTimeline(
                entries: 3,
                step: SimulatedTime.hour,
                policy: .after(wall + 2 * SimulatedTime.hour + later)
            )
        }
    }

    /// Three in ten characters regenerate: four hourly entries, then again.
    private static func character(_ hash: UInt64) -> SimulatedTimeline {
        if hash % 10 >= 3 { return SimulatedTimeline() }
        return SimulatedTimeline(entries: 4, step: SimulatedTime.hour, policy: .atEnd)
    }

    /// The next full hour while the market is open, else its next opening.
    private static func quoteDate(_ wall: Int64) -> Int64 {
        let time = SimulatedTime.ofDay(wall)
        let isOpen = time >= World.marketOpens && time < World.marketCloses
        if isOpen && SimulatedTime.weekday(wall) < 5 {
            return SimulatedTime.next(SimulatedTime.hour, after: wall)
        }
        var opening = SimulatedTime.nextOfDay(World.marketOpens, after: wall)
        while SimulatedTime.weekday(opening) >= 5 { opening += SimulatedTime.day }
        return opening
    }

    private static func scoreDate(_ wall: Int64) -> Int64 {
        let begin = SimulatedTime.nextOfDay(World.matchBegins, after: wall)
        let end = SimulatedTime.nextOfDay(World.matchEnds, after: wall)
        return min(begin, end)
    }
}
