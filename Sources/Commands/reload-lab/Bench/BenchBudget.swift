import ArgumentParser
import DataStructures
import FrameCodec
import LoadReporting
import Platform
import ReloadModel
import RouterCore
import Times

/// `bench budget`: measures what a decision costs in addition to the match: the budget, the
/// spacing, the permit at the origin and the timers.
struct BenchBudget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Decide on 1,000,000 widgets repeatedly, in this process.",
        discussion: """
            Each device has one widget, each push matches some widgets at random places; the time \
            is from the push's frame to the RELOADs that are ready to be written. The reference \
            does the same with kinds that keep no budget and have no origin: the difference is the \
            cost of the decision. granted: budget and spacing allow the reload, which waits for a \
            permit at the origin. deferred: spacing does not allow it, a timer is set, and when it \
            fires the reload waits for a permit. timeline: a TIMELINE frame with a date, its slot \
            and its timer, next to one with the policy never. The figures are CPU of the thread \
            per widget, medians of rounds, both sides alternately.
            """
    )

    @OptionGroup var options: BenchRounds

    @Option(help: "Number of widgets, each on its own device.")
    var widgets = 1_000_000

    @Option(help: "Number of widgets that a push matches.")
    var fanout = 100

    @Option(help: "Seed for the widgets' places.")
    var seed: UInt64 = 1

    func validate() throws {
        if !(1_000...10_000_000).contains(widgets) {
            throw ValidationError("--widgets is \(widgets); it must be from 1000 to 10000000")
        }
        let most = min(10_000, widgets)
        if !(1...most).contains(fanout) {
            throw ValidationError("--fanout is \(fanout); it must be from 1 to \(most)")
        }
    }

    func run() throws {
        let rounds = options.count(otherwise: 5)
        printProgress("registering \(widgets) widgets, twice")
        let plain = BenchBudgetRun(policy: .plain, widgets: widgets, fanout: fanout, seed: seed)
        let decided = BenchBudgetRun(policy: .usual, widgets: widgets, fanout: fanout, seed: seed)
        var rows: [BenchBudgetRound] = []
        var references: [BenchBudgetRound] = []
        for round in 1...rounds {
            printProgress("round \(round) of \(rounds)")
            references.append(try plain.measure())
            rows.append(try decided.measure())
        }
        var report = BenchReport(json: options.json)
        add(
            "granted",
            of: rows.map(\.granted),
            beside: references.map(\.granted),
            aim: 300,
            to: &report
        )
        add(
            "deferred",
            of: rows.map(\.deferred),
            beside: references.map(\.granted),
            aim: 300,
            to: &report
        )
        add("timeline", of: rows.map(\.timeline), beside: rows.map(\.never), aim: nil, to: &report)
        let state = Double(SchedulingMemory.bytesPerWidget)
        report.add("budget.state", value: state, unit: "bytes/widget", aim: .value(64))
        report.add("budget.timers", value: decided.perWidget(\.timers), unit: "bytes/widget")
        report.add("budget.slots", value: decided.perWidget(\.slots), unit: "bytes/widget")
        report.add("budget.reasons", value: decided.perWidget(\.decisions), unit: "bytes/widget")
        report.print()
    }

    private func add(
        _ name: String,
        of rows: [Double],
        beside references: [Double],
        aim: Double?,
        to report: inout BenchReport
    ) {
        let (value, reference) = (median(rows), median(references))
        report.add("budget.\(name)", value: value, unit: "ns/widget", reference: reference)
        report.add(
            "budget.\(name).decision",
            value: value - reference,
            unit: "ns/widget",
            aim: aim.map { .value($0) }
        )
    }
}

/// The results of one round, in ns of the thread's CPU per widget.
struct BenchBudgetRound {
    /// From the push to the RELOAD.
    var granted = 0.0
    /// From the push to the RELOAD after the spacing has passed, with its timer.
    var deferred = 0.0
    /// Handling a TIMELINE with a date.
    var timeline = 0.0
    /// Handling a TIMELINE without a date.
    var never = 0.0
}

extension KindPolicy {
    /// A policy under which every match leads to a RELOAD at once: no budget and no origin.
    fileprivate static var plain: KindPolicy {
        var policy = KindPolicy()
        policy.budget = .unlimited
        return policy
    }

    /// WidgetKit's budget, and an origin with a rate.
    fileprivate static var usual: KindPolicy {
        var policy = KindPolicy()
        policy.origin = "api"
        return policy
    }
}

/// A router in this process, all of whose widgets have the same policy.
final class BenchBudgetRun {
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

    /// Measures one round.
    ///
    /// - Throws: `BenchFailure` if one of the two series of pushes did not match every widget.
    func measure() throws -> BenchBudgetRound {
        var round = BenchBudgetRound()
        let reloadRequests = driver.router.counters.reloadRequests
        // After this time, budget and spacing allow a reload of each widget.
        driver.advance(.hours(2))
        driver.settle()
        round.granted = pushAll()
        round.deferred = pushAll()
        let decided = Int(driver.router.counters.reloadRequests - reloadRequests)
        if decided != 2 * widgets {
            throw BenchFailure("\(decided) of \(2 * widgets) widgets were decided on")
        }
        // Deferred reloads are due one after another, as far apart as their pushes were.
        let rest = span + Self.pause
        driver.advance(.minutes(5) - rest)
        round.deferred += perWidget {
            let end = driver.now.monotonic + rest + .seconds(1)
            while driver.now.monotonic < end {
                driver.advance(Self.tick)
                driver.settle()
            }
        }
        let dates = frames { [now = driver.now] in
            #"{"after":\#(now.wall + .hours(1) + .seconds(Int64($0 % 1_000)))}"#
        }
        round.timeline = perWidget { sendAll(dates) }
        let never = frames { _ in #""never""# }
        round.never = perWidget { sendAll(never) }
        return round
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

    /// Encodes a TIMELINE with a policy for each widget.
    private func frames(_ policy: (Int) -> String) -> [[UInt8]] {
        (0..<widgets).map { number in
            deviceSeq += 1
            let body =
                #"{"device":"d\#(number)","widget":"w","entries":[],"policy":"#
                + policy(number) + "}"
            return encodeFrame(.timeline, seq: deviceSeq, body: Array(body.utf8))
        }
    }

    private func sendAll(_ frames: [[UInt8]]) {
        for (number, frame) in frames.enumerated() {
            driver.receive(frame, on: Self.gateway)
            if number % 256 == 0 { driver.settle() }
        }
        driver.settle()
    }

    /// Runs `body`, and returns the CPU time of the thread per widget, in ns.
    private func perWidget(_ body: () -> Void) -> Double {
        let start = Nanoseconds.threadCPU
        body()
        return (.threadCPU - start).inNanoseconds / Double(widgets)
    }
}
