import Basics
import Credentials
import Cryptography
import TestSupport
import Testing

@Suite("Signed tokens")
struct SignedTokenTests {
    /// The example of RFC 7515, appendix A.1.
    static let example =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0d"
        + "HA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test("are read as RFC 7515 shows them")
    func reading() throws {
        let token = try #require(SignedToken(Secret(Self.example)))
        #expect(token.algorithm == "HS256")
        #expect(token.keyID == nil)
        #expect(token.signature.count == 32)
        #expect(Self.example.hasPrefix(token.withSignedBytes { $0.string } + "."))
    }

    @Test(
        "are refused if they have another form",
        arguments: [
            "", "..", "a.b.c", "e30.e30.", "eyJhbGciOjF9.e30.AA",
            // {"alg":"HS256","crit":["exp"]}
            "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsiZXhwIl19.e30.AA",
            // {"alg":"HS256","alg":"none"}
            "eyJhbGciOiJIUzI1NiIsImFsZyI6Im5vbmUifQ.e30.AA",
            "eyJhbGciOiJIUzI1NiJ9.e30.AA==", "eyJhbGciOiJIUzI1NiJ9.e30.A", "W10.e30.AA",
            "eyJhbGciOiJIUzI1NiJ9.e30.AA.AA",
        ]
    )
    func malformed(text: String) {
        #expect(SignedToken(Secret(text)) == nil)
    }

    @Test("are refused before a part that is too long is decoded")
    func longParts() throws {
        func token(header: Int = 40, claims: Int = 40, signature: Int = 32) -> SignedToken? {
            let start = #"{"alg":"HS256","x":""#
            let padding = String(repeating: "x", count: header - start.utf8.count - 2)
            let parts = [
                Array("\(start)\(padding)\"}".utf8), [UInt8](repeating: 0x20, count: claims),
                [UInt8](repeating: 1, count: signature),
            ]
            return SignedToken(Secret(parts.map { encodeBase64URL($0) }.joined(separator: ".")))
        }
        #expect(token(header: SignedToken.headerBytes) != nil)
        #expect(token(header: SignedToken.headerBytes + 1) == nil)
        #expect(token(claims: SignedToken.claimsBytes) != nil)
        #expect(token(claims: SignedToken.claimsBytes + 1) == nil)
        #expect(token(signature: SignedToken.signatureBytes) != nil)
        #expect(token(signature: SignedToken.signatureBytes + 1) == nil)
    }

    @Test("are read, whatever bytes they have, without a trap", arguments: 0..<200)
    func fuzz(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = Array(Self.example.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                in: 0x20...0x7e,
                using: &random
            )
        }
        _ = SignedToken(Secret(bytes))
    }
}

@Suite("HMAC with SHA-256")
struct HMACTests {
    @Test(
        "agrees with RFC 4231, test cases 1, 2 and 6",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "sDRMYdjbOFNcqK_OrwvxK4gdwgDJgz2nJuk3bC4yz_c"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "YOQxWR7gtn8Niiaqy_W3f44LxiE3KMUUBUYEDw7jf1Q"
            ),
        ]
    )
    func vectors(secret: [UInt8], text: String, code: String) throws {
        let key = VerificationKey.hs256(secret: Secret(secret))
        var bytes = try #require(decodeBase64URL(code.utf8))
        #expect(verifies(bytes, of: text, by: key))
        bytes[31] ^= 1
        #expect(!verifies(bytes, of: text, by: key))
        #expect(!verifies(bytes.dropLast(), of: text, by: key))
    }

    private func verifies(_ code: [UInt8], of text: String, by key: VerificationKey) -> Bool {
        code.withByteView { code in text.withByteView { key.verifies(code, of: $0) } }
    }
}

@Suite("base64url")
struct Base64URLTests {
    @Test("encodes and decodes the vectors of RFC 4648 without padding")
    func vectors() {
        let vectors = [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ]
        for (text, code) in vectors {
            #expect(encodeBase64URL(text.utf8) == code)
            #expect(decodeBase64URL(code.utf8) == Array(text.utf8))
        }
        #expect(encodeBase64URL([0xfb, 0xff]) == "-_8")
    }

    @Test(
        "refuses padding, other alphabets, and bits that code nothing",
        arguments: ["Zg==", "+_8", "Zh", "A"]
    )
    func refusals(text: String) {
        #expect(decodeBase64URL(text.utf8) == nil)
    }
}
