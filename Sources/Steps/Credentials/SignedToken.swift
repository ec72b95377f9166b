package import Basics

/// A signed token in its compact form (JWS, RFC 7515 section 7.1); nothing of it is verified yet.
///
///     header . claims . signature         each in base64url; header and claims are JSON
package struct SignedToken: Equatable, Sendable {
    /// What the header calls the algorithm; `EdDSA` for `Ed25519`, its name since RFC 9864, too.
    package let algorithm: String
    /// The id of the key that the header names; nil for none.
    package let keyID: String?
    /// The token.
    private let text: Secret
    /// The number of bytes that are signed: header and claims as they stand in the token.
    private let signedCount: Int
    /// The signature.
    package let signature: Secret
    /// The claims as JSON, neither verified nor checked.
    let claims: Secret

    /// The deepest nesting of a header and of claims.
    private static var jsonDepth: Int { 8 }
    /// The most bytes of a header: a stranger's is parsed before the token has proved anything, and
    /// each member of it takes time. It has room for `alg`, `typ`, and a `kid` as long as ids are.
    package static var headerBytes: Int { 512 }
    /// The most bytes of claims, for the same reason.
    package static var claimsBytes: Int { 2_048 }
    /// The most bytes of a signature; those of the algorithms here have 32 or 64.
    package static var signatureBytes: Int { 128 }

    /// Reads a token; nil if it has not the form of one, or asks for an extension, none of which is
    /// known here (`crit`); also if a part of it is too long, and nothing is decoded then.
    package init?(_ token: Secret) {
        guard let dots = Self.dots(of: token) else { return nil }
        self.init(token, dots: dots)
    }

    /// Reads a token that has `dots` at these offsets.
    init?(_ token: Secret, dots: (first: Int, second: Int)) {
        let (first, second) = dots
        guard Self.isShort(first, for: Self.headerBytes),
            Self.isShort(second - first - 1, for: Self.claimsBytes),
            Self.isShort(token.count - second - 1, for: Self.signatureBytes),
            let header = token.withByteView({ Secret(base64URL: $0.slice(0, to: first)) }),
            let claims = token.withByteView({ Secret(base64URL: $0.slice(first + 1, to: second)) }),
            let signature = token.withByteView({
                Secret(base64URL: $0.slice(second + 1, to: $0.count))
            })
        else { return nil }
        var algorithm: String?
        var keyID: String?
        var isUnderstood = true
        let isObject = header.withByteView { header in
            Self.members(of: header) { name, reader in
                switch (name, reader.peek()) {
                case ("alg", .string): algorithm = reader.readString().string
                case ("kid", .string): keyID = reader.readString().string
                case ("alg", _), ("kid", _), ("crit", _):
                    isUnderstood = false
                    reader.skipValue()
                default: reader.skipValue()
                }
            }
        }
        guard isObject, isUnderstood, let algorithm else { return nil }
        self.algorithm = algorithm == "Ed25519" ? "EdDSA" : algorithm
        self.keyID = keyID
        self.text = token
        self.signedCount = second
        self.signature = signature
        self.claims = claims
    }

    /// Whether base64url of this length codes no more bytes than are allowed.
    private static func isShort(_ length: Int, for most: Int) -> Bool {
        length <= (most * 4 + 2) / 3
    }

    /// Calls `body` with the name of each claim, and a reader of its value, which it must read or
    /// skip. Returns false if the claims are no JSON object.
    package func withClaims(_ body: (String, inout JSONReader) -> Void) -> Bool {
        claims.withByteView { Self.members(of: $0, body: body) }
    }

    /// Calls `body` with the bytes that are signed.
    package func withSignedBytes<Result>(_ body: (ByteView) -> Result) -> Result {
        text.withByteView { body($0.slice(0, to: signedCount)) }
    }

    /// The offsets of a text's dots; nil unless there are two, so that it looks like a signed token
    /// and not like a random one.
    static func dots(of token: Secret) -> (first: Int, second: Int)? {
        token.withByteView { text in
            var found: (first: Int, second: Int)?
            var count = 0
            for offset in 0..<text.count where text[offset] == UInt8(ascii: ".") {
                found = (found?.second ?? offset, offset)
                count += 1
            }
            return count == 2 ? found : nil
        }
    }

    /// Reads the members of a JSON object, and returns whether the bytes are one, without a member
    /// that stands in it twice.
    static func members(of json: ByteView, body: (String, inout JSONReader) -> Void) -> Bool {
        var scanner = JSONScanner(depthLimit: jsonDepth)
        guard (try? validateJSON(json, using: &scanner)) != nil else { return false }
        var reader = JSONReader(json)
        if reader.peek() != .object { return false }
        reader.enterObject()
        while let name = reader.nextKey()?.string { body(name, &reader) }
        return true
    }
}
