import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

/// Damaged bytes of a ledger: they are refused, or what they say can be worked with.
@Suite("Fuzzed, the bytes of a slot ledger")
struct SlotLedgerStoreFuzzTests {
    /// A ledger's bytes after some calls, and who stands in it.
    private static func image(
        _ seed: UInt64,
        steps: Int
    ) -> (bytes: [UInt8], members: [SlotLedgerReplicas.Member]) {
        var replicas = SlotLedgerReplicas(
            seed: seed,
            perSecond: seed % 5 == 0 ? nil : 1 + Int(seed % 5) * 3,
            undelayed: Int(seed % 3),
            now: 1_000_000
        )
        for _ in 0..<steps { replicas.step() }
        return (replicas.bytes, replicas.members)
    }

    @Test("throw wherever they are cut off", arguments: 1...4 as ClosedRange<UInt64>)
    func prefixes(seed: UInt64) {
        let bytes = Self.image(seed, steps: 60).bytes
        for count in bytes.indices {
            #expect(throws: StoreError.self, "seed \(seed), \(count) bytes") {
                _ = try SlotLedgerReplicas.read(Array(bytes.prefix(count)))
            }
        }
    }

    @Test(
        "throw, or give a ledger on which no valid call traps, whatever becomes of them",
        arguments: 1...16 as ClosedRange<UInt64>
    )
    func damage(seed: UInt64) throws {
        let image = Self.image(seed, steps: 40 + Int(seed) * 20)
        let other = Self.image(seed + 100, steps: 100).bytes
        var random = SeededGenerator(seed: seed)
        var (refused, accepted) = (0, 0)
        for round in 0..<250 {
            var bytes = image.bytes
            Self.damage(&bytes, other, &random)
            do throws(StoreError) {
                let faults = try Self.use(bytes, image.members, seed: random.next())
                #expect(faults.isEmpty, "seed \(seed), round \(round)")
                accepted += 1
            } catch {
                #expect(error.code == .corrupt)
                refused += 1
            }
        }
        // Else nothing was tried of what the test is for.
        #expect(refused > 12 && accepted > 12, "seed \(seed): \(refused) and \(accepted)")
    }

    /// Makes a thousand calls.
    private static func use(
        _ bytes: [UInt8],
        _ members: [SlotLedgerReplicas.Member],
        seed: UInt64
    ) throws(StoreError) -> [String] {
        var replicas = try SlotLedgerReplicas(seed: seed, bytes: bytes, members: members)
        while replicas.callCount < 1_000 { replicas.step() }
        return replicas.faults
    }

    private static func damage(
        _ bytes: inout [UInt8],
        _ other: [UInt8],
        _ random: inout SeededGenerator
    ) {
        for _ in 0...random.below(3) {
            let position = random.below(bytes.count)
            switch random.below(8) {
            case 0..<4: bytes[position] ^= 1 << UInt8(random.below(8))
            case 4: bytes[position] = random.pick([0, 1, 127, 128, 255])
            case 5, 6: overwrite(&bytes, position & ~3, &random)
            default: splice(&bytes, position, other, &random)
            }
        }
    }

    /// Puts a number where one may have stood: borders, or one from elsewhere.
    private static func overwrite(
        _ bytes: inout [UInt8],
        _ position: Int,
        _ random: inout SeededGenerator
    ) {
        let source = random.below(bytes.count - 3)
        let number: [UInt8] = random.pick([
            [0, 0, 0, 0], [1, 0, 0, 0], [255, 255, 255, 255], [254, 255, 255, 255],
            [0, 0, 0, 128], [255, 255, 255, 127], Array(bytes[source..<source + 4]),
        ])
        for (byte, position) in zip(number, position..<bytes.count) { bytes[position] = byte }
    }

    /// Puts a piece of another ledger's bytes, or some of the same, in a place of theirs.
    private static func splice(
        _ bytes: inout [UInt8],
        _ position: Int,
        _ other: [UInt8],
        _ random: inout SeededGenerator
    ) {
        let source = random.below(2) == 0 ? other : bytes
        let start = random.below(source.count)
        let piece = source[start..<min(source.count, start + random.below(64))]
        let end = min(
            bytes.count,
            position + (random.below(2) == 0 ? piece.count : random.below(64))
        )
        bytes.replaceSubrange(position..<end, with: piece)
        if bytes.isEmpty { bytes = [0] }
    }
}
