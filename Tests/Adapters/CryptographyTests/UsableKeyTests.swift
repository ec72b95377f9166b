import Credentials
import Cryptography
import Testing

@Suite("A public key")
struct UsableKeyTests {
    /// Bytes that are written as hexadecimal digits.
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
        }
    }

    @Test(
        "of Ed25519 is used if it is one of RFC 8032, section 7.1",
        arguments: [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
            "ec172b93ad5e563f4932c70e1245034c35467ef2efd4d64ebf819683467e2bf6",
            // The base point, and the same y with the other x.
            "5866666666666666666666666666666666666666666666666666666666666666",
            "58666666666666666666666666666666666666666666666666666666666666e6",
        ]
    )
    func known(digits: String) {
        #expect(VerificationKey.eddsa(publicKey: bytes(digits)).isUsable)
    }

    @Test(
        "of Ed25519 is refused if it is no point of the curve",
        arguments: [
            // y = 2, 7 and 8, with either bit of x.
            "0200000000000000000000000000000000000000000000000000000000000000",
            "0200000000000000000000000000000000000000000000000000000000000080",
            "0700000000000000000000000000000000000000000000000000000000000000",
            "0800000000000000000000000000000000000000000000000000000000000000",
            // y = 3 is one, and p + 3 is another way to write it.
            "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ]
    )
    func strange(digits: String) {
        #expect(!VerificationKey.eddsa(publicKey: bytes(digits)).isUsable)
    }

    @Test(
        "of Ed25519 is refused if its point has a small order",
        arguments: [
            // Orders 1, 2, 4, 4, 8, 8, 8 and 8.
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        ]
    )
    func small(digits: String) {
        #expect(!VerificationKey.eddsa(publicKey: bytes(digits)).isUsable)
    }

    @Test("of P-256 is used if it is the base point, and refused beside it")
    func p256() {
        let x = bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        let y = bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
        #expect(VerificationKey.es256(x: x, y: y).isUsable)
        #expect(!VerificationKey.es256(x: y, y: x).isUsable)
        let none = [UInt8](repeating: 0, count: 32)
        #expect(!VerificationKey.es256(x: none, y: none).isUsable)
        // The base point's x, and the number of the field added to it.
        let beyond = [UInt8](repeating: 0xff, count: 32)
        #expect(!VerificationKey.es256(x: beyond, y: y).isUsable)
    }

    @Test("is used if it was made here", arguments: ["HS256", "EdDSA", "ES256"])
    func made(algorithm: String) throws {
        for _ in 0..<20 {
            #expect(try #require(try SigningKey.new(algorithm)).verification.isUsable)
        }
    }
}
