import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("The names of sessions")
struct SessionNameTests {
    private static let multiplier = 1 << 32 | 1 as UInt64
    private static let masks: [UInt64] = [0x9e37_79b9_7f4a_7c15, 0xe703_7ed1_a0b4_28db]

    /// The name that the first session had: two products of a table's seed.
    private func formerName(seed: UInt64) -> [UInt64] {
        Self.masks.map { foldedProduct(seed ^ $0, by: Self.multiplier) }
    }

    /// The seeds that give a first session's name, calculated bit by bit.
    ///
    /// The product of `high` and `low` with 2^32 + 1 is, folded, `(high + carry) ^ low` below and
    /// `high + low` above: with the carry guessed, each bit of `high` gives the bit of `low`, and
    /// the sum says whether they can be. What both halves of the name say must agree.
    private func seeds(of name: [UInt64]) -> [UInt64] {
        var found: [UInt64] = []
        for inlines in 0..<4 as Range<UInt64> {
            var candidates: [UInt64] = [0]
            for bit in 0..<32 as Range<UInt64> {
                let mask = (1 << (bit + 1)) - 1 as UInt64
                candidates = candidates.flatMap { candidate in
                    [candidate, candidate | 1 << bit].filter { high in
                        let lows = (0..<2).map { half in
                            low(of: name[half], half, high, inlines >> UInt64(half) & 1, mask)
                        }
                        return lows[0] != nil && lows[0] == lows[1]
                    }
                }
            }
            for high in candidates {
                let low = low(of: name[0], 0, high, inlines & 1, 0xffff_ffff)!
                let seed = high << 32 | low
                if formerName(seed: seed) == name { found.append(seed) }
            }
        }
        return found
    }

    /// The low half of a seed whose high half is known as far as the mask goes; nil if there is
    /// none.
    private func low(
        of half: UInt64,
        _ index: Int,
        _ seedHigh: UInt64,
        _ carry: UInt64,
        _ mask: UInt64
    ) -> UInt64? {
        let high = seedHigh ^ Self.masks[index] >> 32
        let low = half ^ (high &+ carry)
        if ((high & mask) &+ (low & mask)) & mask != half >> 32 & mask { return nil }
        return (low ^ Self.masks[index]) & mask
    }

    /// The session names of WELCOMEs, as two numbers each.
    private func names(_ count: Int) -> [[UInt64]] {
        let harness = RouterHarness()
        return (0..<count).map { number in
            let slot = harness.open()
            harness.hello(slot, .device, "d\(number)")
            guard case .welcome(slot, let body)? = harness.step().first else { return [] }
            let name = body.dropFirst(#"{"v":1,"session":""#.utf8.count).prefix(32)
            return [name.prefix(16), name.suffix(16)].map { UInt64($0, radix: 16)! }
        }
    }

    @Test("do not reveal the seed or key of a table")
    func notInvertible() {
        // How it went: from one WELCOME.
        var random = SeededGenerator(seed: 1)
        for _ in 0..<4 {
            let seed = random.next()
            #expect(seeds(of: formerName(seed: seed)).contains(seed))
        }
        // And how it goes: no seed explains any name, so none is found that explains two.
        for name in names(20) { #expect(seeds(of: name) == []) }
    }

    @Test("are 32 hexadecimal digits, and those of 100,000 sessions are all different")
    func distinct() {
        let key = HashKey(low: 1, high: 2)
        let names = (1...100_000).map { SessionNames(key).name(of: $0) }
        #expect(Set(names).count == names.count)
        // Also their halves: no part of a name comes again.
        #expect(Set(names.map { $0.prefix(16) }).count == names.count)
        #expect(Set(names.map { $0.suffix(16) }).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
        let others = Set((1...1_000).map { SessionNames(HashKey(low: 1, high: 3)).name(of: $0) })
        #expect(others.isDisjoint(with: names))
    }

    @Test("do not depend on the key of the tables, nor the other way round")
    func independent() {
        var first = SeededGenerator(seed: 1)
        let secrets = RouterSecrets(using: &first)
        var second = SeededGenerator(seed: 1)
        let key = HashKey(using: &second)
        #expect(secrets.hashKey == key)
        // The generator has moved on before it gave the names' key.
        #expect(secrets.sessionNames.name(of: 1) != SessionNames(key).name(of: 1))
        let other = HashKey(using: &second)
        #expect(secrets.sessionNames.name(of: 1) == SessionNames(other).name(of: 1))
    }
}
