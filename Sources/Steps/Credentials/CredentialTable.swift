package import Basics
package import FrameCodec

/// All credentials of an app file, found by what clients show. It judges who may have which role.
///
///     HELLO ──► token? ──► its SHA-256 is listed ─────────────► admitted or refused
///                 │   └──► it is signed: the signature must be
///                 │        verified by the caller ─► finish ──► admitted or refused
///                 └─ none: open role, or the name of its certificate
///
/// What is refused before the client has proved anything is refused with the same words and after
/// the same work, whether the app exists or not: a stranger does not learn which apps and roles
/// there are. The sole exception is an open role. So nothing is searched for: whatever a client
/// shows is one key of one index, which is there or not, however much is listed beside it.
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

    /// A role of an app.
    private struct Place: Hashable {
        let app: [UInt8]
        let role: Peer
    }

    /// By what entries are found.
    private enum Sign: Hashable {
        /// A token's digest.
        case token(SHA256Digest)
        /// The id of the key that a signed token names.
        case keyID([UInt8])
        /// The algorithm of a signed token that names no key.
        case algorithm(String)
        /// A name in a certificate.
        case certificate(CertificateName)
        /// Nothing: the role is open.
        case open
    }

    /// What is shown for a role of an app.
    private struct Key: Hashable {
        let place: Place
        let sign: Sign
    }

    /// The most bytes of a token, as of the HELLO that has one; a longer one is not looked at.
    package static var tokenBytes: Int { RouterLimits.helloBody }
    /// The most names of a certificate that are looked up; others are ignored.
    package static var certificateNames: Int { 64 }

    /// All entries, in the order of the app file.
    package private(set) var entries: [Entry] = []
    /// The entries of all that may be shown, in the order of the app file; of an algorithm, those
    /// that `key` needs. The hash is keyed with a secret of the process, so the time of a lookup
    /// says nothing about the digests that are listed.
    private var index: [Key: [Int]] = [:]
    /// The names of all apps.
    private let apps: Set<[UInt8]>
    /// When entries expire, in this order.
    private var expiries: [WallTime] = []
    /// Keys whose secret part is thrown away, one for each algorithm: tokens of which no key is
    /// known are verified with them, so that they take as long as others.
    private let decoys: [VerificationKey]

    /// A table of who may have the roles of the apps. The decoys are a key for each algorithm,
    /// drawn by the process, whose secret part is thrown away.
    package init(_ access: [AppAccess], decoys: [VerificationKey]) {
        self.decoys = decoys
        apps = Set(access.map { Array($0.app.utf8) })
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
        expiries = entries.compactMap { $0.credential?.notAfter }.sorted()
    }

    private mutating func add(_ entry: Entry) {
        let number = entries.count
        entries.append(entry)
        let place = Self.place(entry.app, role: entry.role)
        list(number, under: Self.sign(of: entry), of: place)
        guard case .signature(let key) = entry.credential?.proof else { return }
        let last = index[Key(place: place, sign: .algorithm(key.algorithm))]?.last
        if last.map({ end($0) < end(number) }) ?? true {
            list(number, under: .algorithm(key.algorithm), of: place)
        }
    }

    /// What is shown for an entry.
    private static func sign(of entry: Entry) -> Sign {
        guard let credential = entry.credential else { return .open }
        switch credential.proof {
        case .token(let digest): return .token(digest)
        case .certificate(let name): return .certificate(name)
        case .signature: return .keyID(Array(credential.id.utf8))
        }
    }

    private mutating func list(_ number: Int, under sign: Sign, of place: Place) {
        index[Key(place: place, sign: sign), default: []].append(number)
    }

    /// When an entry expires; `max` for never.
    private func end(_ number: Int) -> WallTime { entries[number].credential?.notAfter ?? .max }

    /// The one key that is tried for a token that names none: of those listed for its algorithm,
    /// the first that has not expired, or else the first.
    ///
    /// - Parameters:
    ///   - keys: the first listed, and each that expires later than all before it. Others are never
    ///     the first that has not expired.
    ///   - now: the present date.
    /// - Returns: nil if none is listed.
    /// - Complexity: O(log *n*).
    private func key(of keys: [Int], at now: WallTime) -> Int? {
        let first = keys.firstIndex(orderedBy: { end($0) > now })
        return first == keys.count ? keys.first : keys[first]
    }

    private static func place(_ app: String, role: Peer) -> Place {
        Place(app: Array(app.utf8), role: role)
    }

    /// When the first listed credential expires that has not expired yet; nil if none will.
    package func nextExpiry(after now: WallTime) -> WallTime? {
        let first = expiries.firstIndex(orderedBy: { $0 > now })
        return first == expiries.count ? nil : expiries[first]
    }

    // MARK: - Judging

    /// Judges the HELLO of a client, which has proved to have a certificate (nil for none): what
    /// becomes of it, or whose signature must be verified first.
    package func judge(
        _ hello: HelloMessage,
        certificate: ShownCertificate?,
        now: WallTime,
        sha256: (ByteView) -> SHA256Digest
    ) -> Verdict {
        let place = Self.place(hello.app, role: hello.role)
        if let open = index[Key(place: place, sign: .open)] {
            return admitted(by: open[0], names: .all)
        }
        guard let token = hello.token else {
            return judge(hello, certificate: certificate, place: place, now: now)
        }
        if token.count > Self.tokenBytes { return refused(.malformed, at: place) }
        // Names are compared by their bytes, as the router does everywhere.
        let digest = token.withByteView { sha256($0) }
        if let own = index[Key(place: place, sign: .token(digest))] {
            return admit(hello, by: own, until: .max, now: now)
        }
        guard let dots = SignedToken.dots(of: token) else { return refused(.unknown, at: place) }
        guard let signed = SignedToken(token, dots: dots),
            let decoy = decoys.first(where: { $0.algorithm == signed.algorithm })
        else { return refused(.malformed, at: place) }
        let sign = signed.keyID.map { Sign.keyID(Array($0.utf8)) } ?? .algorithm(signed.algorithm)
        let entry = key(of: index[Key(place: place, sign: sign)] ?? [], at: now)
        var (key, id) = (decoy, nil as String?)
        if let credential = entry.flatMap({ entries[$0].credential }),
            case .signature(let own) = credential.proof, own.algorithm == signed.algorithm
        {
            (key, id) = (own, credential.id)
        }
        return .signed(SignedHello(hello: hello, token: signed, key: key, id: id))
    }

    /// Refuses a client that has proved nothing. That there is no such app is for the log alone:
    /// the client gets the same ERROR, after the same lookup.
    private func refused(_ refusal: CredentialRefusal, at place: Place) -> Verdict {
        .refused(apps.contains(place.app) ? refusal : .app)
    }

    private func judge(
        _ hello: HelloMessage,
        certificate: ShownCertificate?,
        place: Place,
        now: WallTime
    ) -> Verdict {
        guard let certificate else { return .refused(.missing) }
        let own = certificate.names.prefix(Self.certificateNames).flatMap { name in
            index[Key(place: place, sign: .certificate(name))] ?? []
        }
        if own.isEmpty { return refused(.unknown, at: place) }
        return admit(hello, by: own.sorted(), until: certificate.notAfter, now: now)
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
            return admitted(by: index, names: credential.names, until: proofEnd)
        }
        return .refused(refusal)
    }

    /// The verdict of a client with an entry, whose own proof is good until then.
    private func admitted(
        by entry: Int,
        names: NamePatterns,
        until tokenEnd: WallTime = .max,
        issued: WallTime? = nil
    ) -> Verdict {
        let until = min(tokenEnd, end(entry))
        return .admitted(
            Grant(entry: entry, names: names, until: until, tokenEnd: tokenEnd, issued: issued)
        )
    }

    /// Ends the judgement of a client with a signed token, which `judge` returned, perhaps that of
    /// a table before this one; the verdict is never `signed`. `isValid` says that the signature is
    /// that of the key; an operator has revoked the tokens of the client's device before
    /// `revokedBefore`, nil for none.
    package func finish(
        _ signed: SignedHello,
        isValid: Bool,
        revokedBefore: WallTime?,
        now: WallTime
    ) -> Verdict {
        // The entry is looked for again: another app file may have come meanwhile.
        let place = Self.place(signed.hello.app, role: signed.hello.role)
        let found = signed.id.flatMap { id in
            index[Key(place: place, sign: .keyID(Array(id.utf8)))]?.first
        }
        guard isValid, let entry = found, let credential = entries[entry].credential,
            credential.proof == .signature(signed.key)
        else { return refused(.signature, at: place) }
        guard let claims = signed.token.claims.withByteView({ TokenClaims(json: $0) }) else {
            return .refused(.claims)
        }
        guard let expiry = claims.end(atAge: credential.maxTokenAge) else {
            return .refused(.claims)
        }
        if expiry + TokenClaims.clockSkew <= now { return .refused(.expired(expiry)) }
        if let end = credential.notAfter, end <= now { return .refused(.expired(end)) }
        let begins = [claims.begin, credential.maxTokenAge == nil ? nil : claims.issued]
        if let begin = begins.compactMap(\.self).max(), begin - TokenClaims.clockSkew > now {
            return .refused(.notYetValid(begin))
        }
        if !claims.audience.contains(where: { $0.utf8.elementsEqual(signed.hello.app.utf8) }) {
            return .refused(.audience)
        }
        if claims.role != signed.hello.role.rawValue { return .refused(.role) }
        guard let names = names(of: claims, within: credential, for: signed.hello) else {
            return .refused(.name)
        }
        if signed.hello.role == .device, let date = revokedBefore,
            TokenClaims.isRevoked(claims.issued, before: date, now: now)
        {
            return .refused(.ofRevocation(before: date, issued: claims.issued))
        }
        let tokenEnd = expiry + TokenClaims.clockSkew
        return admitted(by: entry, names: names, until: tokenEnd, issued: claims.issued)
    }

    /// The names for which a signed token is good; nil if it is not good for the client's. A
    /// device's token names this very device. A publisher that names no producer, which it may only
    /// over HTTP, is good for those that both its token and the key name.
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
            guard let subject else { return nil }
            if credential.names.includes(subject) { return subject }
            let isWider = hello.role == .publisher && subject.includes(credential.names)
            return isWider ? credential.names : nil
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

    /// Whether an entry of another table, or this one, is here, and good at a date for a name; of
    /// what has none, for the same names as there.
    package func isGood(_ entry: Entry, for name: [UInt8]?, at now: WallTime) -> Bool {
        let key = Key(place: Self.place(entry.app, role: entry.role), sign: Self.sign(of: entry))
        return index[key]?.contains { number in
            let found = entries[number].credential
            return found?.id == entry.credential?.id && found?.proof == entry.credential?.proof
                && (name != nil || found?.names == entry.credential?.names)
                && isGood(number, for: name, at: now)
        } ?? false
    }

    /// Whether an entry is good for a name at a date; without a name, as for a gateway's own
    /// session, only the date counts.
    package func isGood(_ entry: Int, for name: [UInt8]?, at now: WallTime) -> Bool {
        guard let credential = entries[entry].credential else { return true }
        if !credential.isGood(at: now) { return false }
        return name.map { credential.names.matches($0) } ?? true
    }
}

extension RandomAccessCollection {
    /// The index of the first element for which a condition holds, which holds for all after it;
    /// the end if there is none.
    ///
    /// - Complexity: O(log *n*).
    fileprivate func firstIndex(orderedBy isBeyond: (Element) -> Bool) -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let middle = index(start, offsetBy: count / 2)
            if isBeyond(self[middle]) {
                count /= 2
            } else {
                start = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return start
    }
}
