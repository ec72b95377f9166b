internal import APNsProtocol
internal import Basics
internal import Credentials

/// What a provider token says, as far as APNs looks at it.
///
/// Apple's page has `iat` as a whole number of seconds. Clients that are in use write a number with
/// a fraction (pyapns-client 2.0.6) or a text (kalyke-apns 1.5.0), and reach Apple's devices with
/// that: so the mock takes both, and says so.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
struct MockProviderToken {
    /// The token itself, with its signature.
    let token: SignedToken
    /// When it was made.
    let issuedAt: WallTime
    /// What is odd about it; nil for nothing.
    let oddity: MockFlaw?

    /// Reads the field `authorization` of a request.
    ///
    /// - Throws: `MockFlaw` with the reason that APNs gives, and why.
    init(_ authorization: String?) throws(MockFlaw) {
        guard let authorization else {
            throw MockFlaw(.missingProviderToken, because: "there is no field authorization")
        }
        let prefix = "bearer "
        guard authorization.lowercased().hasPrefix(prefix) else {
            throw Self.flaw("the field authorization does not begin with bearer and a blank")
        }
        guard
            let token = SignedToken(Secret(Array(authorization.utf8.dropFirst(prefix.utf8.count))))
        else {
            throw Self.flaw(
                "what follows bearer is no signed token: header, claims and signature in base64url, "
                    + "with dots between them"
            )
        }
        if token.algorithm != "ES256" {
            throw Self.flaw("alg of its header is \(quotation(token.algorithm)), not ES256")
        }
        if token.keyID == nil { throw Self.flaw("its header has no kid, the id of the key") }
        self.token = token
        var claims = Claims()
        if !token.withClaims({ name, reader in claims.read(name, from: &reader) }) {
            throw Self.flaw("its claims are no JSON object")
        }
        switch claims.team {
        case .missing: throw Self.flaw("its claims have no iss, the id of the team")
        case .other:
            throw Self.flaw("its claim iss is no text, which it must be: the id of the team")
        case .text(let text):
            if text.isEmpty { throw Self.flaw("its claim iss is empty; it is the id of the team") }
        }
        guard let seconds = claims.seconds else {
            throw Self.flaw(
                claims.hasDate
                    ? "its claim iat is no number of seconds since 1970"
                    : "its claims have no iat, the date in seconds since 1970"
            )
        }
        if abs(seconds) > 1e11 {
            throw Self.flaw("its claim iat is far from now; it must be in seconds since 1970")
        }
        issuedAt = WallTime(rawValue: Int64(seconds * 1_000))
        oddity = claims.oddity.map { MockFlaw(nil, because: $0) }
    }

    private static func flaw(_ sentence: String) -> MockFlaw {
        MockFlaw(.invalidProviderToken, because: "the provider token: \(sentence)")
    }

    /// The claims that matter.
    private struct Claims {
        enum Team {
            case missing
            case other
            case text(String)
        }

        var team = Team.missing
        var seconds: Double?
        var hasDate = false
        var oddity: String?

        mutating func read(_ name: String, from reader: inout JSONReader) {
            switch (name, reader.peek()) {
            case ("iss", .string): team = .text(reader.readString().string)
            case ("iss", _):
                team = .other
                reader.skipValue()
            case ("iat", .number):
                hasDate = true
                let text = reader.rawValue().string
                seconds = Double(text)
                if Int64(text) == nil { note("a number with a fraction or an exponent") }
            case ("iat", .string):
                hasDate = true
                seconds = Double(reader.readString().string)
                if seconds?.isFinite != true { seconds = nil }
                note("a text")
            case ("iat", _):
                hasDate = true
                reader.skipValue()
            default: reader.skipValue()
            }
        }

        private mutating func note(_ form: String) {
            oddity =
                "the provider token's claim iat is \(form); Apple's page has a whole number of "
                + "seconds"
        }
    }
}

/// What is wrong with a request, or odd: Apple's reason, and a sentence for people, which APNs does
/// not give.
struct MockFlaw: Error {
    /// Why the request is refused; nil if it is accepted all the same.
    let reason: APNsReason?
    /// What is wrong, without what is secret.
    let sentence: String

    init(_ reason: APNsReason?, because sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }
}
