import Testing

@testable import Basics

@Suite("Keys that were chosen to collide")
struct CollidingKeyTests {
    /// Three characters, so that 8,180 members of an object fit in a frame of 64 KiB.
    private static let candidates: [[UInt8]] = {
        let bytes = (0x21...0x7e as ClosedRange<UInt8>).filter { $0 != 0x22 && $0 != 0x5c }
        return bytes.flatMap { one in
            bytes.flatMap { two in bytes.map { three in [one, two, three] } }
        }
    }()

    /// Of candidates those whose places in a table of so many lie closest together, with the
    /// places.
    private func crowded(
        _ candidates: ArraySlice<[UInt8]>,
        _ count: Int,
        capacity: UInt64,
        by hash: (ByteView) -> UInt64
    ) -> [(key: [UInt8], position: Int)] {
        let places = candidates.map { key in
            (key: key, position: Int(key.withByteView(hash) & (capacity - 1)))
        }
        return Array(places.sorted { $0.position < $1.position }.prefix(count))
    }

    private func document(_ keys: [[UInt8]]) -> [UInt8] {
        var document: [UInt8] = [0x7b]
        for key in keys {
            document += [0x22] + key + Array("\":1,".utf8)
        }
        document[document.count - 1] = 0x7d
        return document
    }

    /// The entries that a scan looks at, and the keys that it takes because of too many.
    private func steps(_ document: [UInt8], _ hashKey: HashKey) throws -> (Int, rekeyed: Int) {
        var scanner = JSONScanner(hashKey: hashKey)
        var visitor = RecordingVisitor()
        try document.withByteView { (view) throws(JSONError) in
            try scanner.scan(view, into: &visitor)
        }
        return (scanner.keys.stepCount, scanner.keys.rekeyCount)
    }

    @Test("under the constant seed that there was take no more steps than others")
    func formerSeed() throws {
        let keys = crowded(Self.candidates[...], 8_180, capacity: 16_384) {
            // The seed of all scanners, and the number of a document's first large object.
            stableHash($0, seed: 0x9e37_79b9_7f4a_7c15 &+ 1)
        }
        // What they cost then: each is as far from its place as there are others in front of it.
        let former = keys.enumerated().reduce(0) {
            $0 + max(1, $1.offset - $1.element.position + 1)
        }
        #expect(former > 20_000_000)
        let hostile = document(keys.map(\.key))
        #expect(hostile.count <= 65_536)
        for number in 0..<4 as Range<UInt64> {
            let key = HashKey(low: number, high: 1)
            let found = try steps(hostile, key)
            let usual = try steps(document(Array(Self.candidates.prefix(8_180))), key)
            #expect(found.rekeyed == 0)
            #expect(found.0 < 5 * 8_180)
            #expect(Double(found.0) < 1.15 * Double(usual.0))
        }
    }

    @Test("under a key that has become known take a few steps each all the same")
    func knownKey() throws {
        let key = HashKey(low: 3, high: 4)
        let keys = crowded(Self.candidates.prefix(60_000), 2_000, capacity: 4_096) {
            key.hash(1, followedBy: $0)
        }
        let former = keys.enumerated().reduce(0) {
            $0 + max(1, $1.offset - $1.element.position + 1)
        }
        #expect(former > 1_500_000)
        let found = try steps(document(keys.map(\.key)), key)
        #expect(found.rekeyed >= 1)
        #expect(found.0 < 30 * 2_000)
        let other = try steps(document(keys.map(\.key)), HashKey(low: 5, high: 6))
        #expect(other.rekeyed == 0)
    }

    @Test("are distinguished, and a repetition among them is found, while the table is built anew")
    func repetitions() throws {
        let key = HashKey(low: 3, high: 4)
        let keys = crowded(Self.candidates.prefix(60_000), 2_000, capacity: 4_096) {
            key.hash(1, followedBy: $0)
        }.map(\.key)
        for repeated in [0, 16, 17, 700, 1_999] {
            var scanner = JSONScanner(hashKey: key)
            var visitor = RecordingVisitor()
            let document = document(keys + [keys[repeated]])
            #expect {
                try document.withByteView { (view) throws(JSONError) in
                    try scanner.scan(view, into: &visitor)
                }
            } throws: { error in
                let error = error as? JSONError
                return error?.code == .duplicateKey && error?.offset == document.count - 8
            }
            #expect(scanner.keys.rekeyCount >= 1)
        }
    }

    @Test("in objects within objects do not hide each other when the table is built anew")
    func nested() throws {
        let key = HashKey(low: 3, high: 4)
        let keys = crowded(Self.candidates.prefix(60_000), 1_000, capacity: 2_048) {
            key.hash(1, followedBy: $0)
        }.map(\.key)
        let inner = document(Array(keys.prefix(40)))
        var outer: [UInt8] = [0x7b]
        for (number, name) in keys.enumerated() {
            let value = number % 25 == 3 ? inner : [0x31]
            outer += [0x22] + name + Array("\":".utf8) + value + [0x2c]
        }
        let repeated = outer + [0x22] + keys[20] + Array("\":1}".utf8)
        outer[outer.count - 1] = 0x7d
        #expect(try steps(outer, key).rekeyed >= 1)
        var scanner = JSONScanner(hashKey: key)
        var visitor = RecordingVisitor()
        #expect {
            try repeated.withByteView { (view) throws(JSONError) in
                try scanner.scan(view, into: &visitor)
            }
        } throws: {
            ($0 as? JSONError)?.code == .duplicateKey
        }
    }
}
