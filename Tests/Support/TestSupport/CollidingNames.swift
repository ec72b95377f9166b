import Basics

/// Keys as an attacker makes them who knows `stableHash` and its seed: the hash is calculated
/// backwards.
package enum CollidingNames {
    /// Different identifiers of 32 printable characters that all have one hash.
    ///
    ///     [ block: 16 | any: 8 | the state after the block: 8 ]
    ///
    /// The last word is xored with the state, so the product becomes 0, whatever the third word is.
    package static func ofStableHash(seed: UInt64, count: Int) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        var block: [UInt8] = []
        var state: [UInt8] = []
        repeat {
            block = (0..<16).map { _ in printable[random.below(printable.count)] }
            let word = block.withByteView { block in
                foldedProduct(
                    block.word(at: 0) ^ 0xe703_7ed1_a0b4_28db,
                    by: block.word(at: 8) ^ seed ^ 0xa076_1d64_78bd_642f
                )
            }
            state = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        } while !state.allSatisfy { isPrintable($0) }
        return (0..<count).map { block + digits($0) + state }
    }

    private static let printable = (UInt8.min...UInt8.max).filter { isPrintable($0) }

    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != 0x22 && byte != 0x5c
    }

    private static func digits(_ number: Int) -> [UInt8] {
        let text = Array(String(number).utf8)
        return [UInt8](repeating: 0x30, count: 8 - text.count) + text
    }
}
