import Basics
import Credentials
import Testing

@testable import Cryptography

@Suite("A provider key")
struct ProviderKeyTests {
    /// A key for tests, as `openssl pkcs8 -topk8 -nocrypt` writes one of P-256.
    private let file = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbBt+JbUJxIx2fscD
        mLPbio3uEi6SQcAzokBFinM6uSahRANCAATohUdmXXLP6u9VZD8tzC07Xf/TGu0B
        snzWXVp5ntH7GPcgtEJo5niisIoB1+tBQCPJVeVCQuStxkwzNWKTV6oG
        -----END PRIVATE KEY-----
        """
    /// The coordinates of its point.
    private let coordinates = (
        x: "e88547665d72cfeaef55643f2dcc2d3b5dffd31aed01b27cd65d5a799ed1fb18",
        y: "f720b44268e678a2b08a01d7eb414023c955e54242e4adc64c3335629357aa06"
    )

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
        }
    }

    private func key(_ text: String) throws -> ProviderKey {
        try ProviderKey(pem: Array(text.utf8))
    }

    @Test func `signs what its public part verifies, each time with the same signature`() throws {
        let key = try key(file)
        let verifier = VerificationKey.es256(x: bytes(coordinates.x), y: bytes(coordinates.y))
        let message = Array("header.claims".utf8)
        let (first, second) = (try key.sign(message), try key.sign(message))
        #expect(first == second)
        let other = try key.sign(Array("header.others".utf8))
        #expect(other != first && other.prefix(32) != first.prefix(32))
        for signature in [first, second] {
            #expect(signature.count == 64)
            let isGood = signature.withByteView { signature in
                message.withByteView { verifier.verifies(signature, of: $0) }
            }
            #expect(isGood)
            let isGoodForOther = signature.withByteView { signature in
                Array("header.others".utf8).withByteView { verifier.verifies(signature, of: $0) }
            }
            #expect(!isGoodForOther)
        }
    }

    /// RFC 6979, appendix A.2.5: curve NIST P-256, with SHA-256.
    @Test(
        arguments: [
            (
                "sample",
                "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
            ),
            (
                "test",
                "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                    + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
            ),
        ]
    )
    func `signs as RFC 6979 has it`(message: String, signature: String) throws {
        let example = """
            -----BEGIN PRIVATE KEY-----
            MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCDJr6nYRbp1FmtcIVdn
            sdaTTlDD2zbomxJ7imIrEg9nIQ==
            -----END PRIVATE KEY-----
            """
        #expect(try key(example).sign(Array(message.utf8)) == bytes(signature))
    }

    @Test func `is the same key when its file is read again, and another one otherwise`() throws {
        let other = try DevelopmentAuthority(named: "other", now: .zero, days: 1)
        let identity = try other.issue(for: ["localhost"], now: .zero, days: 1)
        let (first, second) = (try key(file), try key("\n\(file)\n"))
        #expect(first.isSame(as: second))
        #expect(try !first.isSame(as: ProviderKey(pem: identity.key)))
    }

    @Test(
        "is refused if it is of another curve, another algorithm, or none at all",
        arguments: [
            // secp256k1
            """
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgvP/3VOkHlwbs+BEjpINu
            8s6bpyVuuyuY1CVuojbC7dahRANCAARMhuPV2m8OAm+DHcVXTwRpsuv3kpcZufFs
            r9bJkV38wS7ncHj/juixiwe//Ypn+Jm3WL1eUL8E3om9kuwoKt+F
            """,
            // P-384
            """
            MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDEAkmK29+Gj1fDP5s1
            0jZGxe6StVgEexydHlnFtohQPKJcys6xI2WnX00T66kgf1OhZANiAAQLiyFDehfa
            tqK2kOAhDr1cXMuCL+SNIPjytZ60T6dw7sUiYBEjFq/zpmARF3GzSgeBRA+FGgvl
            /v1LnoYWJCDOpb0PX536EqszAmgzesYcocAo+8YuUIop9MZHoXZRvCQ=
            """,
            // Ed25519, of RFC 8410, section 10.3
            "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC",
            "", "no base64",
        ]
    )
    func refused(body: String) {
        let text = "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
        #expect(throws: TLSError.self) { try key(text) }
        #expect(throws: TLSError.self) { try key(body) }
    }
}
