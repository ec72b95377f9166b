import Basics
import StoreFormat
import TestSupport
import Testing

@Suite("Bytes of a store")
struct StoreBytesTests {
    @Test("come back as they were written, numbers of every size")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let shift = UInt64(random.below(64))
            let number = random.next() >> shift
            let signed = Int64(bitPattern: random.next()) >> Int64(shift)
            let text = random.bytes(random.below(300))
            var writer = StoreWriter(capacity: 64)
            writer.put(varint: number)
            writer.put(signed: signed)
            writer.put(number % 2 == 0)
            text.withByteView { writer.put(counted: $0) }
            writer.put(UInt16(truncatingIfNeeded: number))
            var reader = StoreReader(writer.bytes)
            #expect(try reader.readVarint() == number)
            #expect(try reader.readSigned() == signed)
            #expect(try reader.readBool() == (number % 2 == 0))
            #expect(try reader.readCounted().array == text)
            #expect(try reader.read(UInt16.self) == UInt16(truncatingIfNeeded: number))
            try reader.finish()
        }
    }

    @Test("are refused when they are cut off, too long or not as they are written")
    func refused() {
        func error(_ bytes: [UInt8], _ body: (inout StoreReader) throws -> Void) -> StoreError? {
            bytes.withByteView { view in
                var reader = StoreReader(view)
                do {
                    try body(&reader)
                    try reader.finish()
                    return nil
                } catch {
                    return error as? StoreError
                }
            }
        }
        let eleven = [UInt8](repeating: 0xff, count: 9) + [2]
        let cases: [StoreError?] = [
            error([0x80]) { _ = try $0.readVarint() },
            error([0x80, 0]) { _ = try $0.readVarint() },
            error(eleven) { _ = try $0.readVarint() },
            error([2]) { _ = try $0.readBool() },
            error([5, 1]) { _ = try $0.readCounted() },
            error([1, 2, 3]) { _ = try $0.read(UInt32.self) },
            error([1, 2]) { _ = try $0.read(UInt8.self) },
            error([9]) { _ = try $0.readCount(atMost: 8) },
            error([0]) { _ = try $0.readCount(atMost: -1) },
        ]
        for (index, error) in cases.enumerated() {
            #expect(error?.code == .corrupt, "case \(index): \(String(describing: error))")
        }
        #expect(error(Array(eleven.dropLast()) + [1]) { _ = try $0.readVarint() } == nil)
    }

    @Test("move to the front when the first of them are dropped")
    func dropFirst() {
        var writer = StoreWriter(capacity: 64)
        for byte in 0..<200 as Range<UInt8> { writer.put(byte) }
        writer.removeFirst(150)
        #expect(writer.bytes.array == Array(150..<200))
        writer.removeFirst(50)
        let isEmpty = writer.isEmpty
        #expect(isEmpty)
    }

    @Test("of a record of the table are of their key alone")
    func tableRecord() throws {
        let key = TableKey(type: 3, number: 4, epoch: 5)
        var changes = TableChanges()
        changes.put(key) { $0.put(counted: "body") }
        changes.delete(TableKey(type: 3, number: 4, epoch: 4))
        var visited: [(TableKey, [UInt8]?)] = []
        try changes.forEachRecord { (key, value) throws(StoreError) in
            visited.append((try TableKey(key), value?.array))
        }
        #expect(visited.map(\.0.epoch) == [5, 4] && visited[1].1 == nil && changes.count == 2)
        let value = visited[0].1!
        try value.withByteView { view throws in
            #expect(try TableRecord.body(view, key: key).array == [4] + Array("body".utf8))
        }
        var others = [key, key, key, key]
        others[0].type = 2
        others[1].number = 5
        others[2].epoch = 6
        others[3].part = 1
        // Fields that make up for one another.
        others.append(TableKey(type: 3, number: 4 ^ 256, part: 1, epoch: 5))
        others.append(TableKey(type: 2, number: 4 ^ 1 << 24, epoch: 5))
        for other in others {
            #expect(throws: StoreError.self) {
                try value.withByteView { view throws in _ = try TableRecord.body(view, key: other) }
            }
        }
        for index in value.indices {
            var damaged = value
            damaged[index] ^= 0x10
            #expect(throws: StoreError.self, "byte \(index)") {
                try damaged.withByteView { view throws in _ = try TableRecord.body(view, key: key) }
            }
        }
        for count in value.indices {
            #expect(throws: StoreError.self, "\(count) bytes") {
                try Array(value[..<count]).withByteView { view throws in
                    _ = try TableRecord.body(view, key: key)
                }
            }
        }
    }
}
