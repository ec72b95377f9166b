import ArgumentParser
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform
import Times

/// `bench hot-key`: measures a push that matches a million widgets, and how it delays other pushes.
struct BenchHotKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hot-key",
        abstract: "One push that matches 1,000,000 widgets, and its effect on other pushes.",
        discussion: """
            All widgets wait for the same value, on devices behind 64 gateway connections; nothing \
            is spread, and no budget is kept. `last` is the time from the push to the last RELOAD. \
            Meanwhile another publisher pushes at a fixed rate payloads that match no widget: \
            `others` is the time from when such a push was due to its ACK, and its reference is \
            the same before the hot pushes.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets that wait for the value.")
    var widgets = 1_000_000

    @Option(help: "Number of devices that the widgets are on.")
    var devices = 100_000

    @Option(help: ArgumentHelp("Other pushes per second.", valueName: "pushes"))
    var rate = 5_000

    private static var gateways: Int { 64 }

    func validate() throws {
        if !(1...100_000).contains(rate) {
            throw ValidationError("--rate is \(rate); it must be from 1 to 100000")
        }
        _ = try BenchPopulation.make(widgets: widgets, devices: devices)
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let bench = try BenchLoop()
        let side = try BenchSide.router(bench)
        defer { side.stop() }
        let generator = side.generator
        let gateways = try generator.connect(Self.gateways, as: .gateway)
        printProgress("registering \(population.widgets) widgets on \(devices) devices")
        try side.register(
            .widgets(
                kind: BenchApp.topic,
                configuration: BenchApp.topicWidget,
                perDevice: population.widgetsPerDevice
            ),
            devices: devices,
            through: gateways
        )
        let publishers = try generator.connect(2, as: .publisher) { "hot-key-\($0)" }
        let hot = publishers.lowerBound
        generator.start(hot, sending: .pushes(BenchApp.topicPush), to: .first, count: 0)
        let others = try BenchSteadyPushes(
            generator,
            connection: publishers.upperBound - 1,
            rate: rate
        )
        let end = ExactTime.now + max(.milliseconds(100), options.length)
        try bench.run(until: "the quiet time ended") {
            others.observe()
            return ExactTime.now >= end
        }
        let quiet = others.takeTimes()
        var rounds: [HotPush] = []
        for _ in 0..<options.windows {
            rounds.append(
                try push(
                    side,
                    on: hot,
                    reaching: gateways,
                    beside: others,
                    matching: population.widgets
                )
            )
        }
        let busy = others.takeTimes()
        try others.stop()
        report(rounds, quiet: quiet, busy: busy)
    }

    /// What was measured of one push to all widgets.
    private struct HotPush {
        /// From the push to the last RELOAD.
        var last: Nanoseconds
        /// The server's CPU, in ns for each widget.
        var cpu: Double
    }

    /// Pushes once, and waits until all RELOADs have arrived.
    private func push(
        _ side: BenchSide,
        on hot: Int,
        reaching gateways: Range<Int>,
        beside others: BenchSteadyPushes,
        matching widgets: Int
    ) throws -> HotPush {
        let generator = side.generator
        let matched = generator.matched
        var reloadCount = generator.reloads
        var last = ExactTime.none
        let cpu = side.server.process.cpuTime
        let start = ExactTime.now
        generator.resume(hot, count: 1)
        let connection = generator.connections[hot]
        try generator.bench.run(until: "the hot push was acknowledged") {
            others.observe()
            if generator.reloads != reloadCount {
                (reloadCount, last) = (generator.reloads, ExactTime.now)
            }
            return connection.acknowledged == connection.sent
        }
        // A PONG follows all RELOADs of its connection.
        let goal = generator.pongs + gateways.count
        generator.ping(gateways)
        try generator.bench.run(until: "the last RELOAD has come") {
            others.observe()
            if generator.reloads != reloadCount {
                (reloadCount, last) = (generator.reloads, ExactTime.now)
            }
            return generator.pongs >= goal
        }
        if generator.matched - matched != widgets {
            throw BenchFailure("the push matched \(generator.matched - matched) widgets")
        }
        let used = (side.server.process.cpuTime - cpu).inNanoseconds
        return HotPush(last: last - start, cpu: used / Double(widgets))
    }

    private func report(_ rounds: [HotPush], quiet: [Nanoseconds], busy: [Nanoseconds]) {
        var report = BenchReport(json: options.json)
        report.add("hot-key.last", value: median(rounds.map(\.last.inMilliseconds)), unit: "ms")
        report.add("hot-key.cpu", value: median(rounds.map(\.cpu)), unit: "ns/widget")
        let points: [(String, Double, BenchAim?)] = [
            ("p50", 0.5, nil), ("p99", 0.99, .value(20)), ("max", 1, nil),
        ]
        for (name, point, aim) in points {
            report.add(
                "hot-key.others.\(name)",
                value: quantile(point, of: busy) / 1e6,
                unit: "ms",
                reference: quantile(point, of: quiet) / 1e6,
                aim: aim
            )
        }
        report.print()
    }
}
