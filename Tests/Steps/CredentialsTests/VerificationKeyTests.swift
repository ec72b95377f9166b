import Basics
import Credentials
import Testing

@Suite("A key for signed tokens, as a JWK")
struct VerificationKeyTests {
    private static let point = encodeBase64URL(Array(repeating: 7, count: 32))

    private func key(_ members: String) throws(JWKProblem) -> VerificationKey {
        let text = #"{"kty":"OKP","crv":"Ed25519","x":"\#(Self.point)"\#(members)}"#
        return try Array(text.utf8).withByteView { (bytes) throws(JWKProblem) in
            var reader = JSONReader(bytes)
            return try VerificationKey(jwk: &reader)
        }
    }

    @Test(
        arguments: [
            "", #","alg":"EdDSA""#, #","alg":"Ed25519""#, #","use":"sig""#,
            #","key_ops":["verify"]"#, #","key_ops":["sign","verify"],"use":"sig""#,
        ]
    )
    func `is read if it is one that verifies`(members: String) throws {
        #expect(try key(members) == .eddsa(publicKey: Array(repeating: 7, count: 32)))
    }

    @Test(
        arguments: [
            (#","alg":"ES256""#, "alg"), (#","alg":"Ed448""#, "alg"), (#","alg":7"#, "alg"),
            (#","use":"enc""#, "use"), (#","use":null"#, "use"),
            (#","key_ops":[]"#, "key_ops"), (#","key_ops":["sign"]"#, "key_ops"),
            (#","key_ops":"verify""#, "key_ops"), (#","key_ops":["verify",7]"#, "key_ops"),
            (#","key_ops":[{"a":[1]},"verify"]"#, "key_ops"), (#","key_ops":{"a":[1]}"#, "key_ops"),
        ]
    )
    func `is refused for another algorithm or use, by the member that says so`(
        members: String,
        member: String
    ) {
        let problem = #expect(throws: JWKProblem.self) { try key(members) }
        #expect(problem?.member == member)
    }

    @Test(
        arguments: [
            #","key_ops":["sign"],"d":"c2VjcmV0""#, #","d":"c2VjcmV0","key_ops":["sign"]"#,
            #","key_ops":[7,{"a":[1]}],"d":"c2VjcmV0""#, #","key_ops":"sign","d":"c2VjcmV0""#,
        ]
    )
    func `is called a private one first, whatever it may be used for`(members: String) {
        let problem = #expect(throws: JWKProblem.self) { try key(members) }
        #expect(problem?.member == "d")
    }

    @Test(arguments: ["EdDSA", "Ed25519"])
    func `verifies tokens that name its algorithm in either way`(name: String) {
        let header = encodeBase64URL(Array(#"{"alg":"\#(name)"}"#.utf8))
        let token = SignedToken(Secret(Array("\(header).e30.c2ln".utf8)))
        #expect(token?.algorithm == "EdDSA")
    }
}
