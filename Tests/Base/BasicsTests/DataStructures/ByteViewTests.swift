import Basics
import Testing

@Suite("A view of bytes")
struct ByteViewTests {
    @Test("reads bytes, words and big-endian integers where they lie")
    func reads() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        bytes.withByteView { view in
            #expect(view.count == 9)
            #expect(view[0] == 1 && view[8] == 9)
            #expect(view.word(at: 1) == 0x0908_0706_0504_0302)
            #expect(view.bigEndian(UInt16.self, at: 3) == 0x0405)
            #expect(view.bigEndian(UInt32.self, at: 5) == 0x0607_0809)
            #expect(view.bigEndian(UInt64.self, at: 0) == 0x0102_0304_0506_0708)
            #expect(view.slice(2, to: 5).array == [3, 4, 5])
            #expect(view.slice(9, to: 9).array == [])
        }
    }

    @Test("gives its first eight bytes as one word, filled with zeros, at every length")
    func prefixWord() {
        for count in 0...12 {
            let bytes = (0..<count).map { UInt8(0xf0 + $0) }
            var expected: UInt64 = 0
            for index in 0..<min(8, count) { expected |= UInt64(bytes[index]) << (8 * index) }
            let word = bytes.withByteView { $0.prefixWord }
            #expect(word == expected, "\(count) bytes")
        }
    }

    @Test("does not read beyond its end for its prefix")
    func prefixWordStaysInside() {
        for count in 0..<8 {
            let one = [UInt8](repeating: 7, count: count) + [UInt8](repeating: 0xaa, count: 16)
            let two = [UInt8](repeating: 7, count: count) + [UInt8](repeating: 0x55, count: 16)
            let words = (
                one.withByteView { $0.slice(0, to: count).prefixWord },
                two.withByteView { $0.slice(0, to: count).prefixWord }
            )
            #expect(words.0 == words.1, "\(count) bytes")
        }
    }

    @Test("equals another exactly if all bytes are equal, at every length and place")
    func equality() {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8($0 * 5 & 0xff) }
            #expect(areEqual(bytes, bytes))
            #expect(!areEqual(bytes, bytes + [0]), "\(count) bytes and one more")
            for index in 0..<count {
                var other = bytes
                other[index] ^= 0x80
                #expect(!areEqual(bytes, other), "\(count) bytes, differing at \(index)")
            }
        }
    }

    @Test("of a string is its UTF-8")
    func strings() {
        #expect("häß€😀".withByteView { $0.array } == Array("häß€😀".utf8))
        #expect("häß€😀".withByteView { $0.string } == "häß€😀")
        #expect("".withByteView { $0.count } == 0)
        #expect([UInt8]([0x61, 0xff]).withByteView { $0.string } == "a\u{fffd}")
    }

    @Test("passes on the error of the closure it is lent to")
    func errors() {
        struct Refused: Error, Equatable {}
        #expect(throws: Refused()) {
            try [UInt8]([1]).withByteView { (_) throws(Refused) in throw Refused() }
        }
    }

    private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withByteView { left in right.withByteView { right in left == right } }
    }
}

@Suite("The hash of bytes")
struct ByteHashTests {
    @Test("depends on every byte, the length and the seed")
    func sensitivity() {
        for count in 0...70 {
            let bytes = (0..<count).map { UInt8($0 & 0xff) }
            let hash = hash(bytes, 1)
            #expect(hash == self.hash(bytes, 1))
            #expect(hash != self.hash(bytes, 2), "the seed, \(count) bytes")
            #expect(hash != self.hash(bytes + [0], 1), "a zero more than \(count) bytes")
            for index in 0..<count {
                var other = bytes
                other[index] ^= 1
                #expect(hash != self.hash(other, 1), "\(count) bytes, bit 0 of \(index)")
            }
        }
    }

    @Test("does not look beyond the bytes")
    func staysInside() {
        for count in 0...40 {
            let one = (0..<count).map { UInt8($0) } + [UInt8](repeating: 0xaa, count: 16)
            let two = (0..<count).map { UInt8($0) } + [UInt8](repeating: 0x55, count: 16)
            let hashes = (
                one.withByteView { stableHash($0.slice(0, to: count), seed: 9) },
                two.withByteView { stableHash($0.slice(0, to: count), seed: 9) }
            )
            #expect(hashes.0 == hashes.1, "\(count) bytes")
        }
    }

    @Test("spreads numbered names evenly over its top and bottom byte")
    func spread() {
        var top = [Int](repeating: 0, count: 256)
        var bottom = [Int](repeating: 0, count: 256)
        for number in 0..<65_536 {
            let hash = hash(Array("device-\(number)".utf8), 42)
            top[Int(hash >> 56)] += 1
            bottom[Int(hash & 0xff)] += 1
        }
        // 256 each on average, with a deviation of 16: six deviations are never seen by chance.
        #expect(top.allSatisfy { (160...352).contains($0) })
        #expect(bottom.allSatisfy { (160...352).contains($0) })
    }

    private func hash(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        bytes.withByteView { stableHash($0, seed: seed) }
    }
}
