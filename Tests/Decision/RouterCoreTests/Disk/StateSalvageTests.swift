import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// What is kept of a store whose table lacks records, and what is said of the rest.
@Suite("A salvage")
struct StateSalvageTests {
    /// A router that was made of a salvage.
    struct Salvaged: ~Copyable {
        var router: Router
        let lost: SalvageLosses
        let namelessPushes: UInt64
        let problems: [StoreError]
    }

    static func key(_ number: UInt64) -> RequestKey {
        RequestKey(high: number &* 0x9e37_79b9_7f4a_7c15, low: UInt32(number), content: 7)
    }

    /// A router whose journal has everything from the beginning.
    func harness(_ catalog: AppCatalog = .game, padding: Int = 0) -> RouterHarness {
        let harness = RouterHarness(catalog: AppCatalog(apps: []))
        harness.router.startJournal()
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: padding)
        harness.router.install(catalog, source: catalog.source + spaces)
        return harness
    }

    func publisher(_ harness: RouterHarness) throws -> ConnectionSlot {
        let slot = harness.open()
        harness.close(slot)
        let now = harness.now
        _ = try harness.router.openPublisher(slot, app: "game", producer: "(http)", now: now)
        return slot
    }

    func begin(
        _ harness: RouterHarness,
        _ slot: ConnectionSlot,
        _ key: UInt64,
        _ seq: UInt64
    ) {
        _ = harness.router.beginRequest(slot, key: Self.key(key), firstSeq: seq, now: harness.now)
    }

    /// Lets a salvage read records of a table, and a journal of one record each.
    ///
    /// - Parameters:
    ///   - records: the table's.
    ///   - missing: records, or parts of long ones, that the table lacks.
    ///   - checkpoint: the position of the last record that is in the table; nil if the manifest
    ///     is missing.
    ///   - epoch: the checkpoint's number; the records are of the first one.
    ///   - journal: the bodies of the journal's records; an empty one is missing.
    ///   - first: the position of the first of them.
    ///   - began: the position of the first record that the journal had; nil if it is not known.
    ///   - last: the position of the last record that is known of; nil if none is missing.
    /// - Returns: a router that was made of it.
    /// - Throws: `StoreError`.
    func salvaged(
        _ records: [TableKey: [UInt8]],
        without missing: Set<TableKey> = [],
        checkpoint: UInt64? = 0,
        epoch: UInt32 = 1,
        journal: [[UInt8]] = [],
        from first: UInt64 = 1,
        began: UInt64? = nil,
        to last: UInt64? = nil
    ) throws -> Salvaged {
        var salvage = StateSalvage()
        var records = records
        if let checkpoint, !records.isEmpty {
            var writer = StoreWriter()
            writer.put(checkpoint)
            writer.put(0 as UInt64)
            writer.put(StateRecord.version)
            records[StoreManifest.key(epoch: epoch)] = writer.bytes.array
        }
        for (key, body) in records.sorted(by: { $0.key < $1.key }) {
            let starts = stride(from: 0, to: max(1, body.count), by: StateRecord.partLimit)
            for (part, start) in starts.enumerated() {
                var key = key
                key.part = UInt16(part)
                if missing.contains(key) { continue }
                let bytes = Array(body[start...].prefix(StateRecord.partLimit))
                bytes.withByteView { salvage.add(key, body: $0) }
            }
        }
        salvage.beginJournal(at: began)
        for (index, body) in journal.enumerated() where !body.isEmpty {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            for byte in body { writer.put(byte) }
            let position = first + UInt64(index)
            _ = JournalRecord.end(&writer, from: start, position: position, parent: 0)
            try writer.bytes.array.withByteView { bytes throws(StoreError) in
                var reader = StoreReader(bytes)
                salvage.add(try JournalRecord.read(&reader))
            }
        }
        if let last { salvage.endJournal(at: last) }
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, [:], try salvage.bodies())
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: store, checksAll: true)
        return Salvaged(
            router: router,
            lost: salvage.lost,
            namelessPushes: salvage.namelessPushes,
            problems: salvage.problems
        )
    }

    /// What the journal has, and nothing of it before the next call.
    func taken(_ harness: RouterHarness) -> [UInt8] {
        let bytes = harness.router.journalBytes.array
        harness.router.journalTaken()
        return bytes
    }

    // MARK: - Families

    @Test func `has a name for each digest of a family`() {
        for digest in 1...255 as ClosedRange<UInt8> {
            let name = FamilyDigest(rawValue: digest).name
            #expect(!name.isEmpty && name.utf8.count <= RouterLimits.identifierBytes)
            let again = Array(name.utf8).withByteView { FamilyDigest($0) }
            #expect(again.rawValue == digest, "\(name)")
        }
        let small = Array("systemSmall".utf8).withByteView { FamilyDigest($0) }
        #expect(small.name == "systemSmall")
    }

    @Test func `keeps the families of widgets, from the table and from the journal`() throws {
        let harness = harness()
        let gateway = harness.connect(.gateway)
        let families: [String?] = ["systemLarge", "my.own-family", nil]
        let widgets = families.enumerated().map { number, family in
            var widget = TestWidget.character("w\(number)", "kit")
            widget.family = family
            return widget
        }
        harness.widgets(gateway, "d", widgets)
        _ = harness.step()
        func digests(_ router: borrowing Router) -> [UInt8] {
            (0..<3).map {
                router.state.reloads.delivery.family(of: WidgetID(rawValue: $0)).rawValue
            }
        }
        let expected = digests(harness.router)
        #expect(Set(expected).count == 3 && expected.contains(0))
        let table = try salvaged(StateImage(harness.router).records)
        let ofTable = digests(table.router)
        #expect(ofTable == expected)
        let journal = try salvaged([:], journal: [taken(harness)])
        let ofJournal = digests(journal.router)
        #expect(ofJournal == expected)
    }

    // MARK: - Requests with keys

    /// Three requests: one with refused lines that is answered, one of more lines than a batch has,
    /// and one of which a part is accepted.
    func push(_ harness: RouterHarness, on slot: ConnectionSlot) {
        begin(harness, slot, 1, 1)
        harness.push(slot, 1, "[")
        harness.push(slot, 2, "{}")
        harness.router.refuseLine(slot, seq: 3, now: harness.now)
        _ = harness.step()
        harness.router.endRequest(slot, lines: 3, now: harness.now)
        begin(harness, slot, 2, 3)
        for seq in 3...102 as ClosedRange<UInt64> {
            harness.push(slot, seq, "{}")
            _ = harness.step()
        }
        harness.router.endRequest(slot, lines: 100, now: harness.now)
        begin(harness, slot, 3, 103)
        harness.push(slot, 103, "{}")
        _ = harness.step()
    }

    func expect(
        _ router: borrowing Router,
        _ number: UInt64,
        lines: Int,
        accepted: Int,
        isAnswered: Bool,
        rejected: [Int] = []
    ) throws {
        let known = router.progress(of: Self.key(number))
        let found = try #require(known)
        #expect(found.key == Self.key(number), "\(number)")
        #expect((found.lines, found.accepted) == (lines, accepted), "\(number)")
        #expect(found.isAnswered == isAnswered && found.matched == 0, "\(number)")
        #expect(found.rejected.map(\.line) == rejected, "\(number)")
    }

    @Test func `keeps the keys of requests, from the table and from the journal`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        push(harness, on: slot)
        let records = StateImage(harness.router).records
        let journal = taken(harness)
        for isOfTable in [true, false] {
            let found =
                isOfTable ? try salvaged(records) : try salvaged([:], journal: [journal])
            try expect(
                found.router,
                1,
                lines: 3,
                accepted: 1,
                isAnswered: true,
                rejected: [1, 3]
            )
            try expect(found.router, 2, lines: 100, accepted: 100, isAnswered: true)
            try expect(found.router, 3, lines: 1, accepted: 1, isAnswered: false)
            #expect(found.lost[.matchedCounts] == 3 && found.lost[.requestKeys] == 0)
        }
    }

    @Test func `counts what follows on a checkpoint once, and what the table lacks`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        push(harness, on: slot)
        let records = StateImage(harness.router).records
        let before = taken(harness)
        harness.push(slot, 104, "{}")
        harness.push(slot, 105, "[")
        _ = harness.step()
        harness.router.endRequest(slot, lines: 3, now: harness.now)
        begin(harness, slot, 4, 106)
        harness.push(slot, 106, "{}")
        _ = harness.step()
        let journal = [before, taken(harness)]
        let whole = try salvaged(records, checkpoint: 1, journal: journal)
        try expect(whole.router, 2, lines: 100, accepted: 100, isAnswered: true)
        try expect(whole.router, 3, lines: 3, accepted: 2, isAnswered: true, rejected: [3])
        try expect(whole.router, 4, lines: 1, accepted: 1, isAnswered: false)
        // Without the pages, the journal alone says the same.
        let pages = records.filter { key, _ in
            ![StateRecord.requestKeys, .requestQueues].map(\.rawValue).contains(key.type)
        }
        let rest = try salvaged(pages, checkpoint: 1, journal: journal)
        try expect(rest.router, 1, lines: 3, accepted: 1, isAnswered: true, rejected: [1, 3])
        try expect(rest.router, 3, lines: 3, accepted: 2, isAnswered: true, rejected: [3])
        // Without the chains, it is not known whose keys of the table these are.
        let loose = records.filter { $0.key.type != StateRecord.requestQueues.rawValue }
        let found = try salvaged(loose, checkpoint: 1)
        let lost = found.router.progress(of: Self.key(2))
        #expect(found.lost[.requestKeys] == 3 && lost == nil)
    }

    // MARK: - Losses

    @Test func `counts what it cannot keep, by kind`() throws {
        let harness = harness(.of([.character()]))
        let device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit")])
        let slot = try publisher(harness)
        harness.push(slot, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        let after = harness.now.wall.rawValue + 7_200_000
        harness.timeline(device, "d", "w", policy: #"{"after":\#(after)}"#)
        _ = harness.step()
        let records = StateImage(harness.router).records
        let journal = [taken(harness)]
        let table = try salvaged(records, checkpoint: 1, journal: journal)
        #expect(table.lost[.budgets] == 1 && table.lost[.dates] == 1)
        #expect(table.lost[.deliveries] == 0 && table.lost[.timelines] == 0)
        #expect(!table.lost.lacksRevocations)
        let alone = try salvaged([:], journal: journal)
        #expect(alone.lost[.deliveries] == 1 && alone.lost[.timelines] == 1)
        #expect(alone.lost[.budgets] == 0 && !alone.lost.lacksRevocations)
        harness.widgets(device, "d", [])
        _ = harness.step()
        let removed = try salvaged(StateImage(harness.router).records)
        #expect(removed.lost[.budgets] == 0)
    }

    @Test func `says which revocations it cannot keep`() throws {
        let harness = harness()
        for app in ["game", "news"] {
            _ = try harness.router.revokeTokens(
                of: "d",
                app: app,
                before: 7_000,
                now: harness.now
            )
        }
        let game = AppCatalog(apps: [AppCatalog.game.apps[0]])
        harness.router.install(game, source: game.source)
        let records = StateImage(harness.router).records
        let found = try salvaged(records)
        let kept = found.router.tokensRevokedBefore(device: "d", app: "game")
        #expect(kept == 7_000 && found.lost[.revocations] == 1)
        let lacking = records.filter { $0.key.type != StateRecord.revocations.rawValue }
        let without = try salvaged(lacking)
        #expect(without.lost.lacksRevocations && without.lost[.revocations] == 0)
    }

    @Test func `has words for each kind of loss`() {
        let nouns = SalvageLosses.Kind.allCases.flatMap { [$0.nouns.one, $0.nouns.many] }
        #expect(Set(nouns).count == nouns.count && nouns.allSatisfy { $0.count > 10 })
    }
}
