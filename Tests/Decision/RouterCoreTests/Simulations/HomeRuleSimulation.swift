import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing
import WidgetMatching

@testable import RouterCore

/// Three partitions, two of which are homes of producers, and forward their pushes to all: with
/// fan-outs, for which a producer waits while others pass, and crashes of one partition or of all,
/// which lose what is behind the last ACK in the log.
///
/// The routers are real, and so are their logs. What a link between partitions remembers is played
/// here: which pushes have come that nothing is recorded of.
final class HomeRuleSimulation {
    /// A push that a home has accepted.
    private struct Push {
        /// Of all pushes; those of one producer rise.
        var id: Int
        var producer: Int
        var source: HomeProducer
        var body: [UInt8]
    }

    private final class Party {
        var harness: RouterHarness
        /// The pushes of each home that it has evaluated, of which nothing need be recorded.
        var done: [Set<UInt64>] = [[], []]
        /// Up to where each home has said that all have evaluated its pushes.
        var base: [UInt64] = [0, 0]
        /// The pushes of each home that are on their way.
        var links: [[UInt64]] = [[], []]
        /// The pushes of each producer that wait for its fan-out.
        var parked: [Int: [(home: Int, number: UInt64)]] = [:]
        /// The records of its table, and how long the log was then.
        var checkpoint: (records: [TableKey: [UInt8]], position: Int)?

        init(_ harness: RouterHarness) { self.harness = harness }
    }

    private static let count = 3
    private static let homes = 0..<2
    private static let producers = 0..<4
    private static let seed: UInt64 = 5

    private let isNaive: Bool
    private var random: SeededGenerator
    private var parties: [Party] = []
    /// The records of all partitions, in their order.
    private var log: [(partition: Int, body: [UInt8])] = []
    /// How much of the log a crash keeps at least: an ACK depends on it.
    private var durable = 0
    /// By home: its pushes, of which the first has number 1.
    private var pushes: [[Push]] = [[], []]
    /// By producer: what is sent and not acknowledged.
    private var unacknowledged: [[(seq: UInt64, id: Int)]] = Array(repeating: [], count: 4)
    private var acknowledged: Set<Int> = []
    /// The partitions whose widgets a push matches, by its id.
    private var matches: [Set<Int>] = []
    private let names: [[UInt8]]
    private(set) var fanOutCount = 0
    private(set) var lostCount = 0
    private(set) var skippedCount = 0

    /// - Parameters:
    ///   - seed: of everything.
    ///   - isNaive: whether a partition takes all pushes up to the last one for evaluated.
    init(seed: UInt64, isNaive: Bool = false) {
        self.isNaive = isNaive
        random = SeededGenerator(seed: seed)
        let map = PartitionMap(count: Self.count, seed: DecisionSeed(Self.seed))
        names = Self.producers.map { producer in
            Self.name("producer-\(producer)") { app, name in
                map.home(app: app, producer: name).index == producer % 2
            }
        }
        for number in 0..<Self.count {
            let partition = Partition(PartitionID(index: number), of: Self.count)
            let harness = RouterHarness(
                catalog: AppCatalog(apps: []),
                seed: Self.seed,
                partition: partition
            ) { $0.matchesPerStep = 2 }
            harness.router.startJournal()
            harness.router.install(.game, source: AppCatalog.game.source, revision: 1)
            parties.append(Party(harness))
            let device = Self.name("device") { app, name in
                map.partition(app: app, device: name).index == number
            }
            let gateway = harness.connect(.gateway)
            let widgets = (0..<6).map { index in
                TestWidget.character("w\(index)", index == 0 ? "p\(number)" : "many\(number)")
            }
            harness.widgets(gateway, String(decoding: device, as: UTF8.self), widgets)
            _ = harness.settle()
            record(number)
        }
        connectPublishers()
        durable = log.count
    }

    /// The first name with this beginning of which something holds.
    private static func name(
        _ beginning: String,
        where isWanted: (_ app: ByteView, _ name: ByteView) -> Bool
    ) -> [UInt8] {
        for number in 0... {
            let name = Array("\(beginning)-\(number)".utf8)
            let isFound = Array("game".utf8).withByteView { app in
                name.withByteView { isWanted(app, $0) }
            }
            if isFound { return name }
        }
        return []
    }

    // MARK: - Acts

    func act() {
        switch random.below(200) {
        case 0..<50: push(by: random.below(Self.producers.count))
        case 50..<160: deliver(to: random.below(Self.count), from: random.below(2))
        case 160..<176: resume(random.below(Self.count))
        case 176..<190: acknowledge(random.below(2))
        case 190: checkpoint(random.below(Self.count))
        case 191..<195:
            let number = random.below(Self.count)
            restart(number)
            for home in Self.homes { forward(from: home, to: number) }
            connectPublishers()
        case 195..<197:
            let home = random.below(2)
            for number in 0..<Self.count { forward(from: home, to: number) }
        default: crash()
        }
    }

    /// Everything that is on its way comes, and every fan-out ends.
    func settle() {
        for home in Self.homes {
            for number in 0..<Self.count { forward(from: home, to: number) }
        }
        while !isAtRest {
            for number in 0..<Self.count {
                for home in Self.homes { deliver(to: number, from: home) }
                resume(number)
            }
        }
    }

    private var isAtRest: Bool {
        parties.allSatisfy { party in
            party.links.allSatisfy(\.isEmpty) && party.parked.values.allSatisfy(\.isEmpty)
                && !party.harness.router.isFanningOut
        }
    }

    private func push(by producer: Int) {
        let id = matches.count
        var partitions: Set<Int> = []
        var characters: [String] = []
        for number in 0..<Self.count where random.below(5) < 2 {
            partitions.insert(number)
            // The widgets of a fan-out's push.
            characters.append(random.below(3) == 0 ? "many\(number)" : "p\(number)")
        }
        matches.append(partitions)
        send(id, by: producer, seq: lastSeq(of: producer) + 1, characters: characters)
    }

    private var payloads: [Int: [UInt8]] = [:]

    private func send(_ id: Int, by producer: Int, seq: UInt64, characters: [String]) {
        payloads[id] = Array(#"{"id":\#(id),"character":\#(characters)}"#.utf8)
        send(id, by: producer, seq: seq)
    }

    private func send(_ id: Int, by producer: Int, seq: UInt64) {
        let home = producer % 2
        let source = source(of: producer)
        let body = payloads[id]!
        let number = body.withByteView { view in
            let push = AcceptedPush(seq: seq, flags: 0, body: view)
            return parties[home].harness.router.accept([push].span, of: source.producer)
        }
        record(home)
        pushes[home].append(Push(id: id, producer: producer, source: source, body: body))
        #expect(number == UInt64(pushes[home].count))
        unacknowledged[producer].append((seq, id))
        for party in parties { party.links[home].append(UInt64(pushes[home].count)) }
    }

    private func deliver(to number: Int, from home: Int) {
        let party = parties[number]
        if party.links[home].isEmpty { return }
        let push = party.links[home].removeFirst()
        if isEvaluated(push, of: home, by: party) {
            skippedCount += 1
            return
        }
        let (producer, source) = producer(of: push, at: home)
        let waits = party.parked[producer]?.isEmpty == false
        if waits || party.harness.router.isFanningOut(source) {
            party.parked[producer, default: []].append((home, push))
        } else {
            evaluate(push, of: home, by: number)
        }
    }

    private func evaluate(_ number: UInt64, of home: Int, by index: Int) {
        let party = parties[index]
        // One that has waited may have come again meanwhile, by a link that has begun anew.
        if isEvaluated(number, of: home, by: party) { return }
        party.done[home].insert(number)
        let floor = isNaive ? max(number, floor(of: home, by: party)) : end(of: home, by: party)
        let push = pushes[home][Int(number) - 1]
        push.body.withByteView { view in
            let forwarded = ForwardedPush(number: number, flags: 0, body: view)
            party.harness.router.tick(party.harness.now)
            party.harness.router.evaluate([forwarded].span, of: push.source, upTo: floor)
            while party.harness.router.isSearching { _ = party.harness.step() }
        }
        if party.harness.router.isFanningOut(push.source) { fanOutCount += 1 }
        record(index)
    }

    /// A portion of a fan-out is delivered; pushes that have waited for it are evaluated.
    private func resume(_ index: Int) {
        let party = parties[index]
        party.harness.advance(1)
        _ = party.harness.step()
        record(index)
        for producer in Self.producers {
            while let (home, number) = party.parked[producer]?.first,
                !party.harness.router.isFanningOut(self.producer(of: number, at: home).source)
            {
                party.parked[producer]!.removeFirst()
                evaluate(number, of: home, by: index)
            }
        }
    }

    /// The log is on the disk, so ACKs leave; what all have evaluated may be settled.
    private func acknowledge(_ home: Int) {
        durable = log.count
        if random.below(2) == 0 {
            let number = parties.map { end(of: home, by: $0) }.min()!
            parties[home].harness.router.settle(upTo: number)
            record(home)
        }
        for producer in Self.producers where producer % 2 == home {
            for push in unacknowledged[producer] { acknowledged.insert(push.id) }
            unacknowledged[producer] = []
        }
    }

    // MARK: - What is evaluated

    private func isEvaluated(_ number: UInt64, of home: Int, by party: Party) -> Bool {
        number <= party.base[home] || party.done[home].contains(number)
            || party.harness.router.isEvaluated(number, of: PartitionID(index: home))
    }

    private func floor(of home: Int, by party: Party) -> UInt64 {
        party.harness.router.state.publishers.evaluated[home].floor
    }

    /// Up to where a partition has evaluated all pushes of a home.
    private func end(of home: Int, by party: Party) -> UInt64 {
        var number = max(floor(of: home, by: party), party.base[home])
        while isEvaluated(number + 1, of: home, by: party) { number += 1 }
        return number
    }

    private func producer(
        of number: UInt64,
        at home: Int
    ) -> (producer: Int, source: HomeProducer) {
        let push = pushes[home][Int(number) - 1]
        return (push.producer, push.source)
    }

    private func source(of producer: Int) -> HomeProducer {
        let home = producer % 2
        let number = names[producer].withByteView {
            parties[home].harness.router.state.publishers.producers.find(of: 0, named: $0)
        }
        return HomeProducer(home: PartitionID(index: home), producer: number!, app: 0)
    }

    private func lastSeq(of producer: Int) -> UInt64 {
        let home = producer % 2
        let number = source(of: producer).producer
        return parties[home].harness.router.state.publishers.producers[number].lastSeq
    }

    // MARK: - Crashes

    private func record(_ index: Int) {
        let body = parties[index].harness.router.journalBytes.array
        parties[index].harness.router.journalTaken()
        if !body.isEmpty { log.append((index, body)) }
    }

    private func checkpoint(_ index: Int) {
        let party = parties[index]
        if party.harness.router.isFanningOut { return }
        party.checkpoint = (StateImage(party.harness.router).records, log.count)
    }

    /// All partitions end, and lose what is behind the last ACK, or some of it.
    private func crash() {
        let end = durable + random.below(log.count - durable + 1)
        lostCount += log.count - end
        log.removeSubrange(end...)
        for party in parties where party.checkpoint?.position ?? 0 > end { party.checkpoint = nil }
        for index in 0..<Self.count { restart(index) }
        for home in Self.homes {
            let last = parties[home].harness.router.state.publishers.unsettled.last
            pushes[home].removeSubrange(Int(last)...)
        }
        connectPublishers()
        for home in Self.homes {
            for index in 0..<Self.count { forward(from: home, to: index) }
        }
        for producer in Self.producers { resendOrBeginAnew(producer) }
    }

    /// A partition ends, and comes back from its checkpoint and its part of the log.
    private func restart(_ index: Int) {
        let party = parties[index]
        let (limits, partition) = (party.harness.router.limits, party.harness.router.partition)
        let store = SimulatedStore()
        let position = party.checkpoint?.position ?? 0
        let records = party.checkpoint?.records ?? [:]
        let bodies = log[position...].filter { $0.partition == index }.map(\.body)
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: Self.seed,
            partition: partition
        )
        do throws(StoreError) {
            try RecoveryFuzzTests.fill(store, records, bodies, partition: partition)
            _ = try router.recover(from: store)
        } catch {
            Issue.record("partition \(index): \(error)")
        }
        party.harness.router = router
        party.done = [[], []]
        party.base = [0, 0]
        party.parked = [:]
        record(index)
    }

    /// Publishers connect to the homes that have lost their sessions.
    private func connectPublishers() {
        for producer in Self.producers {
            let harness = parties[producer % 2].harness
            let name = String(decoding: names[producer], as: UTF8.self)
            let known = names[producer].withByteView {
                harness.router.state.publishers.producers.find(of: 0, named: $0)
            }
            if let known, harness.router.state.publishers.producers[known].hasSession { continue }
            _ = harness.connect(.publisher, name)
            record(producer % 2)
        }
    }

    private func forward(from home: Int, to index: Int) {
        let settled = parties[home].harness.router.state.publishers.unsettled.settled
        parties[index].base[home] = max(parties[index].base[home], settled)
        let numbers = settled..<UInt64(pushes[home].count)
        parties[index].links[home] = numbers.map { $0 + 1 }
        // What the home keeps is what it has accepted.
        var entries = parties[home].harness.router.state.publishers.unsettled.entries(
            after: settled
        )
        for number in numbers {
            let isSame = entries.next()?.push.body.array == pushes[home][Int(number)].body
            #expect(isSame, "push \(number + 1) of home \(home) is kept")
        }
    }

    /// After WELCOME: a publisher sends again what is lost, or begins anew with its next number.
    private func resendOrBeginAnew(_ producer: Int) {
        let last = lastSeq(of: producer)
        let sent = unacknowledged[producer]
        unacknowledged[producer] = []
        if random.below(2) == 0 { return }
        for push in sent where push.seq <= last { acknowledged.insert(push.id) }
        // What is known there is acknowledged by WELCOME, so it is not lost any more.
        durable = log.count
        for push in sent where push.seq > last { send(push.id, by: producer, seq: push.seq) }
    }

    // MARK: - What has come of it

    /// What is wrong at the end; nil if every acknowledged push was applied once, in order, by each
    /// partition that it matches.
    func problem() -> String? {
        for index in 0..<Self.count {
            let applied = applied(by: index)
            if Set(applied.map(\.id)).count != applied.count {
                return "partition \(index) has applied a push twice"
            }
            for producer in Self.producers {
                let ids = applied.filter { $0.producer == producer }.map(\.id)
                if ids != ids.sorted() {
                    return "partition \(index) has applied pushes of \(producer) out of order"
                }
            }
            let lost = acknowledged.filter { matches[$0].contains(index) }
                .subtracting(applied.map(\.id))
            if !lost.isEmpty { return "partition \(index) has lost \(lost.sorted())" }
            if let problem = difference(of: index) { return problem }
        }
        return nil
    }

    /// A partition with its state, and its part of the log.
    func remains(of index: Int) -> (partition: Partition, image: StateImage, journal: [[UInt8]]) {
        let harness = parties[index].harness
        return (
            harness.router.partition, StateImage(harness.router),
            log.filter { $0.partition == index }.map(\.body)
        )
    }

    /// The pushes that a partition has applied, by what its log says.
    private func applied(by index: Int) -> [(id: Int, producer: Int)] {
        var applied: [(home: Int, number: UInt64)] = []
        var batch: [(home: Int, number: UInt64)] = []
        for (partition, body) in log where partition == index {
            body.withByteView { view in
                var reader = InputReader(view)
                var isAtEnd = false
                while !isAtEnd {
                    let isNext = try? reader.next { input in
                        switch input {
                        case .matched(.home(let source), _, let pushes, _):
                            for push in pushes.indices {
                                batch.append((source.home.index, pushes[push].number))
                            }
                        case .batchEnded:
                            applied += batch
                            batch = []
                        case .restarted: batch = []
                        default: break
                        }
                        return nil
                    }
                    isAtEnd = isNext != true
                }
            }
        }
        return applied.map { entry in
            let push = pushes[entry.home][Int(entry.number) - 1]
            return (push.id, push.producer)
        }
    }

    /// How a router that follows the whole log differs from the one that has written it.
    private func difference(of index: Int) -> String? {
        let harness = parties[index].harness
        let replica = JournalReplica(
            limits: harness.router.limits,
            seed: Self.seed,
            partition: harness.router.partition
        )
        for (partition, body) in log where partition == index {
            body.withByteView { replica.follow($0) }
        }
        harness.checkInvariants()
        return replica.difference(from: harness.router)
    }
}
