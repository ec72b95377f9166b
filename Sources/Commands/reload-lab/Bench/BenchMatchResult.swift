import LoadReporting
import Times

/// The results of one workload with one number of widgets.
struct BenchMatchResult {
    let workload: BenchMatchWorkload
    let widgets: Int
    let times: BenchMatchRun.Times
    /// The times of several apps, and of one app with as many widgets, measured in turn; nil for a
    /// workload with a single app.
    let besideOneApp: BenchMatchRun.Pair?
    let matchesPerEvent: Double
    let lookupsPerEvent: Double
    /// The bytes of memory that the matcher uses.
    let byteCount: Int
    /// The bytes of `byteCount` that its index uses.
    let indexByteCount: Int
    let build: BenchMatchBuild

    private var name: String { "match.\(workload.rawValue).\(widgets)" }

    func add(to report: inout BenchReport) {
        let aims = workload.aims(widgets: widgets)
        report.add(
            "\(name).rate",
            value: 1e9 / times.matching,
            unit: "events/s",
            aim: aims.rate.map { .least($0) }
        )
        report.add(
            "\(name).cpu",
            value: times.matching,
            unit: "ns/event",
            aim: aims.time.map { .value($0) }
        )
        if let pair = besideOneApp {
            report.add(
                "\(name).one-app",
                value: pair.first,
                unit: "ns/event",
                reference: pair.second,
                aim: aims.oneAppRatio.map { .ratio($0) }
            )
        }
        report.add(
            "\(name).scan",
            value: times.matching,
            unit: "ns/event",
            reference: times.scanning,
            aim: aims.scanRatio.map { .ratio($0) }
        )
        report.add(
            "\(name).lookup",
            value: times.matching,
            unit: "ns/event",
            reference: times.lookup
        )
        report.add("\(name).lookups", value: lookupsPerEvent, unit: "per event")
        report.add("\(name).matches", value: matchesPerEvent, unit: "per event")
        addMemory(aims, to: &report)
    }

    private func addMemory(_ aims: BenchMatchAims, to report: inout BenchReport) {
        let count = Double(widgets)
        report.add(
            "\(name).bytes",
            value: Double(byteCount) / count,
            unit: "bytes/widget",
            aim: aims.bytes.map { .value($0) }
        )
        report.add(
            "\(name).index",
            value: Double(indexByteCount) / count,
            unit: "bytes/widget",
            aim: aims.indexBytes.map { .value($0) }
        )
        report.add(
            "\(name).resident",
            value: Double(build.residentBytes) / count,
            unit: "bytes/widget"
        )
        report.add(
            "\(name).build",
            value: count * 1e9 / Double(max(1, build.cpu.rawValue)),
            unit: "widgets/s",
            aim: aims.build.map { .least($0) }
        )
    }
}

extension BenchMatchUpdates {
    /// Adds how long changes took, in CPU time of the thread and in wall time.
    func add(to report: inout BenchReport) {
        for (change, times) in zip(Change.allCases, times) {
            let (cpu, clock) = (times.cpu.sorted(), times.clock.sorted())
            let points: [(String, Double)] = [
                ("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1),
            ]
            for (name, point) in points {
                let index = min(cpu.count - 1, Int(Double(cpu.count) * point))
                let aim = name == "p99" ? BenchAim.value(BenchMatchAims.changeTime) : nil
                let row = "match.updates.\(generator.widgets).\(change.rawValue).\(name)"
                report.add(row + ".cpu", value: cpu[index].inMicroseconds, unit: "µs", aim: aim)
                report.add(
                    row + ".clock",
                    value: clock[index].inMicroseconds,
                    unit: "µs",
                    aim: aim
                )
            }
        }
    }
}
