internal import Basics
internal import Credentials

/// Reads who may have the roles of an app: `"open"`, or a list of credentials.
extension AppFileParser {
    /// The most credentials of one role; a file with more is refused.
    static var credentialLimit: Int { 1_024 }
    /// What the longest age of signed tokens may be, in seconds: a minute to ten years.
    private static var tokenAges: ClosedRange<Int> { 60...315_360_000 }

    /// Whether a member of an app says who may have a role, in this version or a former one.
    static func isAccess(_ name: String) -> Bool {
        [
            "publishers", "devices", "gateways", "publisherTokens", "deviceTokens",
            "gatewayTokens",
        ].contains(name)
    }

    /// Reads the value of `publishers`, `devices` or `gateways`; in a credential, the member
    /// `namesMember` says who may use it.
    func roleAccess(namesMember: String) throws(AppFileError) -> RoleAccess {
        if reader.peek() == .string {
            if reader.readString() == "open" { return .open }
            throw mistake(
                "the text must be \"open\", for everybody; otherwise credentials are listed"
            )
        }
        guard reader.peek() == .array else {
            throw wrongType(expected: "an array of credentials, or \"open\"")
        }
        let list = try uniqueElements(
            each: { () throws(AppFileError) in try credential(namesMember: namesMember) },
            name: \.id
        )
        if list.count > Self.credentialLimit {
            throw mistake(
                "there are \(list.count) credentials; a role may have \(Self.credentialLimit)"
            )
        }
        return .listed(list)
    }

    private func credential(namesMember: String) throws(AppFileError) -> Credential {
        if reader.peek() == .string {
            throw mistake(
                "a token does not stand here in clear: write an object with its id and sha256, as "
                    + "`reload-router token new` prints it"
            )
        }
        var id: String?
        var proofs: [CredentialProof] = []
        var names = NamePatterns.all
        var notAfter: WallTime?
        var maxTokenAge: Milliseconds?
        try members { (name) throws(AppFileError) in
            switch name {
            case "id": id = try identifier()
            case "sha256": proofs.append(.token(try digest()))
            case "jwk": proofs.append(.signature(try key()))
            case "certificate": proofs.append(.certificate(try certificateName()))
            case namesMember: names = try patterns()
            case "notAfter":
                notAfter = try value(
                    orElse: "the date must be written as 2027-01-01T00:00:00Z (RFC 3339)"
                ) { WallTime(rfc3339: $0) }
            case "maxTokenAge": maxTokenAge = .seconds(Int64(try number(in: Self.tokenAges)))
            default:
                throw unknownMember(
                    known: "id, sha256, jwk, certificate, \(namesMember), maxTokenAge and notAfter"
                )
            }
        }
        guard let id else { throw mistake("the credential has no member id, its name") }
        guard let proof = proofs.first, proofs.count == 1 else {
            throw mistake(
                "the credential has \(proofs.count) of sha256, jwk and certificate; it must have "
                    + "one"
            )
        }
        var credential = Credential(id: id, proof: proof, names: names, notAfter: notAfter)
        if maxTokenAge == nil { return credential }
        guard case .signature = proof else {
            throw mistake("maxTokenAge is for tokens that are signed with a jwk")
        }
        credential.maxTokenAge = maxTokenAge
        return credential
    }

    private func digest() throws(AppFileError) -> SHA256Digest {
        try value(
            orElse: "the SHA-256 of a token has 64 hexadecimal digits; `reload-router token new` "
                + "prints it"
        ) { SHA256Digest(hexadecimal: $0) }
    }

    private func certificateName() throws(AppFileError) -> CertificateName {
        try value(
            orElse: "the name of a certificate is dns:NAME or uri:URI, as its subjectAltName has "
                + "it"
        ) { CertificateName($0) }
    }

    // MARK: - Values

    private func key() throws(AppFileError) -> VerificationKey {
        do throws(JWKProblem) {
            return try VerificationKey(jwk: &reader)
        } catch {
            throw self.error(
                at: start,
                path: error.member.isEmpty ? path : "\(path).\(error.member)",
                message: error.message
            )
        }
    }

    private func patterns() throws(AppFileError) -> NamePatterns {
        let texts = try elements(each: string)
        if texts.isEmpty || texts.count > NamePatterns.limit {
            throw mistake(
                "there are \(texts.count) patterns; there must be 1 to \(NamePatterns.limit)"
            )
        }
        do throws(NamePatternProblem) {
            return try NamePatterns(texts)
        } catch {
            throw mistake("the pattern \(quotation(error.pattern)) is refused: \(error.reason)")
        }
    }

    /// The error for a list of tokens of a former version.
    func formerTokens(_ member: String) -> AppFileError {
        let present = "\(member.dropLast("Tokens".count))s"
        return mistake(
            "\(member) is \(present) now, and lists tokens by their SHA-256: "
                + "[{\"id\":\"NAME\",\"sha256\":\"…\"}], as `reload-router token new` prints it"
        )
    }
}
