package import DataStructures
package import FrameCodec
package import Times

/// All credentials of an app file, found by what clients show. It judges who may have which role.
///
///     HELLO ──► token? ──► its SHA-256 is listed ─────────────► admitted or refused
///                 │   └──► it is signed: the signature must be
///                 │        verified by the caller ─► finish ──► admitted or refused
///                 └─ none: open role, or the name of its certificate
///
/// What is refused before the client has proved anything is refused with the same words and after
/// the same work, whether the app exists or not: a stranger does not learn which apps and roles
/// there are. The sole exception is an open role.
package struct CredentialTable: Sendable {
    /// A credential and where it is listed.
    package struct Entry: Equatable, Sendable {
        /// The app.
        package let app: String
        /// The role.
        package let role: Peer
        /// The credential; nil for an open role.
        package let credential: Credential?
    }

    /// What an entry is called: no other in the file has the same place and id.
    private struct Name: Hashable {
        let place: Place
        let id: [UInt8]?

        init(_ entry: Entry) {
            place = CredentialTable.place(entry.app, role: entry.role)
            id = (entry.credential?.id).map { Array($0.utf8) }
        }
    }

    /// A role of an app, by which entries are found.
    private struct Place: Hashable {
        let app: [UInt8]
        let role: Peer
    }

    /// What is listed for a role of an app.
    private struct Listing {
        /// The indices of the entries.
        var entries: [Int] = []
        /// Whether the role is open, by the first entry.
        var isOpen = false
    }

    /// All entries, in the order of the app file.
    package private(set) var entries: [Entry] = []
    /// What is listed for the roles of the apps.
    private var places: [Place: Listing] = [:]
    /// The entries of a token's digest. An attacker cannot choose digests, so neither the time of a
    /// lookup nor that of a comparison says anything about the tokens.
    private var tokens: [SHA256Digest: [Int]] = [:]
    /// Keys whose secret part is thrown away, one for each algorithm: tokens of which no key is
    /// known are verified with them, so that they take as long as others.
    private let decoys: [VerificationKey]

    /// A table of what an app file lists.
    ///
    /// - Parameters:
    ///   - access: who may have the roles of the apps.
    ///   - decoys: a key for each algorithm, drawn by the process, whose secret part is thrown
    ///     away.
    package init(_ access: [AppAccess], decoys: [VerificationKey]) {
        self.decoys = decoys
        for app in access {
            for role in AppAccess.roles {
                switch app[role] {
                case .open: add(Entry(app: app.app, role: role, credential: nil))
                case .listed(let credentials):
                    for credential in credentials {
                        add(Entry(app: app.app, role: role, credential: credential))
                    }
                }
            }
        }
    }

    private mutating func add(_ entry: Entry) {
        let place = Self.place(entry.app, role: entry.role)
        places[place, default: Listing()].entries.append(entries.count)
        if entry.credential == nil { places[place]!.isOpen = true }
        if case .token(let digest)? = entry.credential?.proof {
            tokens[digest, default: []].append(entries.count)
        }
        entries.append(entry)
    }

    private static func place(_ app: String, role: Peer) -> Place {
        Place(app: Array(app.utf8), role: role)
    }

    /// When the first listed credential expires that has not expired yet; nil if none will.
    package func nextExpiry(after now: WallTime) -> WallTime? {
        entries.compactMap { $0.credential?.notAfter }.filter { $0 > now }.min()
    }

    // MARK: - Judging

    /// Judges the HELLO of a client.
    ///
    /// - Parameters:
    ///   - hello: what the client says.
    ///   - certificate: the certificate that it has proved to have; nil for none.
    ///   - now: the present date.
    ///   - sha256: computes a SHA-256.
    /// - Returns: what becomes of it, or whose signature must be verified first.
    package func judge(
        _ hello: HelloMessage,
        certificate: ShownCertificate?,
        now: WallTime,
        sha256: (ByteView) -> SHA256Digest
    ) -> Verdict {
        let listing = places[Self.place(hello.app, role: hello.role)] ?? Listing()
        let listed = listing.entries
        if listing.isOpen {
            return .admitted(Grant(entry: listed[0], names: .all, until: .max, tokenEnd: .max))
        }
        guard let token = hello.token else {
            return judge(hello, certificate: certificate, listed: listed, now: now)
        }
        let found = tokens[token.withByteView { sha256($0) }] ?? []
        // Names are compared by their bytes, as the router does everywhere.
        let own = found.filter { listed.contains($0) }
        if !own.isEmpty { return admit(hello, by: own, until: .max, now: now) }
        guard let dots = SignedToken.dots(of: token) else { return .refused(.unknown) }
        guard let signed = SignedToken(token, dots: dots),
            let decoy = decoys.first(where: { $0.algorithm == signed.algorithm })
        else { return .refused(.malformed) }
        let keys = listed.filter { isKey(entries[$0], for: signed) }
        let entry = keys.first { entries[$0].credential?.isGood(at: now) ?? false } ?? keys.first
        var key = decoy
        if let entry, case .signature(let own)? = entries[entry].credential?.proof { key = own }
        return .signed(
            SignedHello(
                hello: hello,
                token: signed,
                key: key,
                id: entry.flatMap { entries[$0].credential?.id }
            )
        )
    }

    private func judge(
        _ hello: HelloMessage,
        certificate: ShownCertificate?,
        listed: [Int],
        now: WallTime
    ) -> Verdict {
        guard let certificate else { return .refused(.missing) }
        let own = listed.filter { index in
            guard case .certificate(let name)? = entries[index].credential?.proof else {
                return false
            }
            return certificate.names.contains(name)
        }
        if own.isEmpty { return .refused(.unknown) }
        return admit(hello, by: own, until: certificate.notAfter, now: now)
    }

    /// Whether an entry is the key that a token names or, if it names none, a key of its algorithm.
    private func isKey(_ entry: Entry, for token: SignedToken) -> Bool {
        guard let credential = entry.credential, case .signature(let key) = credential.proof,
            key.algorithm == token.algorithm
        else { return false }
        return token.keyID == nil || token.keyID == credential.id
    }

    /// Admits a client that has proved to have these credentials, if one of them is good for it.
    private func admit(
        _ hello: HelloMessage,
        by own: [Int],
        until proofEnd: WallTime,
        now: WallTime
    ) -> Verdict {
        assert(!own.isEmpty, "the client has proved nothing")
        // A resumed session of TLS shows a certificate that was verified earlier.
        if proofEnd <= now { return .refused(.expired(proofEnd)) }
        var refusal = CredentialRefusal.name
        for index in own {
            guard let credential = entries[index].credential else { continue }
            if let end = credential.notAfter, end <= now {
                refusal = .expired(end)
                continue
            }
            if let name = hello.name, !credential.names.matches(Array(name.utf8)) { continue }
            return .admitted(
                Grant(
                    entry: index,
                    names: credential.names,
                    until: min(proofEnd, credential.notAfter ?? .max),
                    tokenEnd: proofEnd
                )
            )
        }
        return .refused(refusal)
    }

    /// Ends the judgement of a client with a signed token.
    ///
    /// - Parameters:
    ///   - signed: what `judge` returned, perhaps from a table before this one.
    ///   - isValid: whether the signature is that of the key.
    ///   - now: the present date.
    /// - Returns: never `signed`.
    package func finish(_ signed: SignedHello, isValid: Bool, now: WallTime) -> Verdict {
        // The entry is looked for again: another app file may have come meanwhile.
        let listed = places[Self.place(signed.hello.app, role: signed.hello.role)]?.entries ?? []
        let found = listed.first { index in
            entries[index].credential?.id == signed.id
                && entries[index].credential?.proof == .signature(signed.key)
        }
        guard isValid, let entry = found, let credential = entries[entry].credential else {
            return .refused(.signature)
        }
        guard let claims = signed.token.claims.withByteView({ TokenClaims(json: $0) }) else {
            return .refused(.claims)
        }
        if claims.expiry + TokenClaims.clockSkew <= now { return .refused(.expired(claims.expiry)) }
        if let end = credential.notAfter, end <= now { return .refused(.expired(end)) }
        if let begin = claims.begin, begin - TokenClaims.clockSkew > now {
            return .refused(.notYetValid(begin))
        }
        if !claims.audience.contains(where: { $0.utf8.elementsEqual(signed.hello.app.utf8) }) {
            return .refused(.audience)
        }
        if claims.role != signed.hello.role.rawValue { return .refused(.role) }
        guard let names = names(of: claims, within: credential, for: signed.hello) else {
            return .refused(.name)
        }
        let tokenEnd = claims.expiry + TokenClaims.clockSkew
        return .admitted(
            Grant(
                entry: entry,
                names: names,
                until: min(tokenEnd, credential.notAfter ?? .max),
                tokenEnd: tokenEnd
            )
        )
    }

    /// The names for which a signed token is good; nil if it is not good for the client's. A
    /// device's token names this very device.
    private func names(
        of claims: TokenClaims,
        within credential: Credential,
        for hello: HelloMessage
    ) -> NamePatterns? {
        if let name = hello.name, hello.role == .device {
            if !credential.names.matches(Array(name.utf8)) { return nil }
            return claims.subject.utf8.elementsEqual(name.utf8) ? .all : nil
        }
        let subject = try? NamePatterns([claims.subject])
        guard let name = hello.name else {
            return subject.flatMap { credential.names.includes($0) ? $0 : nil }
        }
        if !credential.names.matches(Array(name.utf8)) { return nil }
        return subject.flatMap { $0.matches(Array(name.utf8)) ? $0 : nil }
    }

    // MARK: - Another app file

    /// For each entry, the one of another table that admits by the same proof; nil if there is none
    /// any more, so that the sessions of the entry are to be ended.
    package func successors(in other: CredentialTable) -> [Int?] {
        var found: [Name: Int] = [:]
        for (index, entry) in other.entries.enumerated() { found[Name(entry)] = index }
        return entries.map { entry in
            guard let index = found[Name(entry)],
                other.entries[index].credential?.proof == entry.credential?.proof
            else { return nil }
            return index
        }
    }

    /// Whether an entry is good for a name at a date; for a gateway, whose name is nil, only the
    /// date counts.
    package func isGood(_ entry: Int, for name: [UInt8]?, at now: WallTime) -> Bool {
        guard let credential = entries[entry].credential else { return true }
        if !credential.isGood(at: now) { return false }
        return name.map { credential.names.matches($0) } ?? true
    }
}
