package import Basics
package import Credentials
internal import Cryptography
internal import FrameCodec
internal import HTTPMessages

/// Judges the publishers that come over HTTP, and who reports for devices, by the credentials of
/// the app file in force.
///
///     request ─► same as the connection's last, and still good? ─► admitted
///                  │ no
///                  └─► table ─► admitted, refused, or a signature is to be verified ─► finish
///
/// HMAC is verified here; a signature that takes longer is verified on another thread, and one that
/// was right is remembered, because a publisher shows the same token with each of its requests.
///
/// Belongs to the loop's thread.
package final class PublisherGate {
    /// The most tokens whose signatures are remembered; beyond it, all are forgotten.
    static var rememberedLimit: Int { 4_096 }

    /// What let in the last request of a connection. It is no longer good when the app file
    /// changes, or the credential or the client's own token or certificate expires.
    package final class Judged: Sendable {
        /// The digest of its token; nil if it had none.
        fileprivate let digest: SHA256Digest?
        fileprivate let app: String
        fileprivate let producer: String?
        /// The device for which it was good; nil for a publisher.
        fileprivate let device: String?
        /// The credential, and where it is listed.
        package let entry: CredentialTable.Entry
        /// The role that it gave.
        fileprivate let role: Peer
        /// Who it is, if it sends pushes.
        fileprivate let sender: PublishSender
        /// The table and the revocations by which it was judged.
        fileprivate let generation: UInt64
        /// From when on it is no longer good.
        fileprivate let end: WallTime
        /// When its signed token was issued; nil if it has none, or that does not say so.
        fileprivate let issued: WallTime?

        fileprivate init(
            _ grant: Grant,
            of entry: CredentialTable.Entry,
            to target: PublishTarget,
            digest: SHA256Digest?,
            role: Peer,
            sender: PublishSender,
            generation: UInt64
        ) {
            self.digest = digest
            app = target.app
            producer = target.producer
            device = target.report?.device
            self.entry = entry
            self.role = role
            self.sender = sender
            self.generation = generation
            end = grant.until
            issued = grant.issued
        }
    }

    /// The date before which the tokens of a device of an app are revoked; nil for none.
    package typealias Revocation = (_ app: String, _ device: String) -> WallTime?

    /// Whether a request's sender may do what it asks for.
    enum Judgement {
        /// It may, in this role; who it is, if it sends pushes.
        case admitted(Peer, PublishSender)
        case refused(AdminProblem)
        /// That depends on a signature.
        case unverified(SignedHello)
    }

    private var table: CredentialTable
    /// Counts the tables, and the changes of what is revoked.
    private var generation: UInt64 = 0
    /// The keys that have verified signed tokens, by the tokens' digests.
    private var verified: [SHA256Digest: VerificationKey] = [:]

    /// Lets in whom a table lists.
    package init(_ table: CredentialTable) { self.table = table }

    /// Uses the credentials of another app file.
    package func replace(_ table: CredentialTable) {
        self.table = table
        generation += 1
        verified = [:]
    }

    /// Judges the next request of each connection anew: tokens of a device have been revoked.
    package func revoked() { generation += 1 }

    /// Judges who sends a request: as the HELLO of a publisher would be judged or, for a report, as
    /// that of the device and that of a gateway. `certificate` is what its client has proved to
    /// have, nil for none. `judged`, which let in the last request of the connection, is replaced
    /// by this one's; `revocation` is the date before which tokens of a device of an app are
    /// revoked, nil for none.
    func judge(
        _ head: RequestHead,
        target: PublishTarget,
        certificate: ShownCertificate?,
        judged: inout Judged?,
        revocation: Revocation,
        now: WallTime
    ) -> Judgement {
        let token = head.header("Authorization")?.bearerToken
        // One that is too long is refused by the table, and not hashed before.
        let isLong = token.map { $0.count > CredentialTable.tokenBytes } ?? false
        let digest = isLong ? nil : token.map { SHA256.digest($0) }
        if !isLong, let last = judged, last.generation == generation, now < last.end,
            last.digest == digest,
            Self.isSame(last.app, as: target.app),
            Self.isSame(last.producer, as: target.producer),
            Self.isSame(last.device, as: target.report?.device)
        {
            return .admitted(last.role, last.sender)
        }
        judged = nil
        let (hello, verdict) = ask(for: target, token: token.map { Secret($0) }) { hello in
            table.judge(hello, certificate: certificate, now: now) { bytes in
                digest ?? SHA256.digest(bytes)
            }
        }
        guard case .signed(let signed) = verdict else {
            return conclude(verdict, hello: hello, target: target, digest: digest, judged: &judged)
        }
        var isValid = digest.map { verified[$0] == signed.key } ?? false
        if !isValid {
            guard case .hs256 = signed.key else { return .unverified(signed) }
            isValid = signed.key.verifies(signed.token)
        }
        return finish(
            signed,
            isValid: isValid,
            target: target,
            judged: &judged,
            revocation: revocation,
            now: now
        )
    }

    /// Judges once more who has sent a request, after its body has come or it has waited: both may
    /// take long. Returns why what has let it in is refused now; nil if it is not.
    package func problem(
        of judged: Judged,
        revocation: Revocation,
        now: WallTime
    ) -> AdminProblem? {
        let name = judged.device ?? judged.producer
        let refusal: CredentialRefusal
        if now >= judged.end {
            refusal = .expired(judged.end)
        } else if judged.generation == generation {
            return nil
        } else if !table.isGood(judged.entry, for: name.map { Array($0.utf8) }, at: now) {
            refusal = .unknown
        } else if judged.role == .device, case .signature = judged.entry.credential?.proof,
            let name,
            let date = revocation(judged.app, name),
            TokenClaims.isRevoked(judged.issued, before: date, now: now)
        {
            refusal = .ofRevocation(before: date, issued: judged.issued)
        } else {
            return nil
        }
        let hello = HelloMessage(role: judged.role, app: judged.app, token: nil, name: name)
        return Self.problem(refusal, of: hello)
    }

    /// Whether two names are the same bytes: strings with others may be equal.
    private static func isSame(_ one: String?, as other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }

    /// Judges the HELLO that a request stands for, with the token that it shows (nil for none). Who
    /// reports for a device is the device itself or, if what it shows is no credential of a device,
    /// a gateway. Returns the HELLO that decides, and the verdict on it.
    private func ask(
        for target: PublishTarget,
        token: Secret?,
        judge: (HelloMessage) -> Verdict
    ) -> (hello: HelloMessage, verdict: Verdict) {
        func verdict(_ role: Peer, name: String?) -> (hello: HelloMessage, verdict: Verdict) {
            var hello = HelloMessage(role: role, app: target.app, token: nil, name: name)
            hello.token = token
            return (hello, judge(hello))
        }
        guard let report = target.report else { return verdict(.publisher, name: target.producer) }
        let own = verdict(.device, name: report.device)
        switch own.verdict {
        case .admitted: return own
        case .signed(let signed) where signed.claimedRole != Peer.gateway.rawValue: return own
        case .signed, .refused: break
        }
        let other = verdict(.gateway, name: nil)
        if case .refused(let refusal) = other.verdict, !refusal.isProven { return own }
        return other
    }

    /// Ends the judgement of a request with a signed token, whose signature is right if `isValid`;
    /// the result is never `unverified`. If the request is admitted, `judged` is replaced; see
    /// `judge` for `revocation`.
    func finish(
        _ signed: SignedHello,
        isValid: Bool,
        target: PublishTarget,
        judged: inout Judged?,
        revocation: Revocation,
        now: WallTime
    ) -> Judgement {
        let digest = signed.hello.token.map { $0.withByteView { SHA256.digest($0) } }
        if isValid, let digest {
            if verified.count >= Self.rememberedLimit { verified = [:] }
            verified[digest] = signed.key
        }
        let device = signed.hello.role == .device ? target.report?.device : nil
        let verdict = table.finish(
            signed,
            isValid: isValid,
            revokedBefore: device.flatMap { revocation(target.app, $0) },
            now: now
        )
        return conclude(
            verdict,
            hello: signed.hello,
            target: target,
            digest: digest,
            judged: &judged
        )
    }

    private func conclude(
        _ verdict: Verdict,
        hello: HelloMessage,
        target: PublishTarget,
        digest: SHA256Digest?,
        judged: inout Judged?
    ) -> Judgement {
        switch verdict {
        case .admitted(let grant):
            let device = target.report?.device
            if let device, hello.role == .gateway, !grant.names.matches(Array(device.utf8)) {
                return .refused(Self.foreignProblem(device))
            }
            let sender =
                device == nil
                ? PublishSender(table.entries[grant.entry].credential, names: grant.names) : .anyone
            judged = Judged(
                grant,
                of: table.entries[grant.entry],
                to: target,
                digest: digest,
                role: hello.role,
                sender: sender,
                generation: generation
            )
            return .admitted(hello.role, sender)
        case .refused(let refusal): return .refused(Self.problem(refusal, of: hello))
        case .signed: preconditionFailure("a finished verdict depends on no signature")
        }
    }

    /// The refusal of a gateway that is not for a device, as its frame would be refused.
    private static func foreignProblem(_ device: String) -> AdminProblem {
        AdminProblem(
            403,
            code: ErrorCode.deviceForeign.rawValue,
            detail: "this gateway's credential is not for \(quotation(device))"
        )
    }

    /// Words a refusal. Nothing in it depends on whether the app exists, unless the client has
    /// proved that it has a credential of it.
    private static func problem(
        _ refusal: CredentialRefusal,
        of hello: HelloMessage
    ) -> AdminProblem {
        let error = refusal.error(for: hello)
        let code = error.code.rawValue
        switch refusal {
        case .missing:
            return AdminProblem(401, code: code, detail: "Authorization: Bearer TOKEN is missing")
        case .name: return AdminProblem(403, code: code, detail: error.message)
        default: return AdminProblem(401, code: code, detail: error.message)
        }
    }
}
