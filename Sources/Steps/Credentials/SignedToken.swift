internal import DataStructures
internal import StrictJSON

/// A signed token in its compact form (JWS, RFC 7515 section 7.1); nothing of it is verified yet.
///
///     header . claims . signature         each in base64url; header and claims are JSON
package struct SignedToken: Equatable, Sendable {
    /// What the header calls the algorithm.
    package let algorithm: String
    /// The id of the key that the header names; nil for none.
    package let keyID: String?
    /// The bytes that are signed: header and claims as they stand in the token.
    package let signedBytes: [UInt8]
    /// The signature.
    package let signature: [UInt8]
    /// The claims as JSON, neither verified nor checked.
    let claims: [UInt8]

    /// The deepest nesting of a header and of claims.
    private static var jsonDepth: Int { 8 }

    /// Reads a token.
    ///
    /// - Returns: nil if it has not the form of one, or asks for an extension, none of which is
    ///   known here (`crit`).
    package init?(_ token: String) {
        let bytes = Array(token.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decodeBase64URL(parts[0]),
            let claims = decodeBase64URL(parts[1]), let signature = decodeBase64URL(parts[2])
        else { return nil }
        var algorithm: String?
        var keyID: String?
        var isUnderstood = true
        let isObject = Self.members(of: header) { name, reader in
            switch (name, reader.peek()) {
            case ("alg", .string): algorithm = reader.readString().string
            case ("kid", .string): keyID = reader.readString().string
            case ("alg", _), ("kid", _), ("crit", _):
                isUnderstood = false
                reader.skipValue()
            default: reader.skipValue()
            }
        }
        guard isObject, isUnderstood, let algorithm else { return nil }
        self.algorithm = algorithm
        self.keyID = keyID
        self.signedBytes = Array(bytes[..<(parts[2].startIndex - 1)])
        self.signature = signature
        self.claims = claims
    }

    /// Whether a text looks like a signed token, and not like a random one: it has two dots.
    static func isLike(_ token: String) -> Bool {
        token.withByteView { bytes in
            var count = 0
            for offset in 0..<bytes.count where bytes[offset] == UInt8(ascii: ".") { count += 1 }
            return count == 2
        }
    }

    /// Reads the members of a JSON object.
    ///
    /// - Returns: whether the bytes are one, without a member that stands in it twice.
    static func members(
        of json: [UInt8],
        body: (String, inout JSONReader) -> Void
    ) -> Bool {
        json.withByteView { view in
            var scanner = JSONScanner(depthLimit: jsonDepth)
            guard (try? validateJSON(view, using: &scanner)) != nil else { return false }
            var reader = JSONReader(view)
            if reader.peek() != .object { return false }
            reader.enterObject()
            while let name = reader.nextKey()?.string { body(name, &reader) }
            return true
        }
    }
}
