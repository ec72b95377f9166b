import ArgumentParser
import FrameCodec
import LoadReporting

/// `bench route`: measures pushes that match one of many widgets, up to the RELOAD received.
struct BenchRoute: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Pushes that match exactly one of many widgets, up to the RELOAD received.",
        discussion: """
            The devices sit behind 64 gateway connections. The reference forwards each push to one \
            of 64 connections and matches nothing.

            Both cost less the more pushes are in flight, because more RELOADs then share a \
            write: compare figures of the same window only. The peers of the aim (nats-server, \
            redis, mosquitto) were measured at about 480. A CPU figure is compared with the aim \
            only if nearly every push led to a RELOAD of its own: those that coalesce are cheaper.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: "Number of devices that the widgets are on.")
    var devices = 100_000

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Numbers of publishers to measure.", valueName: "count")
    )
    var publishers = [1, 16]

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Maxima of unacknowledged pushes of all publishers together, measured one by one.",
            valueName: "pushes"
        )
    )
    var windows = [8_192, 480]

    private static var gateways: Int { 64 }

    func validate() throws {
        try checkNumbers(publishers, within: 1...20_000, of: "--publishers")
        try checkNumbers(windows, within: 1...BenchPublishers.windowLimit, of: "--windows")
        _ = try BenchPopulation.make(widgets: widgets, devices: devices)
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: widgets, devices: devices)
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let relay = try BenchSide.reference(bench, running: .relay)
        defer { relay.stop() }
        let gateways = try router.generator.connect(Self.gateways, as: .gateway)
        _ = try relay.generator.connect(Self.gateways, as: .gateway)
        let stored = try population.register(router, through: gateways)
        var report = BenchReport(json: options.json)
        for count in publishers {
            for window in windows {
                try measure(
                    [router, relay],
                    population: population,
                    publishers: count,
                    window: window,
                    into: &report
                )
            }
        }
        report.add(
            "route.memory",
            value: stored.bytesPerWidget,
            unit: "bytes/widget",
            aim: .value(250)
        )
        report.print()
    }

    private func measure(
        _ sides: [BenchSide],
        population: BenchPopulation,
        publishers count: Int,
        window: Int,
        into report: inout BenchReport
    ) throws {
        let name = "route.\(count).window-\(window)"
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        let gateways = 0..<Self.gateways
        var publishers = 0..<0
        for side in sides {
            publishers = try side.generator.connect(
                count,
                as: .publisher,
                window: max(1, window / count)
            ) {
                "route-\(count)-\(window)-\($0)"
            }
            for index in publishers {
                side.generator.start(
                    index,
                    sending: frames,
                    to: .random(of: population.widgets, seed: UInt64(index)),
                    count: 0
                )
            }
            _ = try side.pushWindow(publishers, subscribers: gateways, seconds: options.seconds)
        }
        let router = sides[0].generator
        let (acknowledged, matched, reloads) = (
            router.acknowledged, router.matched, router.reloads
        )
        let results = try options.alternate(sides) { side in
            try side.pushWindow(publishers, subscribers: gateways, seconds: options.seconds)
        }
        let pushes = router.acknowledged - acknowledged
        if router.matched - matched != pushes {
            throw BenchFailure(
                "\(pushes) pushes matched \(router.matched - matched) widgets; each must match one"
            )
        }
        let reloadsPerPush = Double(router.reloads - reloads) / Double(max(1, pushes))
        report.add(
            "\(name).rate",
            value: results[0].rate,
            unit: "pushes/s",
            reference: results[1].rate
        )
        report.add(
            "\(name).cpu",
            value: results[0].cpu,
            unit: "ns/push",
            reference: results[1].cpu,
            aim: reloadsPerPush >= 0.95 ? .value(900) : nil
        )
        report.add(
            "\(name).reloads",
            value: reloadsPerPush,
            unit: "per push",
            reference: 1
        )
    }
}
