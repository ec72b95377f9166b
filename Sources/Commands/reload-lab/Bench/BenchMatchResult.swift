import LoadReporting

/// The results of one workload with one number of widgets.
struct BenchMatchResult {
    let workload: BenchMatchWorkload
    let widgets: Int
    let times: BenchMatchRun.Times
    /// Where there are several apps: measured in turn with as many widgets of a single app.
    let besideOneApp: BenchMatchRun.Pair?
    let matchesPerEvent: Double
    let lookupsPerEvent: Double
    /// Memory of the matcher.
    let byteCount: Int
    /// The part of that which its index takes.
    let indexByteCount: Int
    let build: BenchMatchBuild

    private var name: String { "match.\(workload.rawValue).\(widgets)" }

    func add(to report: inout BenchReport) {
        let aims = workload.aims(widgets: widgets)
        report.add(
            "\(name).rate",
            1e9 / times.matching,
            "events/s",
            aim: aims.rate.map { .least($0) }
        )
        report.add("\(name).cpu", times.matching, "ns/event", aim: aims.time.map { .value($0) })
        if let pair = besideOneApp {
            report.add(
                "\(name).one-app",
                pair.first,
                "ns/event",
                reference: pair.second,
                aim: aims.oneAppRatio.map { .ratio($0) }
            )
        }
        report.add(
            "\(name).scan",
            times.matching,
            "ns/event",
            reference: times.scanning,
            aim: aims.scanRatio.map { .ratio($0) }
        )
        report.add("\(name).lookup", times.matching, "ns/event", reference: times.lookup)
        report.add("\(name).lookups", lookupsPerEvent, "per event")
        report.add("\(name).matches", matchesPerEvent, "per event")
        addMemory(aims, to: &report)
    }

    private func addMemory(_ aims: BenchMatchAims, to report: inout BenchReport) {
        let count = Double(widgets)
        report.add(
            "\(name).bytes",
            Double(byteCount) / count,
            "bytes/widget",
            aim: aims.bytes.map { .value($0) }
        )
        report.add(
            "\(name).index",
            Double(indexByteCount) / count,
            "bytes/widget",
            aim: aims.indexBytes.map { .value($0) }
        )
        report.add("\(name).resident", Double(build.residentBytes) / count, "bytes/widget")
        report.add(
            "\(name).build",
            count * 1e9 / Double(max(1, build.cpuNanoseconds)),
            "widgets/s",
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
                report.add(row + ".cpu", Double(cpu[index]) / 1_000, "µs", aim: aim)
                report.add(row + ".clock", Double(clock[index]) / 1_000, "µs", aim: aim)
            }
        }
    }
}
