package import Basics
package import Foundation
package import WidgetTimelines

/// A timeline as a device plays it: which entry is in sight at a time, and when the provider should
/// be asked again.
///
///     entries   ├─ first ──────┼─ second ───┼─ last ─────────────────►
///               in sight from the arrival    ▲ atEnd: the provider is asked, not before
///
/// It is pure: the time is a parameter.
package struct TimelinePlayer {
    /// The most entries of a timeline; those after them are dropped.
    ///
    /// The protocol accepts no more, and WidgetKit is said to stop updating at about as many.
    package static var entriesLimit: Int { 400 }

    /// Sorted by their dates; those of the same date in the provider's order.
    private let entries: [RenderableEntry]
    private let policy: TimelineReloadPolicy
    /// How far the device's clock is ahead of the clock that the provider has read, in seconds.
    ///
    /// Widget code reads the system's clock, even if the simulated device's clock shows another
    /// time. All dates that the player returns are in the device's time.
    private let shift: TimeInterval
    /// When the timeline arrived, in the device's time.
    package let arrival: Date
    /// What is wrong with the timeline, which is played nevertheless.
    package let faults: TimelineFaults

    /// - Parameters:
    ///   - timeline: the timeline as the provider made it.
    ///   - arrival: when it arrived, in the device's time.
    ///   - shift: how far the device's clock is ahead of the provider's, in seconds.
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

    /// The lines in sight at `now`: of the last entry whose date has come, or of the first entry
    /// before that.
    package func lines(at now: Date, calendar: Calendar) -> [String] {
        // Dates in the text are in the provider's time, too.
        content(at: now)?.lines(at: now - shift, calendar: calendar) ?? []
    }

    /// The content in sight at `now`, before its dates are formatted; nil without entries.
    package func content(at now: Date) -> ViewContent? {
        index(at: now).map { entries[$0].render() }
    }

    /// How many entries there are, and the index of the one in sight.
    package func position(at now: Date) -> (count: Int, index: Int?) {
        (entries.count, index(at: now))
    }

    /// When the next entry comes into sight; nil if none does.
    package func nextChange(after now: Date) -> Date? {
        let next = passedCount(now)
        // The first entry is in sight even before its date.
        let index = max(next, 1)
        return index < entries.count ? deviceDate(entries[index].date) : nil
    }

    /// The earliest date at which the provider wants to be asked again; nil for never.
    package var reloadDate: Date? {
        switch reloadChoice {
        case .never: nil
        case .after(let date): date
        case .atEnd: entries.last.map { deviceDate($0.date) } ?? arrival
        }
    }

    /// The policy's name: `never`, `atEnd` or `after`.
    package var policyName: String {
        switch policy.choice {
        case .never: "never"
        case .atEnd: "atEnd"
        case .after: "after"
        }
    }

    /// The provider's policy, with its date in the device's time.
    package var reloadChoice: TimelineReloadPolicy.Choice {
        if case .after(let date) = policy.choice { return .after(deviceDate(date)) }
        return policy.choice
    }

    /// The dates of the entries, ascending.
    package var entryDates: [WallTime] {
        entries.map { deviceDate($0.date).wallTime }
    }

    /// Converts a date from the provider's clock to the device's clock.
    private func deviceDate(_ date: Date) -> Date {
        if shift == 0 { return date }
        // Widget code reads its clock a moment after it is asked. Rounding to tenths of a second
        // hides the length of that moment, so that a repeated run has the same dates. Half a tenth
        // is always rounded down, because a sum of dates is not exact to the last bit.
        let seconds = (date + shift).timeIntervalSince1970
        return Date(timeIntervalSince1970: (seconds * 10 - 0.000_1).rounded() / 10)
    }

    private func index(at now: Date) -> Int? {
        entries.isEmpty ? nil : max(0, passedCount(now) - 1)
    }

    /// How many entries' dates have come by `now`.
    private func passedCount(_ now: Date) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if deviceDate(entries[middle].date) <= now { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Ways in which a timeline goes against Apple's advice to providers.
package struct TimelineFaults: OptionSet, Hashable, Sendable {
    /// One bit for each fault.
    package let rawValue: UInt8

    /// Makes a set of faults from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// There are no entries.
    package static let empty = TimelineFaults(rawValue: 1)
    /// An entry's date is before that of the entry preceding it.
    package static let unordered = TimelineFaults(rawValue: 2)
    /// Two entries are less than about five minutes apart
    /// (<https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date>).
    package static let close = TimelineFaults(rawValue: 4)
    /// There are more than `TimelinePlayer.entriesLimit` entries.
    package static let long = TimelineFaults(rawValue: 8)

    /// The distance between two entries, in seconds, below which they are `close`.
    package static var leastDistance: TimeInterval { 300 }

    /// The faults that follow from the dates of the entries; the dates must ascend.
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
