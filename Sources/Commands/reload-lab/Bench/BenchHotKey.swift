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
        let others = try BenchSteadyPushes(side, connection: publishers.upperBound - 1, rate: rate)
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

/// Sends pushes that match no widget at a fixed rate, and records how long each took from when it
/// was due to its ACK.
final class BenchSteadyPushes: TimerOwner {
    private let side: BenchSide
    private let connection: LoadGeneratorConnection
    private let index: Int
    /// The number of ns between two pushes, which need not be whole.
    private let interval: Double
    /// When the pushes began.
    private let start = ExactTime.now
    /// The sequence number of the push that was due at `start`.
    private let firstSeq: UInt64
    /// The sequence number of the last push whose ACK `observe` has seen.
    private var observedSeq: UInt64
    /// How long pushes took that were acknowledged since the last `takeTimes`.
    private var times: [Nanoseconds] = []
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - side: the router to push to.
    ///   - index: the connection of a publisher that sends nothing else.
    ///   - rate: pushes per second.
    /// - Throws: errors of the system.
    init(_ side: BenchSide, connection index: Int, rate: Int) throws {
        assert(rate > 0, "no push is ever due")
        self.side = side
        self.index = index
        interval = 1e9 / Double(rate)
        connection = side.generator.connections[index]
        firstSeq = connection.sent + 1
        observedSeq = connection.acknowledged
        side.generator.start(index, sending: .pushes(BenchApp.unmatchedPush), to: .first, count: 0)
        timer = try LoopTimer(side.generator.bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    func timerFired(_ timer: LoopTimer) {
        let due = Int((.now - start).inNanoseconds / interval) + 1
        let count = due - Int(connection.limit + 1 - firstSeq)
        // Pushes that the window has held back are still to be sent.
        let rest = Int(connection.limit - connection.sent)
        if count > 0 { side.generator.resume(index, count: rest + count) }
    }

    /// Records the times of pushes that have been acknowledged; must be called in every tick of the
    /// loop.
    func observe() {
        if observedSeq == connection.acknowledged { return }
        let now = ExactTime.now
        while observedSeq < connection.acknowledged {
            observedSeq += 1
            let due = Nanoseconds(rawValue: Int64(Double(observedSeq - firstSeq) * interval))
            times.append(now - start - due)
        }
    }

    /// Removes and returns the times of the pushes acknowledged since the last call.
    func takeTimes() -> [Nanoseconds] {
        defer { times.removeAll() }
        return times
    }

    /// Stops pushing, and waits for the ACKs that are missing.
    func stop() throws {
        timer?.close()
        try side.waitForAcknowledgements()
    }
}
