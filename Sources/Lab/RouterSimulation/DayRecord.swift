package import ReloadModel

/// The results of a run in one mode: the requests to the origin, and totals.
package struct DayRecord: Equatable, Sendable {
    package var mode: SpreadPolicy.Mode
    /// Requests to the origin in each second of the record.
    package var requests: ContiguousArray<UInt32>
    package var sums = Sums()
    package var work = Work()
    /// The use of budgets, for each group of widgets.
    package var budgets: [BudgetUse] = []
    /// When the record begins, in ms since 1970.
    package var start: Int64

    /// The work of the whole run, including the hour before the record.
    package struct Work: Equatable, Sendable {
        package var events: UInt64 = 0
        package var framesSent: UInt64 = 0
        package var framesReceived: UInt64 = 0
        /// Ticks in which anything happened.
        package var turns: UInt64 = 0
        /// Connections that were opened.
        package var connections: UInt64 = 0
        /// Views of home screens.
        package var views: UInt64 = 0

        package init() {}
    }

    /// The events in the record.
    package struct Sums: Equatable, Sendable {
        /// Pushes that were sent.
        package var pushes: UInt64 = 0
        /// Widgets that the pushes concerned.
        package var matches: UInt64 = 0
        /// Timelines that were built.
        package var timelines: UInt64 = 0
        /// Timelines that needed no request, because RELOAD contained inlined values.
        package var carried: UInt64 = 0
        /// RELOADs in all.
        package var reloads: UInt64 = 0
        /// RELOADs by cause, in the order of `ReloadCause.allCases`.
        package var causes = [UInt64](repeating: 0, count: ReloadCause.allCases.count)
        /// Widgets that were charged for RELOADs.
        package var charged: UInt64 = 0
        /// SCHEDULED frames.
        package var scheduled: UInt64 = 0
        /// The sum of the delays in them, in ms.
        package var delays: UInt64 = 0
        /// The longest delay, in ms.
        package var longestDelay: Int64 = 0

        package init() {}

        mutating func count(_ cause: ReloadCause) {
            reloads += 1
            causes[ReloadCause.allCases.firstIndex(of: cause)!] += 1
        }
    }

    /// Requests in the record.
    package var recorded: UInt64 { requests.reduce(0) { $0 + UInt64($1) } }
    /// Requests in its busiest second.
    package var peak: UInt32 { requests.max() ?? 0 }
    /// The busiest second, from the beginning of the record.
    package var busiest: Int { requests.firstIndex(of: peak) ?? 0 }

    /// The number of requests that 99 of 100 seconds do not exceed.
    package var percentile99: UInt32 {
        let sorted = requests.sorted()
        return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 99 / 100]
    }

    /// Requests in the busiest minute.
    package var busiestMinute: UInt64 { minutes.map(\.sum).max() ?? 0 }

    /// For each minute, its requests and those of its busiest second.
    var minutes: [(sum: UInt64, peak: UInt32)] {
        stride(from: 0, to: requests.count, by: 60).map { first in
            let seconds = requests[first..<min(first + 60, requests.count)]
            return (seconds.reduce(0) { $0 + UInt64($1) }, seconds.max() ?? 0)
        }
    }
}

/// How often widgets with similar numbers of views were charged in any 24 h, compared with their
/// allowance.
package struct BudgetUse: Equatable, Sendable {
    /// The group of widgets, such as `not looked at`.
    package var name: String
    /// The lowest and the highest allowance per day within the group.
    package var least: Int
    package var allowance: Int
    /// Widgets by their most charges in 24 h; the last element also counts all above.
    package var widgets: ContiguousArray<UInt64>

    /// The highest number of charges that is counted separately.
    static var largest: Int { 120 }

    init(_ name: String, least: Int, allowance: Int) {
        self.name = name
        self.least = least
        self.allowance = allowance
        widgets = ContiguousArray(repeating: 0, count: Self.largest + 1)
    }

    package var count: UInt64 { widgets.reduce(0, +) }

    /// Widgets that were charged more than the highest allowance.
    package var above: UInt64 {
        widgets.indices.reduce(0) { $1 > allowance ? $0 + widgets[$1] : $0 }
    }

    mutating func add(charges: Int) {
        widgets[min(charges, Self.largest)] += 1
    }
}
