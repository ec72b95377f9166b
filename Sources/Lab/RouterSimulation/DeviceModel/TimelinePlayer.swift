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

    /// The timeline is as the provider made it, and arrived at a time of the device, whose clock is
    /// ahead of the provider's by `shift` seconds.
    package init(_ timeline: RenderableTimeline, arrival: Date, shift: TimeInterval = 0) {
        self.shift = shift
        let sorted = timeline.entries.enumerated().sorted { left, right in
            (left.element.date, left.offset) < (right.element.date, right.offset)
        }
        entries = sorted.prefix(Self.entriesLimit).map(\.element)
        policy = timeline.policy
        self.arrival = arrival
    }

    /// The lines in sight at `now`: of the last entry whose date has come, or of the first entry
    /// before that.
    package func lines(at now: Date, calendar: Calendar) -> [String] {
        // Dates in the text are in the provider's time, too.
        content(at: now)?.lines(at: now - shift, calendar: calendar) ?? []
    }

    /// The content in sight at `now`, before its dates are formatted; nil without entries.
    package func content(at now: Date, in scheme: ColorScheme = .light) -> ViewContent? {
        index(at: now).map { entries[$0].render(scheme) }
    }

    /// How many entries there are, and the index of the one in sight.
    package func position(at now: Date) -> (count: Int, index: Int?) {
        (entries.count, index(at: now))
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
