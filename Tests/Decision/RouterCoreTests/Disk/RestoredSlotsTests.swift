import Basics
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport
import Testing

/// A ledger is stored without the names of those who stand in it.
@Suite("Slots that are restored")
struct RestoredSlotsTests {
    private let harness = RouterHarness()
    private let store = StoreRun(limits: RouterLimits(), seed: 1)
    private let date: Int64

    /// Two widgets with the same date, and of the second one the device's own timer fires then.
    init() throws {
        try harness.keepStore(.game, store)
        let gateway = harness.connect(.gateway)
        date = harness.now.wall.rawValue + 1_000_000_000
        for (device, isOwn) in [("d-0", false), ("d-1", true)] {
            harness.widgets(gateway, device, [.character("w", "kit")])
            _ = harness.timeline(
                gateway,
                device,
                "w",
                policy: #"{"after":\#(date)}"#,
                ownTimer: isOwn
            )
        }
        _ = harness.step()
    }

    @Test("stay where they are, if their devices' own timers fire then")
    func fixed() throws {
        let sealed = store.sealedCount
        for _ in 0..<1_000 where store.sealedCount < sealed + 2 { _ = harness.step() }
        #expect(store.sealedCount == sealed + 2)
        try harness.restart()
        let gateway = harness.connect(.gateway)
        let before = try schedule(of: 1)
        _ = harness.timeline(gateway, "d-0", "w")
        _ = harness.step()
        #expect(try schedule(of: 1) == before)
        // Compares what has come from the checkpoint with what all of the journal leads to.
        try harness.restart()
        #expect(harness.router.usedSlotCount == 1)
    }

    @Test("are refused if one of them is no widget's")
    func nobodys() throws {
        var records = StateImage(harness.router).records
        let key = try #require(records.keys.first { $0.type == 7 })
        // The first widget says that it has a slot without a group, in the same second.
        let second = UInt32(date / 1_000)
        let position: [UInt8] = [0xfe, 0xff, 0xff, 0xff] + bytes(second)
        records[key]!.replaceSubrange(48..<56, with: position)
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        do throws(StoreError) {
            _ = try router.recover(from: store)
            Issue.record("the store was taken")
        } catch {
            #expect(error.code == .corrupt)
            #expect(error.message.contains("slots of origin 0 are no widget's"), "\(error)")
        }
    }

    private func schedule(of widget: Int) throws -> [UInt8] {
        let records = StateImage(harness.router).records
        let page = try #require(records.first { $0.key.type == 7 })
        return Array(page.value[widget * 64 + 32..<widget * 64 + 56])
    }

    private func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
