import ArgumentParser
import FrameCodec
import LoadReporting

/// `bench latency`: measures the time from when a push is due to its RELOAD, at a fixed rate.
struct BenchLatency: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Time from a push's intended sending to its RELOAD, at a fixed rate.",
        discussion: """
            Open loop: pushes are due at fixed intervals whether or not earlier ones have been \
            answered, and the time of a push counts from when it was due.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: ArgumentHelp("Pushes per second.", valueName: "pushes"))
    var rate = 20_000

    @Option(help: "Number of devices with one widget each, pushed to one after another.")
    var devices = 100_000

    private static var gateways: Int { 64 }

    func validate() throws {
        try checkNumbers([devices], within: 1...1_000_000, of: "--devices")
        // A device that is pushed to again before its RELOAD arrives would get one RELOAD for both
        // pushes.
        try checkNumbers([rate], within: 1...devices, of: "--rate")
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: devices, devices: devices)
        let bench = try BenchLoop()
        let router = try BenchSide.router(bench)
        defer { router.stop() }
        let relay = try BenchSide.reference(bench, running: .relay)
        defer { relay.stop() }
        for side in [router, relay] {
            let gateways = try side.generator.connect(Self.gateways, as: .gateway)
            if side.generator.wire == .router {
                _ = try population.register(side, through: gateways)
            }
            _ = try side.generator.connect(1, as: .publisher) { _ in "latency" }
            _ = try measure(side, seconds: options.seconds / 3)
        }
        var results: [[LatencyRecorder]] = [[], []]
        for _ in 0..<options.windows {
            // Windows are longer than in other benchmarks: `--seconds 1` means five.
            for (index, side) in [router, relay].enumerated() {
                results[index].append(try measure(side, seconds: options.seconds * 5))
            }
        }
        report(results)
    }

    private func report(_ results: [[LatencyRecorder]]) {
        var report = BenchReport(json: options.json)
        let points: [(String, Double, BenchAim?)] = [
            ("p50", 0.5, .ratio(1.5)), ("p99", 0.99, .ratio(1.5)), ("p99.9", 0.999, nil),
        ]
        for (name, point, aim) in points {
            let times = results.map { side in median(side.map { $0.percentile(point) / 1_000 }) }
            report.add(
                "latency.\(name)",
                value: times[0],
                unit: "µs",
                reference: times[1],
                aim: aim
            )
        }
        report.print()
    }

    private func measure(_ side: BenchSide, seconds: Double) throws -> LatencyRecorder {
        try side.pushByTheClock(
            side.generator.connections[Self.gateways],
            rate: rate,
            devices: devices,
            seconds: seconds
        )
    }
}
