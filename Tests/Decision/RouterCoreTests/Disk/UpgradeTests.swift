import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// Checkpoints of a version before those that are read. No release has written one, so it is made
/// up: as this version's, with a lower number.
@Suite("A checkpoint of an older version")
struct UpgradeTests {
    private static let former = StateRecord.oldestVersion - 1
    private let records: [TableKey: [UInt8]]

    init() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        for number in 0..<70 {
            harness.widgets(gateway, "d\(number)", [.character("w", "kit")])
        }
        _ = harness.step()
        records = StateImage(harness.router).records
    }

    private func store() throws -> SimulatedStore {
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [], version: Self.former)
        return store
    }

    /// A router; with `readsFormer`, one that still reads the older version.
    private func makeRouter(readsFormer: Bool) -> Router {
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        if readsFormer { router.state.restoring.oldestVersion = Self.former }
        return router
    }

    /// Writes a checkpoint's records; `limit` is the size of those of an interrupted one.
    private func writeCheckpoint(_ router: inout Router, limit: Int? = nil) -> TableChanges {
        var changes = TableChanges()
        router.journalTaken()
        router.beginCheckpoint()
        if let limit {
            let isWhole = router.writeCheckpoint(&changes, limit: limit)
            #expect(!isWhole)
            return changes
        }
        while !router.writeCheckpoint(&changes, limit: 1 << 30) {}
        router.writeManifest(position: 0, checksum: 0, to: &changes)
        return changes
    }

    @Test func `is refused by a router that does not read it, which says so`() throws {
        var router = makeRouter(readsFormer: false)
        let store = try store()
        let error = #expect(throws: StoreError.self) { _ = try router.recover(from: store) }
        #expect(error?.code == .older)
        let sentence = "checkpoint 1 is of format 6; this version reads formats 7 to 8"
        #expect(error?.message == sentence)
        var dump = StateDump()
        var salvage = StateSalvage()
        var refused = 0
        try store.scan { key, value throws(StoreError) in
            let body = try TableRecord.body(value, key: key)
            salvage.add(key, body: body)
            try dump.add(key, bytes: body) { line throws(StoreError) in
                if line.problem?.code == .older { refused += 1 }
            }
        }
        #expect(refused > 5, "nothing but the manifest is read")
        let problem = #expect(throws: StoreError.self) { _ = try salvage.bodies() }
        #expect(problem?.code == .older)
    }

    @Test func `is read, and the first one upon it has everything in the present version`() throws {
        var router = makeRouter(readsFormer: true)
        let former = try router.recover(from: try store()).version
        #expect(former == Self.former)
        #expect(router.storedCounts.devices == 70)
        // What the new one has written is a store without the older one.
        let store = SimulatedStore()
        try store.write(writeCheckpoint(&router))
        try store.seal()
        router = makeRouter(readsFormer: false)
        let present = try router.recover(from: store).version
        #expect(present == StateRecord.version)
        #expect(router.storedCounts.devices == 70)
    }

    @Test(arguments: [1, 100, 2_000])
    func `is what counts until the one upon it is whole`(limit: Int) throws {
        let store = try store()
        var router = makeRouter(readsFormer: true)
        _ = try router.recover(from: store)
        try store.write(writeCheckpoint(&router, limit: limit))
        try store.seal()
        // The process ends here; the next one continues.
        router = makeRouter(readsFormer: true)
        let former = try router.recover(from: store).version
        #expect(former == Self.former)
        #expect(router.storedCounts.devices == 70)
        try store.write(writeCheckpoint(&router))
        try store.seal()
        router = makeRouter(readsFormer: false)
        let present = try router.recover(from: store).version
        #expect(present == StateRecord.version)
        #expect(router.storedCounts.devices == 70)
    }
}
