import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// Publishers that come, push and go at random, with little room and little patience, against a
/// model of what is kept of each.
private struct ProducerSimulation {
    private struct Producer {
        var lastSeq: UInt64 = 0
        var slot: ConnectionSlot?
        /// When it became idle, on the clock that only runs with the process.
        var idleSince: Int64 = 0
    }

    static let idle: Int64 = 10_000
    static let perApp = 4
    static let total = 6

    let harness: RouterHarness
    private(set) var problem: String?
    private(set) var forgottenCount = 0
    private(set) var refusedCount = 0
    private(set) var restartCount = 0
    private var random: SeededGenerator
    private var known: [String: Producer] = [:]
    private var time: Int64 = 0

    init(seed: UInt64, restarts: Bool) throws {
        random = SeededGenerator(seed: seed)
        harness = RouterHarness(seed: seed) { limits in
            limits.producers = Self.total
            limits.producersPerApp = Self.perApp
            limits.producerIdle = Milliseconds(rawValue: Self.idle)
        }
        if restarts {
            try harness.keepStore(.game, StoreRun(limits: harness.router.limits, seed: seed))
        } else {
            harness.keepJournal(.game, seed: seed)
        }
    }

    mutating func act() throws {
        switch random.below(10) {
        case 0..<5: connect()
        case 5..<8: close()
        default: pass(Int64(random.below(4_000)))
        }
        if random.below(4) == 0 {
            forgetModel(atMost: .max)
            _ = harness.sweep(isHeard: false)
        }
        _ = harness.step()
        if let replica = harness.replica, let difference = replica.difference(from: harness.router)
        {
            problem = problem ?? difference
        }
        let count = harness.router.totals.stored.producers
        if count != known.count {
            problem = problem ?? "\(count) are known, and not \(known.count)"
        }
        if harness.store != nil && random.below(30) == 0 { try restart() }
    }

    private mutating func pass(_ milliseconds: Int64) {
        harness.advance(milliseconds)
        time += milliseconds
        // The wall clock is of no use.
        if random.below(5) == 0 {
            harness.now.wall += Milliseconds(random.below(2_000_000) - 1_000_000)
        }
        // A turn in which something is written counts the time; so that it is known from when on.
        touch()
    }

    /// Begins a session that is none of a producer.
    private mutating func touch() {
        let slot = harness.connect(.gateway)
        harness.close(slot)
        _ = harness.step()
    }

    private mutating func forgetModel(atMost most: Int) {
        let idle = known.filter { $0.value.slot == nil && time - $0.value.idleSince >= Self.idle }
        let oldest = idle.sorted { $0.value.idleSince < $1.value.idleSince }.prefix(most)
        for producer in oldest { known[producer.key] = nil }
        forgottenCount += oldest.count
    }

    private mutating func connect() {
        let app = random.below(2) == 0 ? "game" : "news"
        let name = "p\(random.below(6))"
        let key = "\(app)/\(name)"
        func hasRoom(_ known: [String: Producer]) -> Bool {
            known.count < Self.total && known.keys.count { $0.hasPrefix(app) } < Self.perApp
        }
        if known[key] == nil && !hasRoom(known) { forgetModel(atMost: .max) }
        let isTaken = known[key] != nil || hasRoom(known)
        let slot = harness.open()
        harness.hello(slot, .publisher, name, app: app, token: app == "news" ? "pub" : nil)
        let sent = harness.step()
        let lastSeq = known[key]?.lastSeq ?? 0
        let isWelcome = sent.contains {
            guard case .welcome(slot, let body) = $0 else { return false }
            return body.hasSuffix(#""lastSeq":\#(lastSeq)}"#)
        }
        if isWelcome != isTaken { problem = problem ?? "\(key): \(sent), and not \(isTaken)" }
        if !isTaken {
            refusedCount += 1
            return harness.close(slot)
        }
        if let former = known[key]?.slot { harness.close(former) }
        var producer = known[key] ?? Producer()
        producer.slot = slot
        if random.below(2) == 0 {
            producer.lastSeq += 1
            harness.push(slot, producer.lastSeq, "{}")
        }
        known[key] = producer
        _ = harness.step()
    }

    private mutating func close() {
        let open = known.filter { $0.value.slot != nil }.keys.sorted()
        if open.isEmpty { return }
        let key = open[random.below(open.count)]
        harness.close(known[key]!.slot!)
        known[key]!.slot = nil
        known[key]!.idleSince = time
    }

    private mutating func restart() throws {
        restartCount += 1
        try harness.restart()
        for key in known.keys where known[key]!.slot != nil {
            known[key]!.slot = nil
            known[key]!.idleSince = time
        }
        // For as long as no process is there, nobody is idle.
        harness.advance(Int64(random.below(1_000_000)))
        touch()
    }
}

@Suite("Simulated, producers")
struct ProducerSimulationTests {
    @Test(
        "are kept as the model keeps them, and as a replica that reads the journal does",
        arguments: seeds(16)
    )
    func replica(seed: UInt64) throws {
        let simulation = try played(seed, restarts: false)
        #expect(simulation.refusedCount > 20, "seed \(seed) says little")
    }

    @Test(
        "are kept so over restarts from checkpoints and journals",
        arguments: seeds(16)
    )
    func restarts(seed: UInt64) throws {
        let simulation = try played(seed, restarts: true)
        #expect(simulation.restartCount > 3, "seed \(seed) says little")
    }

    /// A simulation after 400 acts, or after the first that breaks a rule, which is recorded.
    private func played(_ seed: UInt64, restarts: Bool) throws -> ProducerSimulation {
        var simulation = try ProducerSimulation(seed: seed, restarts: restarts)
        for act in 1...400 where simulation.problem == nil {
            try simulation.act()
            if let problem = simulation.problem {
                Issue.record("seed \(seed), act \(act): \(problem)")
            }
        }
        #expect(simulation.forgottenCount > 10, "seed \(seed) says little")
        return simulation
    }
}
