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
        var claims: [String: JSONValue] = [:]
        let isObject = token.withClaims { claims[$0] = JSONValue(&$1) }
        if !isObject { throw Self.flaw("its claims are no JSON object") }
        switch claims["iss"] {
        case .string("")?: throw Self.flaw("its claim iss is empty; it is the id of the team")
        case .string?: break
        case nil: throw Self.flaw("its claims have no iss, the id of the team")
        default: throw Self.flaw("its claim iss is no text, which it must be: the id of the team")
        }
        var form: String?
        let date: Double
        switch claims["iat"] {
        case .number(let text)?:
            date = Double(text) ?? .nan
            if Int64(text) == nil { form = "a number with a fraction or an exponent" }
        case .string(let text)?:
            date = Double(text) ?? .nan
            form = "a text"
        case nil: throw Self.flaw("its claims have no iat, the date in seconds since 1970")
        default: date = .nan
        }
        if !date.isFinite { throw Self.flaw("its claim iat is no number of seconds since 1970") }
        if abs(date) > 1e11 {
            throw Self.flaw("its claim iat is far from now; it must be in seconds since 1970")
        }
        issuedAt = WallTime(rawValue: Int64(date * 1_000))
        oddity = form.map { form in
            let page = "Apple's page has a whole number of seconds"
            return MockFlaw(nil, because: "the provider token's claim iat is \(form); \(page)")
        }
    }

    private static func flaw(_ sentence: String) -> MockFlaw {
        MockFlaw(.invalidProviderToken, because: "the provider token: \(sentence)")
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
