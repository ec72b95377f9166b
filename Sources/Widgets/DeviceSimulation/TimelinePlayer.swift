package import Foundation
package import WidgetTimelines

/// A timeline as a device plays it: what is to be seen when, and when more is wanted.
///
///     entries   ├─ first ──────┼─ second ───┼─ last ─────────────────►
///               shown from the arrival on    ▲ atEnd: more is wanted, not before
///
/// Pure: the time is a parameter.
package struct TimelinePlayer {
    /// Entries that are kept; the later ones of a longer timeline are dropped.
    ///
    /// The protocol takes no more, and WidgetKit is said to stop updating at about as many.
    package static var entriesLimit: Int { 400 }

    /// By their dates; those of the same date in the provider's order.
    private let entries: [RenderableEntry]
    private let policy: TimelineReloadPolicy
    /// By how much the device's clock is ahead of the one that the provider has read, in seconds.
    ///
    /// Widget code reads the system's clock, whichever time its device has; all that this tells is in
    /// the device's time.
    private let shift: TimeInterval
    /// When it came.
    package let arrival: Date
    /// What is wrong with it, though it is played.
    package let faults: TimelineFaults

    /// - Parameters:
    ///   - timeline: as the provider made it.
    ///   - arrival: when it came.
    ///   - shift: by how much the device's clock is ahead of the provider's, in seconds.
    package init(_ timeline: RenderableTimeline, arrival: Date, shift: TimeInterval = 0) {
        self.shift = shift
        let sorted = timeline.entries.enumerated().sorted { left, right in
            (left.element.date, left.offset) < (right.element.date, right.offset)
        }
        entries = sorted.prefix(Self.entriesLimit).map(\.element)
        policy = timeline.policy
        self.arrival = arrival
        var faults = TimelineFaults(sorted.map(\.element.date))
        if sorted.enumerated().contains(where: { $0.offset != $0.element.offset }) {
            faults.insert(.unordered)
        }
        self.faults = faults
    }

    /// What is to be seen: that of the last entry whose date has come, or of the first one while none
    /// has.
    package func lines(at now: Date, calendar: Calendar) -> [String] {
        // Dates in the text are the provider's, too.
        content(at: now)?.lines(at: now - shift, calendar: calendar) ?? []
    }

    /// The same before dates in it are written.
    package func content(at now: Date) -> ViewContent? {
        index(at: now).map { entries[$0].render() }
    }

    /// How many entries there are, and which of them is seen.
    package func position(at now: Date) -> (count: Int, index: Int?) {
        (entries.count, index(at: now))
    }

    /// When another entry's date comes; nil if none does.
    package func nextChange(after now: Date) -> Date? {
        let next = endOfPast(now)
        // The first one is seen before its date comes.
        let index = max(next, 1)
        return index < entries.count ? device(entries[index].date) : nil
    }

    /// The earliest date at which the provider wants to be asked again; nil if it does not.
    package var reloadDate: Date? {
        switch reloadChoice {
        case .never: nil
        case .after(let date): date
        case .atEnd: entries.last.map { device($0.date) } ?? arrival
        }
    }

    /// `never`, `atEnd` or `after`.
    package var policyName: String {
        switch policy.choice {
        case .never: "never"
        case .atEnd: "atEnd"
        case .after: "after"
        }
    }

    /// What the provider wants to happen next.
    package var reloadChoice: TimelineReloadPolicy.Choice {
        if case .after(let date) = policy.choice { return .after(device(date)) }
        return policy.choice
    }

    /// The dates of the entries, ascending, in ms since 1970.
    package var entryDates: [Int64] {
        entries.map { device($0.date).milliseconds }
    }

    /// A date of the provider's by the device's clock.
    private func device(_ date: Date) -> Date {
        if shift == 0 { return date }
        // Widget code reads its clock a moment after it was asked: tenths of a second do not show how
        // long the moment was, and the same run has the same dates again.
        let seconds = (date + shift).timeIntervalSince1970
        return Date(timeIntervalSince1970: (seconds * 10).rounded() / 10)
    }

    private func index(at now: Date) -> Int? {
        entries.isEmpty ? nil : max(0, endOfPast(now) - 1)
    }

    /// How many entries' dates have come.
    private func endOfPast(_ now: Date) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if device(entries[middle].date) <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What Apple's documentation asks providers not to do.
package struct TimelineFaults: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// There are no entries.
    package static let empty = TimelineFaults(rawValue: 1)
    /// An entry's date lies before that of the one in front of it.
    package static let unordered = TimelineFaults(rawValue: 2)
    /// Two entries are less than about five minutes apart
    /// (<https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date>).
    package static let close = TimelineFaults(rawValue: 4)
    /// There are more entries than are kept.
    package static let long = TimelineFaults(rawValue: 8)

    /// Less than this between two entries is too close, in seconds.
    package static var leastDistance: TimeInterval { 300 }

    /// Those that can be seen from the dates of the entries, ascending.
    init(_ dates: [Date]) {
        self = []
        if dates.isEmpty { insert(.empty) }
        if dates.count > TimelinePlayer.entriesLimit { insert(.long) }
        let isClose = zip(dates, dates.dropFirst()).contains { first, second in
            second.timeIntervalSince(first) < Self.leastDistance
        }
        if isClose { insert(.close) }
    }
}
