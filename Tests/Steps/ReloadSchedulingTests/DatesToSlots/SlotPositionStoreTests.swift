import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@Suite("A slot position that is read from its bytes")
struct SlotPositionStoreTests {
    private static func read(_ bytes: [UInt8]) throws(StoreError) -> SlotPosition {
        try restored(bytes) { reader throws(StoreError) in try SlotPosition(reading: &reader) }
    }

    @Test("is the one that was written: in a group, without one, and none")
    func kinds() throws {
        var ledger = PlainLedger(perSecond: 2, undelayed: 0)
        let positions = [
            ledger.assign(1, earliest: 9_000, window: 5_000, isFixed: false, now: 0).position,
            ledger.assign(2, earliest: 9_000, window: 5_000, isFixed: false, now: 0).position,
            ledger.assignUniform(3, earliest: 7_000, window: 9_000, hash: 5).position,
            .none,
        ]
        for position in positions {
            let bytes = stored { position.write(to: &$0) }
            #expect(bytes.count == 8)
            #expect(try Self.read(bytes) == position)
            for count in bytes.indices {
                #expect(throws: StoreError.self) { _ = try Self.read(Array(bytes.prefix(count))) }
            }
        }
    }

    @Test("is refused if it is of no kind")
    func refused() {
        for group in [0x80, 0xfe, 0xff] as [UInt8] {
            #expect(throws: StoreError.self) {
                _ = try Self.read([1, 0, 0, group, 5, 0, 0, 0])
            }
        }
        // None has but one form.
        #expect(throws: StoreError.self) { _ = try Self.read([255, 255, 255, 255, 5, 0, 0, 0]) }
    }
}
