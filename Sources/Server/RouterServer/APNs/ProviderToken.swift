internal import APNsProtocol
internal import Basics
internal import Credentials
internal import Cryptography

/// The token by which a team proves itself to APNs: a JWT that says which team it is and when it
/// was signed, by ES256.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
struct ProviderToken {
    /// Which of its provider's tokens it is, counted from 1.
    let number: UInt64
    /// The token as a request has it, after `bearer`.
    let bytes: [UInt8]
    /// How old it is.
    let age: ProviderTokenAge

    /// Signs a token. The same team, key and date give the same token; of the date, the seconds
    /// count.
    init(
        _ number: UInt64,
        team: String,
        keyID: String,
        key: ProviderKey,
        issuedAt: WallTime,
        now: Instant
    ) throws(TLSError) {
        self.number = number
        age = ProviderTokenAge(madeAt: now, issuedAt: issuedAt)
        let header = JSONWriter.object { json in
            json.member("alg", value: "ES256")
            json.member("kid", value: keyID)
        }
        let date = issuedAt.rawValue / 1_000
        let claims = JSONWriter.object { json in
            json.member("iss", value: team)
            json.member("iat", value: date)
        }
        let signed = Array("\(encodeBase64URL(header)).\(encodeBase64URL(claims))".utf8)
        let signature = encodeBase64URL(try key.sign(signed))
        bytes = signed + [UInt8(ascii: ".")] + Array(signature.utf8)
    }
}
