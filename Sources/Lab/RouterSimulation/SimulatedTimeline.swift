internal import DataStructures
internal import FrameCodec
internal import Times

/// The timeline with which a simulated widget's provider answers WidgetKit.
struct SimulatedTimeline: BitwiseCopyable {
    /// The number of entries; the first is for the time at which the timeline is built.
    var entries: Int64 = 1
    /// The time between two entries, in ms.
    var step: Int64 = 0
    /// When WidgetKit is to ask for the next timeline.
    var policy = TimelinePolicy.never

    /// Returns the date of the last entry, in ms since 1970, of a timeline built at `wall`.
    func lastEntry(_ wall: Int64) -> Int64 {
        assert(entries > 0 && step >= 0, "the timeline ends before it is built")
        return wall + (entries - 1) * step
    }

    /// Returns when the policy of a timeline built at `wall` asks for the next reload, in ms since
    /// 1970; nil for never.
    func date(_ wall: Int64) -> Int64? {
        switch policy {
        case .never: nil
        case .after(let date): date.rawValue
        case .atEnd: lastEntry(wall)
        }
    }

    /// Makes the timeline that a widget's provider would return.
    ///
    /// - Parameters:
    ///   - kind: the kind of the widget.
    ///   - wall: the current time, in ms since 1970.
    ///   - fault: the fault of the device's app.
    ///   - hash: a hash that differs between timelines.
    /// - Returns: the timeline.
    static func make(
        _ kind: World.Kind,
        at wall: Int64,
        fault: SimulatedDevice.Fault,
        hash: UInt64
    ) -> SimulatedTimeline {
        switch fault {
        case .endsNow: return SimulatedTimeline(policy: .atEnd)
        case .dense: return SimulatedTimeline(entries: 20, step: 5_000, policy: .atEnd)
        case .none, .loop: break
        }
        switch kind {
        case .character: return character(hash)
        case .health: return SimulatedTimeline()
        case .quote: return SimulatedTimeline(policy: .after(WallTime(rawValue: quoteDate(wall))))
        case .score: return SimulatedTimeline(policy: .after(WallTime(rawValue: scoreDate(wall))))
        case .headline:
            let end = SimulatedTime.next(6 * SimulatedTime.hour, after: wall)
            return SimulatedTimeline(entries: 2, step: end - wall, policy: .atEnd)
        case .weather:
            let later = Int64(SplitMix64.scaled(hash, below: Int(20 * SimulatedTime.minute)))
            return SimulatedTimeline(
                entries: 3,
                step: SimulatedTime.hour,
                policy: .after(WallTime(rawValue: wall + 2 * SimulatedTime.hour + later))
            )
        }
    }

    /// Makes the timeline of a character: three in ten regenerate, which takes four hourly entries
    /// and then a new timeline; the others have one entry.
    private static func character(_ hash: UInt64) -> SimulatedTimeline {
        if hash % 10 >= 3 { return SimulatedTimeline() }
        return SimulatedTimeline(entries: 4, step: SimulatedTime.hour, policy: .atEnd)
    }

    /// Returns the next full hour while the market is open, or else its next opening.
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

    /// Returns the next time at which the evening's match begins or ends.
    private static func scoreDate(_ wall: Int64) -> Int64 {
        let begin = SimulatedTime.nextOfDay(World.matchBegins, after: wall)
        let end = SimulatedTime.nextOfDay(World.matchEnds, after: wall)
        return min(begin, end)
    }
}
