internal import Basics

/// A key with which tokens are signed: an app's backend has it, and the router the part of it that
/// verifies.
package struct SigningKey: Equatable, Sendable {
    /// The part that verifies. For HS256, it is the secret itself.
    package let verification: VerificationKey
    /// The private key, of 32 bytes; empty for HS256.
    package let secret: [UInt8]

    /// A key that was made or read.
    package init(verification: VerificationKey, secret: [UInt8]) {
        self.verification = verification
        self.secret = secret
    }

    /// Reads a private JWK (RFC 7517): one of `VerificationKey`'s, with `d` unless it is `oct`.
    ///
    /// - Parameter json: bytes of a file.
    /// - Throws: `JWKProblem`.
    package init(jwk json: [UInt8]) throws(JWKProblem) {
        var secret: [UInt8] = []
        var isObject = false
        let publicPart = JSONWriter.object { writer in
            isObject = json.withByteView { json in
                SignedToken.members(of: json) { name, reader in
                    if name == "d" && reader.peek() == .string {
                        secret = decodeBase64URL(Array(reader.readString().string.utf8)) ?? []
                    } else {
                        writer.member(name, json: reader.rawValue())
                    }
                }
            }
        }
        if !isObject { throw JWKProblem(member: "", message: "it must be a JWK, a JSON object") }
        verification = try publicPart.withByteView { (view) throws(JWKProblem) in
            var reader = JSONReader(view)
            return try VerificationKey(jwk: &reader)
        }
        if case .hs256 = verification {
            secret = []
        } else if secret.count != 32 {
            throw JWKProblem(member: "d", message: "it must be 32 bytes in base64url, to sign with")
        }
        self.secret = secret
    }

    /// The key as a private JWK.
    package var jwk: [UInt8] {
        JSONWriter.object { json in
            json.members(of: verification)
            if !secret.isEmpty { json.member("d", value: encodeBase64URL(secret)) }
        }
    }

    /// The bytes that are signed for a token with these claims: header and claims as they stand in
    /// the token, with the dot between them. `keyID` is the id of the credential in the app file
    /// that has the key; nil for none.
    package func signedBytes(_ claims: TokenClaims, keyID: String?) -> [UInt8] {
        let header = JSONWriter.object { json in
            json.member("alg", value: verification.algorithm)
            json.member("typ", value: "JWT")
            if let keyID { json.member("kid", value: keyID) }
        }
        return Array("\(encodeBase64URL(header)).\(encodeBase64URL(claims.json))".utf8)
    }
}

extension VerificationKey {
    /// The key as a JWK. That of HS256 is a secret.
    package var jwk: [UInt8] { JSONWriter.object { $0.members(of: self) } }
}

extension JSONWriter {
    fileprivate mutating func members(of key: VerificationKey) {
        switch key {
        case .hs256(let secret):
            member("kty", value: "oct")
            member("k", value: secret.withByteView { encodeBase64URL($0.array) })
        case .eddsa(let publicKey):
            member("kty", value: "OKP")
            member("crv", value: "Ed25519")
            member("x", value: encodeBase64URL(publicKey))
        case .es256(let x, let y):
            member("kty", value: "EC")
            member("crv", value: "P-256")
            member("x", value: encodeBase64URL(x))
            member("y", value: encodeBase64URL(y))
        }
    }
}
