import Basics
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport
import Testing

/// Records that are whole, but not those of any router.
@Suite("A store whose records contradict each other")
struct ContradictingStoreTests {
    /// A router with two devices and an origin with a rate, as records.
    private static func records() -> [TableKey: [UInt8]] {
        let catalog = AppCatalog.of(
            [.character { $0.origin = "api" }],
            [OriginDeclaration(origin: "api", perSecond: 5)]
        )
        let harness = RouterHarness()
        harness.keepJournal(catalog)
        let gateway = harness.connect(.gateway)
        for device in ["d0", "d1"] {
            harness.widgets(gateway, device, [.character("w", "elf")])
            harness.timeline(gateway, device, "w", policy: #"{"after":1700000100000}"#)
        }
        _ = harness.step()
        return StateImage(harness.router).records
    }

    /// Why a router is not restored from records; nil if it is.
    private static func refusal(
        of records: [TableKey: [UInt8]],
        checksAll: Bool
    ) throws -> StoreError? {
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        do throws(StoreError) {
            _ = try router.recover(from: store, checksAll: checksAll)
            return nil
        } catch {
            return error
        }
    }

    @Test("is none if nothing was changed")
    func whole() throws {
        let refusal = try Self.refusal(of: Self.records(), checksAll: true)
        #expect(refusal == nil)
    }

    @Test("is refused by a start too if two devices have one name")
    func sameName() throws {
        var records = Self.records()
        let key = TableKey(type: 9, number: 1, epoch: 1)
        let body = try #require(records[key])
        let position = try #require(
            body.indices.dropLast().first { body[$0...$0 + 1].elementsEqual("d1".utf8) }
        )
        records[key]![position + 1] = UInt8(ascii: "0")
        let refusal = try #require(try Self.refusal(of: records, checksAll: false))
        #expect(refusal.code == .corrupt)
        #expect(refusal.message.contains("device 1 has the name of another one"), "\(refusal)")
    }

    @Test("is refused by a start too if a widget has a slot and no date")
    func slotWithoutDate() throws {
        var records = Self.records()
        let key = TableKey(type: 7, number: 0, epoch: 1)
        // Of the first widget's 64 bytes, the date comes after the budget's 32.
        let never = (0..<8).map { UInt8(truncatingIfNeeded: Int64.max >> (8 * Int64($0))) }
        records[key]!.replaceSubrange(32..<40, with: never)
        let refusal = try #require(try Self.refusal(of: records, checksAll: false))
        #expect(refusal.code == .corrupt)
        #expect(refusal.message.contains("widget 0 has a slot and no date"), "\(refusal)")
    }

    @Test("is refused by a start too if a reload waits for a permit and is in no queue")
    func queuedNowhere() throws {
        var records = Self.records()
        let key = TableKey(type: 6, number: 0, epoch: 1)
        let position = 13
        #expect(records[key]?[position] == 0, "the first widget's reload is idle")
        records[key]![position] = 3
        let refusal = try #require(try Self.refusal(of: records, checksAll: false))
        #expect(refusal.code == .corrupt)
        #expect(
            refusal.message.contains("widget 0 waits for a permit and is in no queue"),
            "\(refusal)"
        )
    }

    @Test("is refused by a start too if an origin goes by two rates")
    func rates() throws {
        var records = Self.records()
        let key = TableKey(type: 5, number: 1, epoch: 1)
        #expect(records[key]?.first == 5)
        records[key]![0] = 9
        let refusal = try #require(try Self.refusal(of: records, checksAll: false))
        #expect(refusal.code == .corrupt)
        #expect(refusal.message.contains("an origin has two rates"), "\(refusal)")
    }
}
