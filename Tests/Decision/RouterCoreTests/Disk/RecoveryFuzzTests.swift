import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// Bytes with the right checksums and the wrong content: nobody writes them, and a store that an
/// operator has repaired, or a fault of our own, may have them all the same.
@Suite("Damaged content of a store")
struct RecoveryFuzzTests {
    @Test("is refused or makes a router that works", arguments: Array(1...12) as [UInt64])
    func table(seed: UInt64) {
        verify(seed, salt: 1_000) { records, key, random in
            records[key] = Self.damage(records[key]!, &random)
        }
    }

    @Test(
        "under the key of another record is refused or makes a router that works",
        arguments: Array(1...12) as [UInt64]
    )
    func keys(seed: UInt64) {
        verify(seed, salt: 3_000) { records, key, random in
            let body = records.removeValue(forKey: key)!
            records[Self.damage(key, &random)] = body
        }
    }

    /// Damages one record of a state, again and again another one.
    private func verify(
        _ seed: UInt64,
        salt: UInt64,
        _ damage: (inout [TableKey: [UInt8]], TableKey, inout SeededGenerator) -> Void
    ) {
        let (image, _) = Self.play(seed)
        var random = SeededGenerator(seed: seed &+ salt)
        var refused = 0
        for _ in 0..<150 {
            var records = Self.inParts(image.records, &random)
            damage(&records, random.pick(records.keys.sorted()), &random)
            if !Self.survives(records, [], &random) { refused += 1 }
        }
        #expect(refused > 100, "seed \(seed) says little")
    }

    @Test(
        "of the journal is refused or makes a router that works",
        arguments: Array(1...12) as [UInt64]
    )
    func journal(seed: UInt64) throws {
        let (_, journal) = Self.play(seed)
        var random = SeededGenerator(seed: seed &+ 2_000)
        var refused = 0
        for _ in 0..<60 {
            var bodies = journal
            let index = random.below(bodies.count)
            bodies[index] = Self.damage(bodies[index], &random)
            if !Self.survives([:], bodies, &random) { refused += 1 }
        }
        #expect(refused > 10, "seed \(seed) says little")
    }

    @Test(
        "of one of several partitions is refused or makes a router that works",
        arguments: Array(1...8) as [UInt64]
    )
    func partitions(seed: UInt64) {
        let simulation = HomeRuleSimulation(seed: seed)
        for _ in 0..<200 { simulation.act() }
        let (partition, image, journal) = simulation.remains(of: Int(seed % 3))
        var random = SeededGenerator(seed: seed &+ 4_000)
        var refused = 0
        for round in 0..<60 {
            var records: [TableKey: [UInt8]] = [:]
            var bodies: [[UInt8]] = []
            if round % 2 == 0 {
                records = image.records
                let key = random.pick(records.keys.filter { $0.type > 13 || $0.type < 6 }.sorted())
                records[key] = Self.damage(records[key]!, &random)
            } else {
                bodies = journal
                let index = random.below(bodies.count)
                bodies[index] = Self.damage(bodies[index], &random)
            }
            if !Self.survives(records, bodies, of: partition, seed: 5, &random) { refused += 1 }
        }
        #expect(refused > 20, "seed \(seed) says little")
        #expect(Self.survives(image.records, [], of: partition, seed: 5, &random))
        #expect(Self.survives([:], journal, of: partition, seed: 5, &random))
    }

    // MARK: - Material

    private static let limits = RouterLimits()

    /// A router's state and journal after some random life.
    private static func play(_ seed: UInt64) -> (StateImage, [[UInt8]]) {
        var run: StoreRun?
        let simulation = SchedulingSimulation(seed: seed) { limits in
            run = StoreRun(limits: limits, seed: seed)
            return run!
        }
        for _ in 0..<200 { simulation.act() }
        #expect(simulation.problem == nil, "seed \(seed)")
        return (StateImage(simulation.harness.router.router), run!.journal)
    }

    /// The records of origins in parts, as a checkpoint writes them.
    private static func inParts(
        _ records: [TableKey: [UInt8]],
        _ random: inout SeededGenerator
    ) -> [TableKey: [UInt8]] {
        var parts: [TableKey: [UInt8]] = [:]
        for (key, body) in records.sorted(by: { $0.key < $1.key }) {
            var (key, rest) = (key, body[...])
            while key.type == 5 && key.part < 3 && random.below(3) > 0 {
                let count = random.below(rest.count + 1)
                parts[key] = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                key.part += 1
            }
            parts[key] = Array(rest)
        }
        return parts
    }

    private static func damage(_ key: TableKey, _ random: inout SeededGenerator) -> TableKey {
        let numbers: [UInt32] = [0, 1, 63, 64, 1 << 26, .max - 1, .max, key.number ^ 1]
        var key = key
        switch random.below(4) {
        case 0: key.type = UInt8(random.below(14))
        case 1: key.number = random.pick(numbers)
        case 2: key.epoch = random.pick([0, 2, .max])
        default: key.part = random.pick([1, 2, .max])
        }
        return key
    }

    private static func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        if bytes.isEmpty { return random.bytes(1 + random.below(20)) }
        switch random.below(4) {
        case 0: bytes.removeSubrange(random.below(bytes.count)...)
        case 1:
            let start = random.below(bytes.count)
            bytes.insert(contentsOf: random.bytes(1 + random.below(9)), at: start)
        case 2:
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = random.bytes(1)[0] }
        default: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        }
        return bytes
    }

    /// Makes a router of the records and lets it work; false if they are refused.
    private static func survives(
        _ records: [TableKey: [UInt8]],
        _ journal: [[UInt8]],
        of partition: Partition = .only,
        seed: UInt64 = 1,
        _ random: inout SeededGenerator
    ) -> Bool {
        let store = SimulatedStore()
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: seed,
            partition: partition
        )
        do throws(StoreError) {
            try fill(store, records, journal, partition: partition)
            _ = try router.recover(from: store)
        } catch {
            #expect([.corrupt, .older, .newer, .partitions].contains(error.code), "\(error)")
            return false
        }
        work(router)
        return true
    }

    static func fill(
        _ store: SimulatedStore,
        _ records: [TableKey: [UInt8]],
        _ journal: [[UInt8]],
        version: UInt32 = StateRecord.version,
        partition: Partition = .only
    ) throws(StoreError) {
        var changes = TableChanges()
        for (key, body) in records {
            changes.put(key) { writer in for byte in body { writer.put(byte) } }
        }
        if !records.isEmpty {
            changes.put(TableKey(type: 0, number: 0, epoch: 1)) { writer in
                StoreManifest(
                    epoch: 1,
                    position: 0,
                    checksum: 0,
                    version: version,
                    partition: partition
                ).write(to: &writer)
            }
        }
        try store.write(changes)
        try store.seal()
        var checksum: UInt64 = 0
        for (index, body) in journal.enumerated() {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            for byte in body { writer.put(byte) }
            let position = UInt64(index) + 1
            checksum = JournalRecord.end(&writer, from: start, position: position, parent: checksum)
            try store.append(writer.bytes, from: position, isSynced: true)
        }
    }

    /// A day passes, and a device connects and asks for everything.
    private static func work(_ router: consuming Router) {
        let driver = VirtualRouter(
            router,
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1 << 40),
                wall: WallTime(rawValue: 1 << 42)
            )
        )
        let catalog = AppCatalog.of([.character()], [])
        let former = driver.router.state.reloads.catalog.revision
        let revision = driver.router.partition.isOnly ? 0 : former + 1
        if revision == .max { return }
        driver.router.install(catalog, source: catalog.source, revision: revision)
        driver.open(0, with: HelloMessage(role: .publisher, app: "game", token: nil, name: "p"))
        driver.open(1, with: HelloMessage(role: .gateway, app: "game", token: nil, name: nil))
        for seq in 1...6 as ClosedRange<UInt64> {
            let body = #"{"device":"d\#(seq - 1)"}"#
            driver.receive(encodeFrame(.request, seq: seq, body: Array(body.utf8)), on: 1)
            let payload = Array(#"{"character":"kit","hp":\#(seq)}"#.utf8)
            driver.receive(encodeFrame(.push, seq: 1_000_000 + seq, body: payload), on: 0)
            for _ in 0..<20 {
                driver.settle()
                driver.router.journalTaken()
                driver.advance(600_000)
            }
        }
        driver.router.beginCheckpoint()
        var changes = TableChanges()
        _ = driver.router.writeCheckpoint(&changes, limit: .max)
    }
}
