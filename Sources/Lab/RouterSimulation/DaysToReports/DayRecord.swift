internal import Basics

/// The results of a run in one mode: the requests to the origin, and totals.
package struct DayRecord: Equatable, Sendable {
    /// How reloads for dates were spread.
    var mode: SpreadPolicy.Mode
    /// The requests to the origin in each second of the record.
    var requests: ContiguousArray<UInt32>
    /// The counts of pushes, timelines and reloads in the record.
    var sums = Sums()
    /// The work of the whole run, including the hour before the record.
    package var work = Work()
    /// The widgets that were on home screens at the end.
    var widgets = 0
    /// When the record begins.
    var start: WallTime

    /// Counts of the work that a run consists of.
    package struct Work: Equatable, Sendable {
        /// Events of devices and publishers that were played.
        package var events: UInt64 = 0
        /// Frames that devices and publishers sent.
        package var framesSent: UInt64 = 0
        /// Frames that the router sent.
        package var framesReceived: UInt64 = 0
        /// Ticks in which anything happened.
        var ticks: UInt64 = 0
        /// Connections that devices opened.
        var connections: UInt64 = 0
        /// Views of home screens.
        var views: UInt64 = 0
    }

    /// Counts of pushes, timelines and reloads.
    struct Sums: Equatable, Sendable {
        /// Pushes that were sent.
        var pushes: UInt64 = 0
        /// Matches of the pushes with widgets.
        var matches: UInt64 = 0
        /// Timelines that widgets' providers built.
        var timelines: UInt64 = 0
        /// Timelines that needed no request to the origin, because the RELOAD had inlined values.
        var inlined: UInt64 = 0
        /// RELOAD frames that devices received.
        var reloads: UInt64 = 0
        /// RELOADs by cause, in the order of `ReloadCause.allCases`.
        var causes = [UInt64](repeating: 0, count: ReloadCause.allCases.count)
        /// Charges of widgets for RELOADs.
        var charged: UInt64 = 0
        /// SCHEDULED frames that devices received.
        var scheduled: UInt64 = 0
        /// The sum of the delays in SCHEDULED frames.
        var delays = Milliseconds.zero
        /// The longest delay in a SCHEDULED frame.
        var longestDelay = Milliseconds.zero

        /// Counts a RELOAD with this cause.
        mutating func count(_ cause: ReloadCause) {
            reloads += 1
            causes[ReloadCause.allCases.firstIndex(of: cause)!] += 1
        }
    }

    /// The number of requests in the record.
    var recorded: UInt64 { requests.reduce(0) { $0 + UInt64($1) } }
    /// The number of requests in the record's busiest second.
    var peak: UInt32 { requests.max() ?? 0 }
    /// The busiest second, counted from the beginning of the record.
    var busiest: Int { requests.firstIndex(of: peak) ?? 0 }

    /// The number of requests per second that 99 of 100 seconds do not exceed.
    var percentile99: UInt32 {
        let sorted = requests.sorted()
        return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 99 / 100]
    }

    /// The number of requests in the busiest minute.
    var busiestMinute: UInt64 { minutes.map(\.sum).max() ?? 0 }

    /// For each minute, the requests in it and those in its busiest second.
    var minutes: [(sum: UInt64, peak: UInt32)] {
        stride(from: 0, to: requests.count, by: 60).map { first in
            let seconds = requests[first..<min(first + 60, requests.count)]
            return (seconds.reduce(0) { $0 + UInt64($1) }, seconds.max() ?? 0)
        }
    }
}
