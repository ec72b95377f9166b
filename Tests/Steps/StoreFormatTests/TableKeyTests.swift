import Basics
import StoreFormat
import TestSupport
import Testing

@Suite("A key of the table")
struct TableKeyTests {
    private static func bytes(_ key: TableKey) -> [UInt8] {
        var writer = StoreWriter()
        key.write(to: &writer)
        return writer.bytes.array
    }

    private static func key(_ random: inout SeededGenerator) -> TableKey {
        TableKey(
            type: UInt8(random.below(3)),
            number: UInt32(random.below(3)) * 0x7fff_ffff,
            part: UInt16(random.below(3)) * 0x7fff,
            epoch: 1 + UInt32(random.below(3)) * 0x7000_0000
        )
    }

    @Test("comes back from its bytes, which sort as it does")
    func order() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let (left, right) = (Self.key(&random), Self.key(&random))
            let (first, second) = (Self.bytes(left), Self.bytes(right))
            #expect(first.count == TableKey.byteCount)
            #expect(try first.withByteView { view throws in try TableKey(view) } == left)
            #expect(first.lexicographicallyPrecedes(second) == (left < right))
        }
        #expect(throws: StoreError.self) {
            try [1, 2, 3].withByteView { view throws in try TableKey(view) }
        }
    }

    @Test("puts the newest of a number first, and its parts after one another")
    func newest() {
        let keys = [
            TableKey(type: 1, number: 2, part: 0, epoch: 9),
            TableKey(type: 1, number: 2, part: 1, epoch: 9),
            TableKey(type: 1, number: 2, part: 0, epoch: 8),
            TableKey(type: 1, number: 3, part: 0, epoch: 1),
        ]
        #expect(keys.reversed().sorted() == keys)
    }
}

@Suite("A scan of the table")
struct TableScanTests {
    /// Keys in their order, and which of them are current.
    private static func current(_ keys: [TableKey], of epoch: UInt32? = nil) -> [TableKey] {
        var scan = epoch.map { TableScan(of: $0) } ?? TableScan()
        return keys.sorted().filter { scan.isCurrent($0) }
    }

    @Test("takes the newest of each number that is not newer than the newest manifest, whole")
    func newest() {
        let current = [
            StoreManifest.key(epoch: 7),
            TableKey(type: 1, number: 0, part: 0, epoch: 7),
            TableKey(type: 1, number: 1, part: 0, epoch: 3),
            TableKey(type: 1, number: 1, part: 1, epoch: 3),
            TableKey(type: 2, number: 0, part: 0, epoch: 6),
        ]
        let leftOver = [
            StoreManifest.key(epoch: 6),
            TableKey(type: 1, number: 0, part: 0, epoch: 8),
            TableKey(type: 1, number: 0, part: 0, epoch: 2),
            TableKey(type: 1, number: 1, part: 0, epoch: 2),
            TableKey(type: 1, number: 1, part: 2, epoch: 2),
            TableKey(type: 2, number: 5, part: 0, epoch: 8),
        ]
        #expect(Self.current(current + leftOver) == current)
        var scan = TableScan()
        for key in (current + leftOver).sorted() { _ = scan.isCurrent(key) }
        #expect(scan.epoch == 7 && scan.newestEpoch == 8)
    }

    @Test("of an older checkpoint passes over what is newer")
    func older() {
        let keys = [
            StoreManifest.key(epoch: 7), StoreManifest.key(epoch: 6),
            TableKey(type: 1, number: 0, epoch: 7),
            TableKey(type: 1, number: 0, epoch: 5),
            TableKey(type: 1, number: 1, epoch: 7),
        ]
        #expect(
            Self.current(keys, of: 6) == [
                StoreManifest.key(epoch: 6), TableKey(type: 1, number: 0, epoch: 5),
            ]
        )
    }

    @Test("finds nothing where no checkpoint was sealed")
    func nothing() {
        #expect(Self.current([TableKey(type: 1, number: 0, epoch: 1)]) == [])
    }
}
