import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Names and values that were chosen to collide")
struct ChosenNameTests {
    @Test("are found in as few steps as others, as parameters that name fields")
    func zeroFactor() {
        // Of a name of 16 bytes the first half was xored with its place, times three, and
        // multiplied with the second half under a secret: with this first half the product was zero
        // for all seconds.
        let position = UInt64(AttributeID.root(0).rawValue) << 32 | 16
        let first = (0..<8).map { UInt8(truncatingIfNeeded: (position &* 3) >> (8 * UInt64($0))) }
        #expect(first.allSatisfy { $0 < 0x80 })
        let hostile = (0..<2_000).map { number in
            String(decoding: first, as: UTF8.self) + String(10_000_000 + number)
        }
        let usual = (0..<2_000).map { "abcdefgh\(10_000_000 + $0)" }
        for seed in 1...4 as ClosedRange<UInt64> {
            let steps = [hostile, usual].map { names in
                var vocabulary = Vocabulary(seed: seed)
                for name in names { _ = vocabulary.acquire(name, below: .root(0)) }
                return names.map { name in
                    name.withByteView {
                        vocabulary.scanned.stepCount(below: .root(0), named: MemberName($0))
                    }
                }.reduce(0, +)
            }
            // From its place to the next free one in a table of which half is in use: four on
            // average if places are random, some more or less under one key. Two million if all
            // names collide.
            #expect(steps.allSatisfy { $0 < 8 * 2_000 }, "seed \(seed): \(steps)")
            #expect(steps[0] < 2 * steps[1], "seed \(seed): \(steps)")
        }
    }

    @Test("have hashes that do not follow from what is known of the key space")
    func values() {
        // Under the hash that there was, and a seed that had become known.
        let names = CollidingNames.ofStableHash(seed: 5, count: 4_000)
        let usual = (0..<4_000).map { Array("value-\($0)".utf8) }
        for seed in 1...4 as ClosedRange<UInt64> {
            let values = ValueTable(seed: seed)
            let spaces = KeySpaces(seed: seed)
            let steps = [names, usual].map { names in
                var index = HashIndex()
                let hashes = names.map { name in
                    let value = name.withByteView { values.hash(.string, bytes: $0) }
                    return spaces.hash(spaces.hash(SpaceID(rawValue: 0)), adding: value)
                }
                for (number, hash) in hashes.enumerated() {
                    index.insert(hash, number: UInt32(number))
                }
                var steps = 0
                for hash in hashes { steps += index.stepCount(hash) }
                return steps
            }
            #expect(steps.allSatisfy { $0 < 8 * names.count }, "seed \(seed): \(steps)")
            #expect(Double(steps[0]) < 1.25 * Double(steps[1]), "seed \(seed): \(steps)")
        }
    }
}
