import ArgumentParser
import Basics
import CommandSupport
import FrameCodec
import LoadReporting
import Platform
import RouterCore

/// `bench budget`: measures what a decision costs in addition to the match: the budget, the
/// spacing, the permit at the origin and the timers.
struct BenchBudget: Benchmark {
    static let plan = BenchPlan(
        name: "budget",
        what: "decisions on 1,000,000 widgets",
        aim: "at most 300 ns CPU beyond the match",
        discussion: """
            Each device has one widget, each push matches some widgets at random places; the time \
            is from the push's frame to the RELOADs that are ready to be written. The reference \
            does the same with kinds that keep no budget and have no origin: the difference is the \
            cost of the decision. granted: budget and spacing allow the reload, which waits for a \
            permit at the origin. deferred: spacing does not allow it, a timer is set, and when it \
            fires the reload waits for a permit. The figures are CPU of the thread per widget, \
            medians of rounds, both sides alternately.
            """,
        rounds: 5,
        quick: "--widgets 2000"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of widgets, each on its own device.")
    var widgets = 1_000_000

    @Option(help: "Number of widgets that a push matches.")
    var fanout = 100

    @Option(help: "Seed for the widgets' places.")
    var seed: UInt64 = 1

    func validate() throws {
        try checkNumbers([widgets], within: 1_000...10_000_000, of: "--widgets")
        try checkNumbers([fanout], within: 1...min(10_000, widgets), of: "--fanout")
    }

    func measure(_ run: BenchRun) throws {
        printProgress("registering \(widgets) widgets, twice")
        // WidgetKit's budget and an origin with a rate; or neither, so that every match leads to a
        // RELOAD at once.
        var (usual, plain) = (KindPolicy(), KindPolicy())
        usual.origin = "api"
        plain.budget = .unlimited
        let sides = [usual, plain].map {
            BudgetRun(policy: $0, widgets: widgets, fanout: fanout, seed: seed)
        }
        let rounds = try run.alternate(sides) { try $0.measure() }
        let reference = median(rounds[1].map(\.granted))
        for (row, costs) in [
            ("granted", rounds[0].map(\.granted)), ("deferred", rounds[0].map(\.deferred)),
        ] {
            let cost = median(costs)
            let decision = cost - reference
            run.add(row, value: cost, unit: "ns/widget", reference: reference)
            run.add("\(row).decision", value: decision, unit: "ns/widget", aim: .value(300))
        }
        let state = Double(SchedulingMemory.bytesPerWidget)
        run.add("state", value: state, unit: "bytes/widget", aim: .value(64))
        run.add("timers", value: sides[0].perWidget(\.timers), unit: "bytes/widget")
        run.add("reasons", value: sides[0].perWidget(\.decisions), unit: "bytes/widget")
    }
}

/// A router in this process, all of whose widgets have the same policy.
final class BudgetRun {
    private static var publisher: ConnectionSlot { .first }
    private static var gateway: ConnectionSlot { ConnectionSlot(index: 1) }
    /// The number of pushes in one read.
    private static var readLength: Int { 64 }
    /// The time from one read to the next.
    private static var tick: Milliseconds { .milliseconds(20) }
    /// The time after the last read.
    private static var pause: Milliseconds { .seconds(2) }
    /// The time that all reads take together.
    private var span: Milliseconds {
        Self.tick * Int64((topics + Self.readLength - 1) / Self.readLength)
    }
    /// The number of topics. Each has `fanout` widgets, but the last one may have fewer.
    private var topics: Int { (widgets + fanout - 1) / fanout }

    private let driver: VirtualRouter
    private let widgets: Int
    private let fanout: Int
    private var pushSeq: UInt64 = 0
    private var deviceSeq: UInt64 = 0

    init(policy: KindPolicy, widgets: Int, fanout: Int, seed: UInt64) {
        assert(fanout > 0 && fanout <= widgets, "a push cannot concern so many widgets")
        self.widgets = widgets
        self.fanout = fanout
        let rule = EventPattern(conditions: [.field("topic", [.equals(.parameter("topic"))])])
        let catalog = AppCatalog(apps: [
            AppDeclaration(
                app: "game",
                origins: [OriginDeclaration(origin: "api", perSecond: 1_000_000)],
                kinds: [KindDeclaration(kind: "kind", rule: rule, policy: policy)]
            )
        ])
        var limits = RouterLimits()
        limits.removeWorkLimits()
        driver = VirtualRouter(
            catalog,
            limits: limits,
            seed: seed,
            hashKey: HashKey(low: seed, high: 0),
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1_000),
                wall: WallTime(rawValue: 1_700_000_000_000)
            )
        )
        let publisher = HelloMessage(role: .publisher, app: "game", token: nil, name: "p")
        driver.open(Self.publisher, with: publisher)
        driver.open(
            Self.gateway,
            with: HelloMessage(role: .gateway, app: "game", token: nil, name: nil)
        )
        driver.settle()
        register(seed: seed)
    }

    /// Returns the bytes per widget of one part of the router's scheduling state.
    func perWidget(_ part: KeyPath<SchedulingMemory, Int>) -> Double {
        Double(driver.router.schedulingMemory[keyPath: part]) / Double(widgets)
    }

    /// Registers the widgets in random order, so that those of a topic are scattered in memory.
    private func register(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var topics = (0..<widgets).map { $0 / fanout }
        topics.shuffle(using: &random)
        for (number, topic) in topics.enumerated() {
            deviceSeq += 1
            let body =
                #"{"device":"d\#(number)","widgets":[{"id":"w","kind":"kind","#
                + #""configuration":{"topic":\#(topic)}}]}"#
            driver.receive(
                encodeFrame(.widgets, seq: deviceSeq, body: Array(body.utf8)),
                on: Self.gateway
            )
            if number % 1_000 == 0 { driver.settle() }
        }
        driver.settle()
    }

    // MARK: - Measuring

    /// Measures one round: the CPU per widget from the push to the RELOAD, in ns; and that from the
    /// push to the RELOAD after the spacing has passed, with its timer.
    func measure() throws -> (granted: Double, deferred: Double) {
        let reloadRequests = driver.router.counters.reloadRequests
        // After this time, budget and spacing allow a reload of each widget.
        driver.advance(.hours(2))
        driver.settle()
        let granted = pushAll()
        var deferred = pushAll()
        let decided = Int(driver.router.counters.reloadRequests - reloadRequests)
        if decided != 2 * widgets {
            throw BenchFailure("\(decided) of \(2 * widgets) widgets were decided on")
        }
        // Deferred reloads are due one after another, as far apart as their pushes were.
        let rest = span + Self.pause
        driver.advance(.minutes(5) - rest)
        deferred += perWidget {
            let end = driver.now.monotonic + rest + .seconds(1)
            while driver.now.monotonic < end {
                driver.advance(Self.tick)
                driver.settle()
            }
        }
        answerAll()
        return (granted, deferred)
    }

    /// Answers all reloads, as devices do, with timelines that ask for no other.
    private func answerAll() {
        for number in 0..<widgets {
            deviceSeq += 1
            let body = #"{"device":"d\#(number)","widget":"w","entries":[],"policy":"never"}"#
            let frame = encodeFrame(.timeline, seq: deviceSeq, body: Array(body.utf8))
            driver.receive(frame, on: Self.gateway)
            if number % 256 == 0 { driver.settle() }
        }
        driver.settle()
    }

    /// Pushes once to every widget, and returns the CPU time per widget, in ns. The origin's rate,
    /// a million a second, delays nothing.
    private func pushAll() -> Double {
        var reads: [[UInt8]] = []
        for first in stride(from: 0, to: topics, by: Self.readLength) {
            var read: [UInt8] = []
            for topic in first..<min(first + Self.readLength, topics) {
                pushSeq += 1
                let body = #"{"topic":\#(topic),"event":"level-up","level":30,"health":0.75}"#
                read += encodeFrame(.push, seq: pushSeq, body: Array(body.utf8))
            }
            reads.append(read)
        }
        return perWidget {
            for read in reads {
                driver.receive(read, on: Self.publisher)
                driver.advance(Self.tick)
                driver.settle()
            }
            driver.advance(Self.pause)
            driver.settle()
        }
    }

    /// Runs `body`, and returns the CPU time of the thread per widget, in ns.
    private func perWidget(_ body: () -> Void) -> Double {
        let start = Nanoseconds.threadCPU
        body()
        return (.threadCPU - start).inNanoseconds / Double(widgets)
    }
}
