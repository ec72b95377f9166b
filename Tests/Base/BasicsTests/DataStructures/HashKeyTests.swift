import Basics
import TestSupport
import Testing

@Suite("A hash key")
struct HashKeyTests {
    /// The bytes 0, 1, 2 … 15.
    private let key = HashKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

    /// SipHash-1-3 of 0 … 63 bytes 0, 1, 2 … under this key: those of the authors' program, as
    /// Rust's library tests them.
    private let vectors: [UInt64] = [
        0xabac_0158_050f_c4dc, 0xc9f4_9bf3_7d57_ca93, 0x82cb_9b02_4dc7_d44d, 0x8bf8_0ab8_e7dd_f7fb,
        0xcf75_5760_88d3_8328, 0xdef9_d52f_4953_3b67, 0xc50d_2b50_c59f_22a7, 0xd392_7d98_9bb1_1140,
        0x3690_9511_8d29_9a8e, 0x25a4_8eb3_6c06_3de4, 0x79de_85ee_92ff_097f, 0x70c1_18c1_f94d_c352,
        0x78a3_84b1_57b4_d9a2, 0x306f_760c_1229_ffa7, 0x605a_a111_c0f9_5d34, 0xd320_d86d_2a51_9956,
        0xcc4f_dd1a_7d90_8b66, 0x9cf2_6890_63db_d80c, 0x8ffc_389c_b473_e63e, 0xf21f_9de5_8d29_7d1c,
        0xc0dc_2f46_a6cc_e040, 0xb992_abfe_2b45_f844, 0x7ffe_7b9b_a320_872e, 0x525a_0e7f_dae6_c123,
        0xf464_aeb2_6734_9c8c, 0x45cd_5928_705b_0979, 0x3a3e_35e3_ca99_13a5, 0xa91d_c74e_4ade_3b35,
        0xfb0b_ed02_ef6c_d00d, 0x88d9_3cb4_4ab1_e1f4, 0x540f_11d6_43c5_e663, 0x2370_dd1f_8c21_d1bc,
        0x8115_7b6c_16a7_b60d, 0x4d54_b9e5_7a8f_f9bf, 0x759f_1278_1f2a_753e, 0xcea1_a3be_bf18_6b91,
        0x2cf5_08d3_ada2_6206, 0xb610_1c2d_a3c3_3057, 0xb3f4_7496_ae3a_36a1, 0x626b_5754_7b10_8392,
        0xc1d2_3632_99e4_1531, 0x667c_c192_3f1a_d944, 0x6570_4ffe_c813_8825, 0x24f2_80d1_c289_49a6,
        0xc2ca_1ced_faf8_876b, 0xc216_4bfc_9f04_2196, 0xa16e_9c93_68b1_d623, 0x49fb_169c_8b51_14fd,
        0x9f31_43f8_df07_4c46, 0xc6fd_af24_12cc_86b3, 0x7eaf_49d1_0a52_098f, 0x1cf3_1355_9d29_2f9a,
        0xc44a_30dd_a2f4_1f12, 0x36fa_e989_43a7_1ed0, 0x318f_b34c_73f0_bce6, 0xa27a_bf36_70a7_e980,
        0xb4bc_c0db_243c_6d75, 0x23f8_d852_fdb7_1513, 0x8f03_5f4d_a67d_8a08, 0xd89c_d0e5_b7e8_f148,
        0xf6f4_e6bc_f7a6_44ee, 0xaec5_9ad8_0f18_37f2, 0xc3b2_f615_4b66_94e0, 0x9d19_9062_b7bb_b3a8,
    ]

    @Test("gives the published values of SipHash-1-3")
    func siphash13() {
        for count in vectors.indices {
            let found = (0..<count).map { UInt8($0) }.withByteView { key.hash($0) }
            #expect(found == vectors[count], "\(count) bytes")
        }
    }

    @Test("gives the published values of SipHash-2-4 as digests")
    func siphash24() {
        let expected: [(count: Int, hash: UInt64)] = [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
        ]
        for (count, value) in expected {
            let found = (0..<count).map { UInt8($0) }.withByteView { key.digest($0) }
            #expect(found == value, "\(count) bytes")
        }
        #expect(key.digest(0x0706_0504_0302_0100) == 0x93f5_f579_9a93_2462)
    }

    @Test("spreads names that the stable hash makes one")
    func stableHashIsNoTableHash() {
        let names = CollidingNames.ofStableHash(seed: 7, count: 4_000)
        #expect(Set(names).count == names.count)
        #expect(Set(names.map { $0.withByteView { stableHash($0, seed: 7) } }).count == 1)
        #expect(Set(names.map { $0.withByteView { key.hash($0) } }).count == names.count)
        #expect(
            Set(names.map { $0.withByteView { key.hash(3, followedBy: $0) } }).count == names.count
        )
        let product = ProductHash(key)
        #expect(Set(names.map { $0.withByteView { product.hash($0) } }).count == names.count)
    }

    @Test("has collisions that another key does not have")
    func unrelatedCollisions() {
        var random = SeededGenerator(seed: 1)
        let other = HashKey(using: &random)
        let names = (0..<60_000).map { Array("device-\($0)".utf8) }
        let hashes: [(String, (HashKey, ByteView) -> UInt64)] = [
            ("SipHash", { $0.hash($1) }), ("product", { ProductHash($0).hash($1) }),
        ]
        for (name, hash) in hashes {
            // 2^16 places: half of the names share theirs.
            var places: [UInt64: Int] = [:]
            var pairs = 0
            var sharedPairs = 0
            for index in names.indices {
                let position = names[index].withByteView { hash(key, $0) } & 0xffff
                if let earlier = places[position] {
                    pairs += 1
                    let found = [index, earlier].map { index in
                        names[index].withByteView { hash(other, $0) } & 0xffff
                    }
                    if found[0] == found[1] { sharedPairs += 1 }
                }
                places[position] = index
            }
            #expect(pairs > 15_000, "\(name)")
            // 0.3 on average.
            #expect(sharedPairs < 8, "\(name): \(sharedPairs) of \(pairs)")
        }
    }

    @Test("is another for each subkey, and the same for the same")
    func subkeys() {
        let subkeys = (0..<1_000).map { key.subkey(UInt64($0)) }
        let hashes = Set(subkeys.map { $0.hash(1) })
        #expect(hashes.count == subkeys.count)
        #expect(key.subkey(5) == subkeys[5])
        #expect(HashKey.ofRuntime == HashKey.ofRuntime)
        #expect(HashKey.ofRuntime != HashKey(low: 0, high: 0))
    }
}

@Suite("A product hash")
struct ProductHashTests {
    private let product = ProductHash(HashKey(low: 1, high: 2))

    @Test("is not weakened by a constant that is public")
    func noConstants() {
        // wyhash's, and zero: the words that would make one of its factors zero.
        let words: [UInt64] = [
            0, .max, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3,
            0x5896_5cc7_5374_cc3b, 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93,
        ]
        for word in words {
            var texts: [[UInt8]] = []
            for number in 0..<500 as Range<UInt64> {
                let (known, free) = (bytes(word), bytes(number))
                texts += [known + free, free + known, known + known + free + known]
                texts += [free + free + known + known, known + free + free]
            }
            let hashes = Set(texts.map { $0.withByteView { product.hash($0) } })
            #expect(hashes.count == Set(texts).count, "\(word)")
            let words = (1...500 as ClosedRange<UInt64>).flatMap { number in
                [
                    product.hash(word, and: number, at: 3), product.hash(number, and: word, at: 3),
                    product.hash(product.hash(product.start(1), adding: word), adding: number),
                ]
            }
            #expect(Set(words).count == words.count, "\(word)")
        }
    }

    @Test("distinguishes places, tags and lengths")
    func reports() {
        let text = [UInt8](repeating: 0, count: 40)
        var hashes: Set<UInt64> = []
        for count in 0...40 {
            for tag in 0..<8 as Range<UInt8> {
                hashes.insert(
                    text.withByteView { product.hash($0.slice(0, to: count), tag: tag) }
                )
            }
        }
        for position in 0..<500 as Range<UInt64> {
            hashes.insert(product.hash(product.start(position), adding: 0))
            hashes.insert(product.hash(0, and: 0, at: position))
        }
        #expect(hashes.count == 41 * 8 + 1_000)
    }

    @Test("does not look beyond the bytes")
    func staysInside() {
        for count in 0...40 {
            let hashes = [0xaa, 0x55].map { filler in
                ((0..<count).map { UInt8($0) } + [UInt8](repeating: filler, count: 16))
                    .withByteView { product.hash($0.slice(0, to: count)) }
            }
            #expect(hashes[0] == hashes[1], "\(count) bytes")
        }
    }

    @Test("spreads numbered names and words evenly over its top and bottom byte")
    func spread() {
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 4)
        for number in 0..<65_536 {
            let name = "device-\(number)".withByteView { product.hash($0) }
            let word = product.hash(product.start(1), adding: UInt64(number) << 24)
            for (index, byte) in [name >> 56, name & 0xff, word >> 56, word & 0xff].enumerated() {
                counts[index][Int(byte)] += 1
            }
        }
        // 256 each on average, with a deviation of 16: six deviations are never seen by chance.
        #expect(counts[0].allSatisfy { (160...352).contains($0) })
        #expect(counts[1].allSatisfy { (160...352).contains($0) })
        // Numbers in a row are spread more evenly than by chance, or a little less.
        #expect(counts[2].allSatisfy { (128...512).contains($0) })
        #expect(counts[3].allSatisfy { (128...512).contains($0) })
    }

    private func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
}

@Suite("A stable hash")
struct StableHashTests {
    @Test("is what it has always been: decisions and stored fingerprints depend on it")
    func golden() {
        let expected: [(String, UInt64, UInt64)] = [
            ("", 0, 0xa550_6ff5_2926_ac13), ("elf-42", 7, 0x7974_ef5f_d993_5bc9),
            ("device-0000001", 1, 0x2114_2f93_6198_6699),
            ("a name of more than sixteen bytes", .max, 0xa123_2e86_07fa_b604),
        ]
        for (text, seed, hash) in expected {
            #expect(text.withByteView { stableHash($0, seed: seed) } == hash, "\(text)")
        }
    }
}
