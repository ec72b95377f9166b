import Basics
import StoreFormat
import Testing

@Suite("A chain of journal records")
struct JournalChainTests {
    /// Records with these positions, each of which names the one before it here.
    private static func records(_ positions: ClosedRange<UInt64>, parent: UInt64 = 0) -> [[UInt8]] {
        var parent = parent
        return positions.map { position in
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            writer.put(varint: position)
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
            return writer.bytes.array
        }
    }

    /// The positions of the records that follow, up to an error.
    private static func follow(
        _ groups: [[UInt8]],
        _ chain: inout JournalChain
    ) -> (positions: [UInt64], error: StoreError?) {
        var positions: [UInt64] = []
        do throws(StoreError) {
            for group in groups {
                try group.withByteView { view throws(StoreError) in
                    try chain.follow(view) { positions.append($0.position) }
                }
            }
            return (positions, nil)
        } catch {
            return (positions, error)
        }
    }

    @Test("returns what is after a checkpoint, and passes over what is not")
    func behindCheckpoint() throws {
        let records = Self.records(1...5)
        let sum = try records[1].withByteView { view throws(StoreError) in
            var reader = StoreReader(view)
            return try JournalRecord.read(&reader).checksum
        }
        let manifest = StoreManifest(epoch: 1, position: 2, checksum: sum, version: 1)
        var chain = JournalChain(after: manifest)
        let found = Self.follow([records[0] + records[1] + records[2], records[3]], &chain)
        #expect(found.positions == [3, 4] && found.error == nil && chain.next == 5)
    }

    @Test("ends where a record is missing, and says whether that is at the beginning")
    func gaps() {
        let records = Self.records(1...4)
        var chain = JournalChain(after: .none)
        let begun = Self.follow([records[0], records[2]], &chain)
        #expect(begun.positions == [1] && chain.next == 2)
        #expect(begun.error?.code == .gap)
        #expect(begun.error?.message == "journal record 2 is missing: 3 follows the one before")

        var later = JournalChain(after: .none)
        let error = Self.follow([records[2]], &later).error
        #expect(error?.message == "the journal begins with record 3; record 1 was expected")
    }

    @Test("ends at a record of another history, whole as that is")
    func otherHistory() {
        let other = Self.records(2...2, parent: 77)
        var chain = JournalChain(after: .none)
        let found = Self.follow(Self.records(1...1) + other, &chain)
        #expect(found.positions == [1] && found.error?.code == .corrupt)
        // Whoever does not know the record before takes any.
        var unknown = JournalChain(next: 2, parent: nil)
        #expect(Self.follow(other, &unknown).positions == [2])
    }

    @Test("continues after a break that was skipped")
    func skipping() {
        let records = Self.records(1...4)
        var chain = JournalChain(after: .none)
        _ = Self.follow([records[0]], &chain)
        (records[2] + [1, 2, 3]).withByteView { chain.skip($0) }
        #expect(chain.next == 4)
        let found = Self.follow([records[3]], &chain)
        #expect(found.positions == [4] && found.error == nil)
    }
}
