import ArgumentParser
import CommandSupport
import DataStructures
import WidgetMatching

/// `bench match`: measures the matcher alone: JSON in, numbers of widgets out, on one thread.
struct BenchMatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Match generated events with up to 10,000,000 widgets, in this process.",
        discussion: """
            Workloads: equality (each widget waits for a value of its own), apps-10 and apps-1000 \
            (the same values in each app; measured alternately with one app), mixed (five kinds of \
            rules), conditions (five or six each), wildcard, none (equality, and no event matches) \
            and updates (widgets change between the batches).

            The figures are CPU of the thread, medians of windows. Beside each figure, for the \
            same events, are the JSON scan alone and a bare hash table in which the values that \
            distinguish the widgets are looked up (lookups is their number per event). The matches \
            of every event are checked once before, and counted during the measurement.
            """
    )

    @OptionGroup var options: BenchOptions

    @Flag(help: "Measure only up to 100,000 widgets, with few events.")
    var quick = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Workloads to measure. (default: all)", valueName: "name")
    )
    var workload: [BenchMatchWorkload] = []

    @Option(help: "Number of widgets, instead of each workload's own numbers.")
    var widgets: Int?

    @Option(
        help: ArgumentHelp(
            "Distinct events. (default: as many as widgets, from 100000 to 1000000; quick: 3200)",
            valueName: "count"
        )
    )
    var events: Int?

    @Option(help: "Seed for the workloads.")
    var seed: UInt64 = 1

    func validate() throws {
        if let widgets, !(1_000...100_000_000).contains(widgets) {
            throw ValidationError("--widgets is \(widgets); it must be from 1000 to 100000000")
        }
        if let events, !(1...10_000_000).contains(events) {
            throw ValidationError("--events is \(events); it must be from 1 to 10000000")
        }
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        for workload in workload.isEmpty ? BenchMatchWorkload.allCases : workload {
            for widgets in widgets.map({ [$0] }) ?? workload.sizes(quick: quick) {
                printProgress("\(workload.rawValue), \(widgets) widgets, seed \(seed)")
                if workload == .updates {
                    try measureUpdates(widgets, into: &report)
                    continue
                }
                try measure(workload, widgets: widgets).add(to: &report)
            }
        }
        report.print()
    }

    private func measure(
        _ workload: BenchMatchWorkload,
        widgets: Int
    ) throws -> BenchMatchResult {
        let generator = workload.generator(widgets: widgets, seed: seed)
        var matcher = WidgetMatcher(hashKey: HashKey(low: seed, high: 0))
        let build = try BenchMatchBuild(generator, into: &matcher)
        let run = run(of: generator)
        try run.check(&matcher, ids: build.ids)
        let times = try run.measure(&matcher, beside: BenchMatchLookup(generator, seed: seed))
        var besideOneApp: BenchMatchRun.Pair?
        if workload == .tenApps || workload == .thousandApps {
            let oneApp = BenchMatchEquality(widgets: widgets)
            var other = WidgetMatcher(hashKey: HashKey(low: seed, high: 0))
            _ = try BenchMatchBuild(oneApp, into: &other)
            besideOneApp = try run.compare(&matcher, with: self.run(of: oneApp), other: &other)
        }
        let count = Double(run.events.count)
        return BenchMatchResult(
            workload: workload,
            widgets: widgets,
            times: times,
            besideOneApp: besideOneApp,
            matchesPerEvent: Double(run.events.matches.count) / count,
            lookupsPerEvent: Double(run.events.keys.count) / count,
            byteCount: matcher.byteCount,
            indexByteCount: matcher.index.keyByteCount,
            build: build
        )
    }

    /// Draws the events. Call it after the widgets are stored, so that the growth of the process is
    /// that of the widgets.
    private func run(of generator: any BenchMatchGenerator) -> BenchMatchRun {
        let usual = quick ? 3_200 : min(max(generator.widgets, 100_000), 1_000_000)
        return BenchMatchRun(
            events: BenchMatchEvents(generator, count: events ?? usual, seed: seed),
            seconds: options.seconds,
            windows: options.rounds.count(otherwise: 5)
        )
    }

    private func measureUpdates(_ widgets: Int, into report: inout BenchReport) throws {
        let generator = BenchMatchEquality(widgets: widgets)
        var matcher = WidgetMatcher(hashKey: HashKey(low: seed, high: 0))
        let build = try BenchMatchBuild(generator, into: &matcher)
        var updates = BenchMatchUpdates(
            generator,
            ids: build.ids,
            rounds: quick ? 400 : 50_000,
            seed: seed
        )
        try updates.run(&matcher)
        updates.add(to: &report)
    }
}
