import ArgumentParser
import Basics
import CommandSupport
import LoadReporting
import WidgetMatching

/// `bench match`: measures the matcher alone: JSON in, numbers of widgets out, on one thread.
struct BenchMatch: Benchmark {
    static let plan = BenchPlan(
        name: "match",
        what: "the matcher alone: 10,000 to 10,000,000 widgets",
        aim: "one for each workload",
        discussion: """
            Workloads: equality (each widget waits for a value of its own), apps-10 and apps-1000 \
            (the same values in each app; measured alternately with one app), mixed (five kinds of \
            rules), wildcard, none (equality, and no event matches; "visit" is a second \
            matcher that an event visits without being scanned again) and updates (widgets change \
            between the batches).

            The figures are CPU of the thread, medians of windows. Beside each figure, for the \
            same events, is the JSON scan alone. The matches of every event are checked once \
            before, and counted during the measurement.
            """,
        rounds: 5,
        arguments: "--widgets 1000000",
        quick: "--quick --events 320 --seconds 0.01"
    )

    @OptionGroup var options: BenchOptions

    @Flag(help: "Measure only up to 100,000 widgets, with few events.")
    var quick = false

    @Option(parsing: .upToNextOption, help: "Workloads to measure. (default: all)")
    var workload: [MatchWorkload] = []

    @Option(help: "Number of widgets, instead of each workload's own numbers.")
    var widgets: Int?

    @Option(
        help: "Distinct events. (default: as many as widgets, from 100000 to 1000000; quick: 3200)",
        of: "count"
    )
    var events: Int?

    @Option(help: "Seed for the workloads.")
    var seed: UInt64 = 1

    func validate() throws {
        if let widgets { try checkNumbers([widgets], within: 1_000...100_000_000, of: "--widgets") }
        if let events { try checkNumbers([events], within: 1...10_000_000, of: "--events") }
    }

    func measure(_ run: BenchRun) throws {
        for workload in workload.isEmpty ? MatchWorkload.allCases : workload {
            for widgets in widgets.map({ [$0] }) ?? workload.sizes(quick: quick) {
                printProgress("\(workload.rawValue), \(widgets) widgets, seed \(seed)")
                if workload == .updates {
                    try measureUpdates(run, widgets: widgets)
                } else {
                    try measure(run, workload: workload, widgets: widgets)
                }
            }
        }
    }

    private func measure(_ run: BenchRun, workload: MatchWorkload, widgets: Int) throws {
        let generator = workload.generator(widgets: widgets)
        var matcher = WidgetMatcher(hashKey: hashKey)
        let build = try MatchBuild(generator, into: &matcher)
        var load = load(run, of: generator)
        try load.check(&matcher, ids: build.ids)
        let times = try load.measure(&matcher, rounds: run.rounds) { try $0.scanWindow() }
        let row = "\(workload.rawValue).\(widgets)"
        func add(_ figure: String, value: Double, unit: String) {
            run.add(
                "\(row).\(figure)",
                value: value,
                unit: unit,
                aim: Self.aims["\(row).\(figure)"]
            )
        }
        let matching = median(times[0])
        add("rate", value: 1e9 / matching, unit: "events/s")
        add("cpu", value: matching, unit: "ns/event")
        if workload == .tenApps || workload == .thousandApps {
            let oneApp = MatchEquality(widgets: widgets)
            var other = WidgetMatcher(hashKey: hashKey)
            _ = try MatchBuild(oneApp, into: &other)
            var others = self.load(run, of: oneApp)
            let sides = try load.measure(&matcher, rounds: run.rounds) { _ in
                try others.matchWindow(with: &other)
            }
            run.add("\(row).one-app", of: sides, as: median, unit: "ns/event", aim: .ratio(1.05))
        }
        if workload == .nothing {
            var second = WidgetMatcher(hashKey: hashKey)
            _ = try MatchBuild(generator, into: &second)
            let visits = try load.measureVisits(&matcher, second: &second, rounds: run.rounds)
            run.add("\(row).visit", of: visits, as: median, unit: "ns/event", aim: .ratio(0.5))
        }
        let ratio = Self.aims["\(row).scan"]
        run.add("\(row).scan", of: times, as: median, unit: "ns/event", aim: ratio)
        let matches = Double(load.events.matches.count) / Double(load.events.count)
        add("matches", value: matches, unit: "per event")
        for (figure, bytes) in [
            ("bytes", matcher.byteCount), ("index", matcher.index.keyByteCount),
            ("resident", build.residentBytes),
        ] {
            add(figure, value: Double(bytes) / Double(widgets), unit: "bytes/widget")
        }
        let speed = Double(widgets) * 1e9 / Double(max(1, build.cpu.rawValue))
        add("build", value: speed, unit: "widgets/s")
    }

    /// The targets of the figures that have one.
    private static let aims: [String: BenchAim] = [
        "equality.1000000.rate": .least(2_500_000), "equality.1000000.build": .least(1_000_000),
        "equality.10000000.cpu": .value(600), "equality.10000000.index": .value(64),
        "equality.10000000.build": .least(1_000_000), "mixed.100000.rate": .least(1_000_000),
        "mixed.100000.bytes": .value(150), "wildcard.10000.rate": .least(300_000),
        "none.1000000.scan": .ratio(1.4),
    ]

    /// Draws the events. Call it after the widgets are stored, so that the growth of the process is
    /// that of the widgets.
    private func load(_ run: BenchRun, of generator: any MatchGenerator) -> MatchLoad {
        let usual = quick ? 3_200 : min(max(generator.widgets, 100_000), 1_000_000)
        let events = MatchEvents(generator, count: events ?? usual, seed: seed)
        return MatchLoad(events: events, seconds: run.seconds, hashKey: hashKey)
    }

    /// That of all matchers.
    private var hashKey: HashKey { HashKey(low: seed, high: 0) }

    /// How long changes take, in CPU time of the thread and in wall time.
    private func measureUpdates(_ run: BenchRun, widgets: Int) throws {
        let generator = MatchEquality(widgets: widgets)
        var matcher = WidgetMatcher(hashKey: hashKey)
        let build = try MatchBuild(generator, into: &matcher)
        var updates = MatchUpdates(
            generator,
            ids: build.ids,
            rounds: quick ? 400 : 50_000,
            seed: seed,
            hashKey: hashKey
        )
        try updates.run(&matcher)
        for (change, times) in zip(MatchUpdates.Change.allCases, updates.times) {
            for point in [BenchPoint.p50, .p99, .max] {
                // 99 of 100 changes take at most this many µs.
                let aim: BenchAim? = point == .p99 ? .value(20) : nil
                let row = "updates.\(widgets).\(change.rawValue).\(point)"
                for (clock, times) in [("cpu", times.cpu), ("clock", times.clock)] {
                    let time = quantile(point.rawValue, of: times) / 1_000
                    run.add("\(row).\(clock)", value: time, unit: "µs", aim: aim)
                }
            }
        }
    }
}

/// The workloads of `bench match`; its help describes them.
enum MatchWorkload: String, CaseIterable, ExpressibleByArgument {
    case equality
    case tenApps = "apps-10"
    case thousandApps = "apps-1000"
    case mixed
    case wildcard
    case nothing = "none"
    case updates

    /// The numbers of widgets to measure, unless the command line names another.
    func sizes(quick: Bool) -> [Int] {
        switch self {
        case .equality where quick: [10_000, 100_000]
        case _ where quick: [10_000]
        case .equality: [10_000, 100_000, 1_000_000, 10_000_000]
        case .tenApps, .thousandApps, .nothing, .updates: [1_000_000]
        case .mixed: [100_000]
        case .wildcard: [10_000]
        }
    }

    func generator(widgets: Int) -> any MatchGenerator {
        switch self {
        case .equality, .updates: MatchEquality(widgets: widgets)
        case .tenApps: MatchEquality(widgets: widgets, appCount: 10)
        case .thousandApps: MatchEquality(widgets: widgets, appCount: 1_000)
        case .nothing: MatchEquality(widgets: widgets, isMatched: false)
        case .mixed: MatchMixed(widgets: widgets)
        case .wildcard: MatchWildcards(widgets: widgets)
        }
    }
}
