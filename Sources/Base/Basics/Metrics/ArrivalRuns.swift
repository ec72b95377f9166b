/// The answers that leave at the end of a tick, grouped by the arrival of the input that they
/// answer, to measure latency.
///
/// The answers to input that arrived together are one run. Nearly all input of a tick arrives
/// together, so there is rarely more than one run, however much input there is. Memory is reused.
package struct ArrivalRuns {
    /// Answers to input that arrived together: its arrival in ns, and how many there are.
    private struct Run {
        var arrival: ExactTime
        var count: UInt32
    }

    private var runs: ContiguousArray<Run> = []

    /// The most runs; later answers are counted with the last one.
    private static var limit: Int { 1_024 }

    /// No runs.
    package init() {}

    /// Whether no answers are waiting to be recorded.
    package var isEmpty: Bool { runs.isEmpty }

    /// Counts answers that are about to leave, to input that has arrived at this time; `none` if
    /// its latency is not to be measured.
    package mutating func add(_ count: UInt32, arrival: ExactTime) {
        if arrival == .none || count == 0 { return }
        let last = runs.count - 1
        if last >= 0 && (runs[last].arrival == arrival || runs.count == Self.limit) {
            runs[last].count &+= count
        } else {
            runs.append(Run(arrival: arrival, count: count))
        }
    }

    /// Records the latency of all answers counted, which leave at `now`, and empties the runs.
    package mutating func record(in histogram: inout LatencyHistogram, at now: ExactTime) {
        for run in runs { histogram.record(now - run.arrival, times: run.count) }
        runs.removeAll(keepingCapacity: true)
    }
}
