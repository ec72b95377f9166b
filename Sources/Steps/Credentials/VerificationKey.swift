package import Basics

/// A key by which signed tokens are verified. It fixes the algorithm: what a token says about that
/// decides nothing (RFC 8725, section 3.1).
package enum VerificationKey: Hashable, Sendable {
    /// HMAC with SHA-256 (RFC 7518, section 3.2): a key that verifies can also sign.
    case hs256(secret: Secret)
    /// Ed25519 (RFC 8037): 32 bytes of the public key.
    case eddsa(publicKey: [UInt8])
    /// ECDSA on the curve P-256 with SHA-256 (RFC 7518, section 3.4): the point's coordinates, each
    /// of 32 bytes.
    case es256(x: [UInt8], y: [UInt8])

    /// The name of the algorithm in a token's header.
    package var algorithm: String {
        switch self {
        case .hs256: "HS256"
        case .eddsa: "EdDSA"
        case .es256: "ES256"
        }
    }

    /// The least bytes of a secret for HS256 (RFC 7518, section 3.2).
    package static var leastSecret: Int { 32 }
}

/// Why a JWK is no key here.
package struct JWKProblem: Error, Equatable, Sendable {
    /// The member that is wrong; empty for the whole.
    package let member: String
    /// What is wrong, as a clause.
    package let message: String

    /// A problem with a member, or with the whole if that is empty.
    package init(member: String, message: String) {
        self.member = member
        self.message = message
    }
}

extension VerificationKey {
    /// Reads a JWK (RFC 7517) that a scanner has accepted as JSON: `oct`, `OKP` with the curve
    /// Ed25519, or `EC` with the curve P-256. Members that do not matter here are ignored.
    ///
    /// - Throws: `JWKProblem`.
    package init(jwk reader: inout JSONReader) throws(JWKProblem) {
        guard reader.peek() == .object else {
            throw JWKProblem(member: "", message: "it must be an object, a JWK (RFC 7517)")
        }
        var texts: [String: String] = [:]
        var secret: Secret?
        var uses: JWKProblem?
        reader.enterObject()
        while let name = reader.nextKey()?.string {
            if name == "key_ops" {
                uses = Self.problem(ofUses: &reader)
            } else if ["kty", "crv", "alg", "use", "k", "x", "y", "d"].contains(name) {
                guard reader.peek() == .string else {
                    throw JWKProblem(member: name, message: "it must be a string")
                }
                switch name {
                case "k": secret = reader.readString().secret
                case "d":
                    // Not kept, not even for the error.
                    reader.skipValue()
                    texts[name] = ""
                default: texts[name] = reader.readString().string
                }
            } else {
                reader.skipValue()
            }
        }
        if texts["d"] != nil {
            throw JWKProblem(
                member: "d",
                message:
                    "this is a private key, with which tokens are signed; the router needs the "
                    + "key without d"
            )
        }
        if let uses { throw uses }
        self = try Self.key(texts, secret: secret)
        if let use = texts["use"], use != "sig" {
            throw JWKProblem(
                member: "use",
                message: "the key is for another use than signatures, for which it would say sig"
            )
        }
        if let wanted = texts["alg"], wanted != algorithm, !isEd25519(wanted) {
            throw JWKProblem(
                member: "alg",
                message: "the key is one for \(algorithm); it says another algorithm"
            )
        }
    }

    /// Whether the key is one of the algorithm that RFC 9864 calls Ed25519; before, its name was
    /// that of a family, EdDSA.
    private func isEd25519(_ name: String) -> Bool { name == "Ed25519" && algorithm == "EdDSA" }

    /// Reads `key_ops` (RFC 7517, section 4.3): what the key may be used for. Returns why it may
    /// not verify signatures; nil if it may.
    private static func problem(ofUses reader: inout JSONReader) -> JWKProblem? {
        let problem = JWKProblem(
            member: "key_ops",
            message: "it must be a list of strings with verify: the router verifies signatures"
        )
        guard reader.peek() == .array else {
            reader.skipValue()
            return problem
        }
        reader.enterArray()
        var (areTexts, isForVerifying) = (true, false)
        while reader.nextElement() {
            if reader.peek() == .string {
                if reader.readString().string == "verify" { isForVerifying = true }
            } else {
                areTexts = false
                reader.skipValue()
            }
        }
        return areTexts && isForVerifying ? nil : problem
    }

    private static func key(
        _ texts: [String: String],
        secret: Secret?
    ) throws(JWKProblem) -> VerificationKey {
        switch (texts["kty"], texts["crv"]) {
        case ("oct", _):
            guard let secret = secret?.withByteView({ Secret(base64URL: $0) }),
                secret.count >= leastSecret
            else {
                throw JWKProblem(
                    member: "k",
                    message: "it must be \(leastSecret) random bytes or more, in base64url"
                )
            }
            return .hs256(secret: secret)
        case ("OKP", "Ed25519"): return .eddsa(publicKey: try coordinate(texts, named: "x"))
        case ("EC", "P-256"):
            return .es256(
                x: try coordinate(texts, named: "x"),
                y: try coordinate(texts, named: "y")
            )
        default:
            throw JWKProblem(
                member: "kty",
                message: "the key must have kty oct (HS256), kty OKP with crv Ed25519 (EdDSA), or "
                    + "kty EC with crv P-256 (ES256)"
            )
        }
    }

    private static func coordinate(
        _ texts: [String: String],
        named name: String
    ) throws(JWKProblem) -> [UInt8] {
        guard let text = texts[name], let bytes = decodeBase64URL(Array(text.utf8)),
            bytes.count == 32
        else { throw JWKProblem(member: name, message: "it must be 32 bytes in base64url") }
        return bytes
    }
}
