import ArgumentParser
import Basics
import CommandSupport
import FrameCodec
import LoadReporting

/// `bench fairness`: measures how much a hostile sender delays the ACKs of honest publishers.
struct BenchFairness: Benchmark {
    static let plan = BenchPlan(
        name: "fairness",
        what: "1,000 publishers beside a hostile sender",
        aim: "p99 within 2 times",
        discussion: """
            Honest publishers push at a fixed rate, each push for one of 10,000 devices; a time is \
            from when a push was due to its ACK, and its reference is the same just before, \
            without the hostile sender. The hostile senders are measured one by one, each sending \
            as fast as the router reads: \
            \(HostileKind.allCases.map(\.rawValue).joined(separator: ", ")).
            """,
        quick: "--seconds 0.1 --publishers 20 --devices 200 --rate 500"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of honest publishers, each on its own connection.")
    var publishers = 1_000

    @Option(help: "Number of devices, each with one widget.")
    var devices = 10_000

    @Option(help: "Pushes per second of all honest publishers.", of: "pushes")
    var rate = 5_000

    @Option(help: "Hostile senders to measure, by name. (default: all)")
    var kind: [HostileKind] = []

    func validate() throws {
        try checkNumbers([publishers], within: 1...20_000, of: "--publishers")
        try checkNumbers([rate], within: 1...100_000, of: "--rate")
        _ = try BenchPopulation(widgets: devices, devices: devices)
    }

    func measure(_ run: BenchRun) throws {
        // SIGHUP reads it again.
        let folder = try TemporaryFolder(in: "/tmp")
        try ReportFile.write(HostileKind.apps, to: folder("apps.json"))
        defer { folder.delete("apps.json") }
        let side = try run.router(
            flags: [
                "--admin", "127.0.0.1:0", "--publish", "127.0.0.1:0",
                "--apps", folder("apps.json"),
            ],
            apps: HostileKind.apps
        )
        let population = try BenchPopulation(widgets: devices, devices: devices)
        let gateways = try population.register(side, gateways: 16).gateways
        try HostileKind.register(side, through: gateways)
        let connections = try side.generator.connect(publishers, as: .publisher) { "honest-\($0)" }
        let honest = try TimedPushes(
            side.generator,
            on: connections,
            rate: rate,
            frames: .pushes(BenchApp.characterPush),
            targets: { .random(of: devices, seed: UInt64($0)) }
        )
        try run.bench.run(for: options.length)
        for kind in kind.isEmpty ? HostileKind.allCases : kind {
            try measure(run, kind: kind, on: side.server, honest: honest)
        }
        honest.stop()
        try side.waitForAcknowledgements()
    }

    /// Measures windows without and with the hostile sender in turn, so that a busy machine slows
    /// both.
    private func measure(
        _ run: BenchRun,
        kind: HostileKind,
        on server: LabServer,
        honest: TimedPushes
    ) throws {
        printProgress("beside \(kind.rawValue)")
        var (quiet, beside): ([Nanoseconds], [Nanoseconds]) = ([], [])
        let numbers = [
            Int(server.port), Int(server.publishPort), Int(server.adminPort),
            Int(server.process.processID),
        ]
        let rates = try (0..<run.rounds).map { _ in
            quiet += try honest.settledTimes(options.length)
            // The hostile sender has its own process, so that it does not delay the reading of ACKs
            // here.
            let hostile = try LabProcess.part(
                .hostile,
                words: [kind.rawValue] + numbers.map { "\($0)" }
            )
            defer { hostile.stop() }
            beside += try honest.settledTimes(options.length)
            hostile.endInput()
            return try hostile.numbers(1)[0]
        }
        let aims: KeyValuePairs<BenchPoint, BenchAim?> = [.p50: nil, .p99: .ratio(2)]
        run.add(kind.rawValue, times: beside, beside: quiet, aims: aims)
        run.add("\(kind.rawValue).hostile", value: median(rates), unit: "frames/s")
    }
}

extension TimedPushes {
    /// How long pushes take in a window. Before it, those do not count for a moment that are late
    /// only because a process has just started or ended.
    func settledTimes(_ length: Nanoseconds) throws -> [Nanoseconds] {
        try generator.bench.run(for: .milliseconds(300))
        _ = takeTimes()
        try generator.bench.run(for: length)
        return takeTimes().acknowledgements
    }
}
