/// What leaves at the end of a turn, by when that came which it answers.
///
/// What came together is counted together: a turn has one run for nearly everything, however much
/// that is. Memory is used again.
package struct ArrivalRuns {
    private struct Run {
        var arrival: Int64
        var count: UInt32
    }

    private var runs: ContiguousArray<Run> = []

    /// Most runs; what comes beyond counts as having come with the last one.
    private static var limit: Int { 1_024 }

    package init() {}

    package var isEmpty: Bool { runs.isEmpty }

    /// Remembers what is about to leave.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - arrival: when that came which they answer, in ns; 0 if that is not to be measured.
    package mutating func add(_ count: UInt32, arrival: Int64) {
        if arrival == 0 || count == 0 { return }
        let last = runs.count - 1
        if last >= 0 && (runs[last].arrival == arrival || runs.count == Self.limit) {
            runs[last].count &+= count
        } else {
            runs.append(Run(arrival: arrival, count: count))
        }
    }

    /// All has left now: records how long it took, and forgets it.
    package mutating func record(in histogram: inout LatencyHistogram, at now: Int64) {
        for run in runs { histogram.record(now - run.arrival, times: run.count) }
        runs.removeAll(keepingCapacity: true)
    }
}
