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

    /// Reads the value of `publishers`, `devices` or `gateways`.
    func access(
        _ reader: inout JSONReader,
        path: String,
        member: String,
        into access: inout AppAccess
    ) throws(AppFileError) {
        let found = try roleAccess(&reader, path: path, isOfPublishers: member == "publishers")
        switch member {
        case "publishers": access.publishers = found
        case "devices": access.devices = found
        default: access.gateways = found
        }
    }

    private func roleAccess(
        _ reader: inout JSONReader,
        path: String,
        isOfPublishers: Bool
    ) throws(AppFileError) -> RoleAccess {
        let start = reader.offset
        if reader.peek() == .string {
            if reader.readString() == "open" { return .open }
            throw error(
                at: start,
                path: path,
                message:
                    "the text must be \"open\", for everybody; otherwise credentials are listed"
            )
        }
        guard reader.peek() == .array else {
            throw wrongType(reader, path: path, expected: "an array of credentials, or \"open\"")
        }
        let list = try uniqueElements(
            &reader,
            path: path,
            each: { (reader, path) throws(AppFileError) in
                try credential(&reader, path: path, isOfPublishers: isOfPublishers)
            },
            name: \.id
        )
        if list.count > Self.credentialLimit {
            throw error(
                at: start,
                path: path,
                message: "there are \(list.count) credentials; a role may have "
                    + "\(Self.credentialLimit)"
            )
        }
        return .listed(list)
    }

    private func credential(
        _ reader: inout JSONReader,
        path: String,
        isOfPublishers: Bool
    ) throws(AppFileError) -> Credential {
        let start = reader.offset
        let namesMember = isOfPublishers ? "producers" : "devices"
        if reader.peek() == .string {
            throw error(
                at: start,
                path: path,
                message: "a token does not stand here in clear: write an object with its id and "
                    + "sha256, as `reload-router token new` prints it"
            )
        }
        var id: String?
        var proofs: [CredentialProof] = []
        var names = NamePatterns.all
        var notAfter: WallTime?
        var maxTokenAge: Milliseconds?
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "id": id = try identifier(&reader, path: path)
            case "sha256": proofs.append(.token(try digest(&reader, path: path)))
            case "jwk": proofs.append(.signature(try key(&reader, path: path)))
            case "certificate":
                proofs.append(.certificate(try certificateName(&reader, path: path)))
            case namesMember: names = try patterns(&reader, path: path)
            case "notAfter":
                notAfter = try value(
                    &reader,
                    path: path,
                    expected: "the date must be written as 2027-01-01T00:00:00Z (RFC 3339)"
                ) { WallTime(rfc3339: $0) }
            case "maxTokenAge":
                let seconds = try number(&reader, path: path, in: Self.tokenAges)
                maxTokenAge = .seconds(Int64(seconds))
            default:
                throw unknownMember(
                    reader,
                    path: path,
                    known: "id, sha256, jwk, certificate, \(namesMember), maxTokenAge and notAfter"
                )
            }
        }
        guard let id else {
            throw error(at: start, path: path, message: "the credential has no member id, its name")
        }
        guard let proof = proofs.first, proofs.count == 1 else {
            throw error(
                at: start,
                path: path,
                message:
                    "the credential has \(proofs.count) of sha256, jwk and certificate; it must "
                    + "have one"
            )
        }
        var credential = Credential(id: id, proof: proof, names: names, notAfter: notAfter)
        if maxTokenAge == nil { return credential }
        guard case .signature = proof else {
            throw error(
                at: start,
                path: path,
                message: "maxTokenAge is for tokens that are signed with a jwk"
            )
        }
        credential.maxTokenAge = maxTokenAge
        return credential
    }

    private func digest(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> SHA256Digest {
        try value(
            &reader,
            path: path,
            expected: "the SHA-256 of a token has 64 hexadecimal digits; `reload-router token new` "
                + "prints it"
        ) { SHA256Digest(hexadecimal: $0) }
    }

    private func certificateName(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> CertificateName {
        try value(
            &reader,
            path: path,
            expected: "the name of a certificate is dns:NAME or uri:URI, as its subjectAltName "
                + "has it"
        ) { CertificateName($0) }
    }

    // MARK: - Values

    /// Reads a text that `parse` understands; `expected` says in an error what it must be.
    private func value<Value>(
        _ reader: inout JSONReader,
        path: String,
        expected: String,
        parse: (String) -> Value?
    ) throws(AppFileError) -> Value {
        let start = reader.offset
        guard let value = parse(try string(&reader, path: path)) else {
            throw error(at: start, path: path, message: expected)
        }
        return value
    }

    private func key(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> VerificationKey {
        let start = reader.offset
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

    private func patterns(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> NamePatterns {
        let start = reader.offset
        let texts = try elements(&reader, path: path, each: string)
        if texts.isEmpty || texts.count > NamePatterns.limit {
            throw error(
                at: start,
                path: path,
                message:
                    "there are \(texts.count) patterns; there must be 1 to \(NamePatterns.limit)"
            )
        }
        do throws(NamePatternProblem) {
            return try NamePatterns(texts)
        } catch {
            throw self.error(
                at: start,
                path: path,
                message: "the pattern \(quotation(error.pattern)) is refused: \(error.reason)"
            )
        }
    }

    /// The error for a list of tokens of a former version.
    func formerTokens(_ reader: JSONReader, path: String, member: String) -> AppFileError {
        let present = "\(member.dropLast("Tokens".count))s"
        return error(
            at: reader.offset,
            path: path,
            message: "\(member) is \(present) now, and lists tokens by their SHA-256: "
                + "[{\"id\":\"NAME\",\"sha256\":\"…\"}], as `reload-router token new` prints it"
        )
    }
}
