import ArgumentParser
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform
import Times

/// `bench fairness`: measures how much a hostile sender delays the ACKs of honest publishers.
struct BenchFairness: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fairness",
        abstract: "How one hostile sender affects 1,000 honest publishers.",
        discussion: """
            Honest publishers push at a fixed rate, each push for one of 10,000 devices; a time is \
            from when a push was due to its ACK, and its reference is the same just before, \
            without the hostile sender. The hostile senders are measured one by one, each sending \
            as fast as the router reads: \
            \(HostileSender.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of honest publishers, each on its own connection.")
    var publishers = 1_000

    @Option(help: "Number of devices, each with one widget.")
    var devices = 10_000

    @Option(help: ArgumentHelp("Pushes per second of all honest publishers.", valueName: "pushes"))
    var rate = 5_000

    @Option(help: "Hostile senders to measure, by name. (default: all)")
    var kind: [HostileSender.Kind] = HostileSender.Kind.allCases

    private static var gateways: Int { 16 }
    /// How long to wait before a window; see `settle`.
    private static var settling: Nanoseconds { .milliseconds(300) }

    func validate() throws {
        if !(1...20_000).contains(publishers) {
            throw ValidationError("--publishers is \(publishers); it must be from 1 to 20000")
        }
        if !(1...100_000).contains(rate) {
            throw ValidationError("--rate is \(rate); it must be from 1 to 100000")
        }
        _ = try BenchPopulation.make(widgets: devices, devices: devices)
    }

    func run() throws {
        let population = try BenchPopulation.make(widgets: devices, devices: devices)
        let bench = try BenchLoop()
        // SIGHUP reads it again.
        let folder = try BenchFolder(in: "/tmp")
        try BenchFolder.write(HostileSender.apps, to: folder("apps.json"))
        let flags = [
            "--admin", "127.0.0.1:0", "--publish", "127.0.0.1:0", "--apps", folder("apps.json"),
        ]
        let side = try BenchSide.router(bench, flags: flags, apps: HostileSender.apps)
        defer { side.stop() }
        let line = side.server.process.readLine()
        guard let publishPort = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure("the router printed: \(line)")
        }
        let gateways = try side.generator.connect(Self.gateways, as: .gateway)
        _ = try population.register(side, through: gateways)
        try HostileSender.register(side, through: gateways)
        let connections = try side.generator.connect(publishers, as: .publisher) { "honest-\($0)" }
        let honest = try BenchHonestPushes(side, on: connections, rate: rate, characters: devices)
        try bench.run(for: options.length)
        var report = BenchReport(json: options.json)
        let target = HostileTarget(
            publishPort: publishPort,
            adminPort: side.server.adminPort
        )
        for kind in kind {
            try measure(kind, on: side, target: target, honest: honest, into: &report)
        }
        try honest.stop()
        report.print()
    }

    /// Waits for a moment, and drops the times measured so far: some pushes were late only because
    /// the generator had to wait for a process to start or to end.
    private func settle(_ bench: BenchLoop, honest: BenchHonestPushes) throws {
        try bench.run(for: Self.settling)
        _ = honest.takeTimes()
    }

    /// Measures windows without and with the hostile sender in turn, so that a busy machine slows
    /// both.
    private func measure(
        _ kind: HostileSender.Kind,
        on side: BenchSide,
        target: HostileTarget,
        honest: BenchHonestPushes,
        into report: inout BenchReport
    ) throws {
        printProgress("beside \(kind.rawValue)")
        let bench = side.generator.bench
        var quiet: [Nanoseconds] = []
        var beside: [Nanoseconds] = []
        var rates: [Double] = []
        for _ in 0..<options.windows {
            try settle(bench, honest: honest)
            try bench.run(for: options.length)
            quiet += honest.takeTimes()
            // The hostile sender has its own process, so that it does not delay the reading of ACKs
            // here.
            let hostile = try BenchProcess(
                "bench hostile",
                program: .lab,
                arguments: [
                    "bench", "hostile", kind.rawValue, "\(side.server.port)",
                    "--publish", "\(target.publishPort)", "--admin", "\(target.adminPort)",
                    "--process", "\(side.server.process.processID)",
                ]
            )
            defer { hostile.stop() }
            if hostile.line != "began" { throw BenchFailure("bench hostile: \(hostile.line)") }
            try settle(bench, honest: honest)
            try bench.run(for: options.length)
            beside += honest.takeTimes()
            hostile.endInput()
            rates.append(Double(hostile.readLine()) ?? .nan)
        }
        for (name, point, aim) in [("p50", 0.5, nil), ("p99", 0.99, BenchAim.ratio(2))] {
            report.add(
                "fairness.\(kind.rawValue).\(name)",
                value: quantile(point, of: beside) / 1e6,
                unit: "ms",
                reference: quantile(point, of: quiet) / 1e6,
                aim: aim
            )
        }
        report.add("fairness.\(kind.rawValue).hostile", value: median(rates), unit: "frames/s")
    }
}

/// Pushes at a fixed rate, one publisher after the other, and records how long each push took from
/// when it was due to its ACK.
final class BenchHonestPushes: TimerOwner {
    private let side: BenchSide
    private let connections: Range<Int>
    /// The number of ns between two pushes, which need not be whole.
    private let interval: Double
    /// When the pushes began.
    private let start = ExactTime.now
    /// The number of pushes that have been due.
    private var pushed = 0
    /// For each connection, when its pushes without an ACK were due.
    private var due: [[ExactTime]]
    /// How long pushes took that were acknowledged since the last `takeTimes`.
    private var times: [Nanoseconds] = []
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - side: the router to push to.
    ///   - connections: connections of publishers that send nothing else.
    ///   - rate: pushes per second of all of them together.
    ///   - characters: the number of widgets, each with a character of its own.
    /// - Throws: errors of the system.
    init(_ side: BenchSide, on connections: Range<Int>, rate: Int, characters: Int) throws {
        assert(rate > 0, "no push is ever due")
        assert(!connections.isEmpty, "there is no connection to push on")
        self.side = side
        self.connections = connections
        interval = 1e9 / Double(rate)
        due = Array(repeating: [], count: connections.count)
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        for index in connections {
            let targets = LoadGeneratorTargets.random(of: characters, seed: UInt64(index))
            side.generator.start(index, sending: frames, to: targets, count: 0)
        }
        side.generator.whenAcknowledged = { [unowned self] index, count in
            acknowledged(index, count: count)
        }
        timer = try LoopTimer(side.generator.bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    func timerFired(_ timer: LoopTimer) {
        let end = Int((.now - start).inNanoseconds / interval)
        while pushed < end {
            let position = pushed % connections.count
            due[position].append(start + Nanoseconds(rawValue: Int64(Double(pushed) * interval)))
            side.generator.resume(connections.lowerBound + position, count: 1)
            pushed += 1
        }
    }

    /// Records how long the next `count` pushes of a connection took until this ACK.
    private func acknowledged(_ index: Int, count: Int) {
        if !connections.contains(index) { return }
        let now = ExactTime.now
        let position = index - connections.lowerBound
        let covered = min(count, due[position].count)
        for time in due[position].prefix(covered) { times.append(now - time) }
        due[position].removeFirst(covered)
    }

    /// Removes and returns the times of the pushes acknowledged since the last call.
    func takeTimes() -> [Nanoseconds] {
        defer { times.removeAll(keepingCapacity: true) }
        return times
    }

    /// Stops pushing, and waits for the ACKs that are missing.
    func stop() throws {
        assert(timer != nil, "the pushes have been stopped before")
        timer?.close()
        timer = nil
        try side.waitForAcknowledgements()
        side.generator.whenAcknowledged = nil
    }
}
