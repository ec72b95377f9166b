package import ReloadModel

/// What a run left: the origin's seconds, and what was done in all.
package struct DayRecord: Equatable, Sendable {
    package var mode: SpreadPolicy.Mode
    /// Requests to the origin by second of the record.
    package var requests: ContiguousArray<UInt32>
    package var sums = Sums()
    package var work = Work()
    package var budgets: [BudgetUse] = []
    /// Milliseconds since 1970 at which the record begins.
    package var start: Int64

    /// What the run took: all of it, the hour before the record included.
    package struct Work: Equatable, Sendable {
        package var events: UInt64 = 0
        package var framesSent: UInt64 = 0
        package var framesReceived: UInt64 = 0
        package var turns: UInt64 = 0
        package var connections: UInt64 = 0
        package var views: UInt64 = 0

        package init() {}
    }

    /// What happened in the record.
    package struct Sums: Equatable, Sendable {
        package var pushes: UInt64 = 0
        /// Widgets that the pushes concerned.
        package var matches: UInt64 = 0
        package var timelines: UInt64 = 0
        /// Timelines that needed no request, because RELOAD brought the values.
        package var carried: UInt64 = 0
        package var reloads: UInt64 = 0
        /// RELOADs by `ReloadCause`, in its order.
        package var causes = [UInt64](repeating: 0, count: ReloadCause.allCases.count)
        /// Instances that RELOADs were charged to.
        package var charged: UInt64 = 0
        package var scheduled: UInt64 = 0
        /// The delays that SCHEDULED told, in ms.
        package var delays: UInt64 = 0
        package var longestDelay: Int64 = 0

        package init() {}

        mutating func count(_ cause: ReloadCause) {
            reloads += 1
            causes[ReloadCause.allCases.firstIndex(of: cause)!] += 1
        }
    }

    /// Requests in the record, and its busiest second.
    package var recorded: UInt64 { requests.reduce(0) { $0 + UInt64($1) } }
    package var peak: UInt32 { requests.max() ?? 0 }
    package var busiest: Int { requests.firstIndex(of: peak) ?? 0 }

    /// What all but one in a hundred seconds stay at or below.
    package var percentile99: UInt32 {
        let sorted = requests.sorted()
        return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 99 / 100]
    }

    /// The largest sum of a minute.
    package var busiestMinute: UInt64 { minutes.map(\.sum).max() ?? 0 }

    /// The sum and the busiest second of each minute.
    var minutes: [(sum: UInt64, peak: UInt32)] {
        stride(from: 0, to: requests.count, by: 60).map { first in
            let seconds = requests[first..<min(first + 60, requests.count)]
            return (seconds.reduce(0) { $0 + UInt64($1) }, seconds.max() ?? 0)
        }
    }
}

/// How often widgets that are looked at alike were charged in any 24 h, against what they may.
package struct BudgetUse: Equatable, Sendable {
    /// Whose widgets these are, such as `not looked at`.
    package var name: String
    /// The allowance a day, at least and at most.
    package var least: Int
    package var allowance: Int
    /// Widgets by the most charges in 24 h; the last counts those with more, too.
    package var widgets: ContiguousArray<UInt64>

    /// Charges that are told apart.
    static var largest: Int { 120 }

    init(_ name: String, least: Int, allowance: Int) {
        self.name = name
        self.least = least
        self.allowance = allowance
        widgets = ContiguousArray(repeating: 0, count: Self.largest + 1)
    }

    package var count: UInt64 { widgets.reduce(0, +) }

    /// Widgets that were charged more than the allowance.
    package var above: UInt64 {
        widgets.indices.reduce(0) { $1 > allowance ? $0 + widgets[$1] : $0 }
    }

    mutating func add(charges: Int) {
        widgets[min(charges, Self.largest)] += 1
    }
}
