package import Credentials
internal import Cryptography
internal import DataStructures
internal import FrameCodec
internal import HTTPMessages
internal import ReloadModel
internal import Times

/// Judges the publishers that come over HTTP, by the credentials of the app file in force.
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
    package struct Judged {
        /// The digest of its token; nil if it had none.
        fileprivate let digest: SHA256Digest?
        fileprivate let app: String
        fileprivate let producer: String?
        /// The table by which it was judged.
        fileprivate let generation: UInt64
        /// From when on it is no longer good.
        fileprivate let end: WallTime
    }

    /// Whether a publisher of the app has sent a request.
    enum Judgement {
        case admitted
        case refused(AdminProblem)
        /// That depends on a signature.
        case unverified(SignedHello)
    }

    private var table: CredentialTable
    /// Counts the tables.
    private var generation: UInt64 = 0
    /// The keys that have verified signed tokens, by the tokens' digests.
    private var verified: [SHA256Digest: VerificationKey] = [:]

    /// Lets in whom a table lists.
    package init(_ table: CredentialTable) {
        self.table = table
    }

    /// Uses the credentials of another app file.
    package func replace(_ table: CredentialTable) {
        self.table = table
        generation += 1
        verified = [:]
    }

    /// Judges who sends a request.
    ///
    /// - Parameters:
    ///   - head: its headers.
    ///   - target: the app and the producer that it names.
    ///   - certificate: what its client has proved to have; nil for none.
    ///   - judged: what let in the last request of the connection; replaced by this one's.
    ///   - now: the present date.
    /// - Returns: the judgement.
    func judge(
        _ head: RequestHead,
        target: PublishTarget,
        certificate: ShownCertificate?,
        judged: inout Judged?,
        now: WallTime
    ) -> Judgement {
        let token = head.bearerToken
        let digest = token.map { SHA256.digest($0) }
        if let last = judged, last.generation == generation, now < last.end, last.digest == digest,
            last.app == target.app, last.producer == target.producer
        {
            return .admitted
        }
        judged = nil
        var hello = HelloMessage(
            role: .publisher,
            app: target.app,
            token: nil,
            name: target.producer
        )
        hello.token = token.map { Secret($0) }
        let verdict = table.judge(hello, certificate: certificate, now: now) { bytes in
            digest ?? SHA256.digest(bytes)
        }
        guard case .signed(let signed) = verdict else {
            return conclude(verdict, hello: hello, digest: digest, judged: &judged)
        }
        if let digest, verified[digest] == signed.key {
            return finish(signed, isValid: true, judged: &judged, now: now)
        }
        guard case .hs256 = signed.key else { return .unverified(signed) }
        let isValid = signed.key.verifies(signed.token)
        return finish(signed, isValid: isValid, judged: &judged, now: now)
    }

    /// Ends the judgement of a request with a signed token.
    ///
    /// - Parameters:
    ///   - signed: what is signed, and for whom.
    ///   - isValid: whether the signature is right.
    ///   - judged: replaced if the request is admitted.
    ///   - now: the present date.
    /// - Returns: never `unverified`.
    func finish(
        _ signed: SignedHello,
        isValid: Bool,
        judged: inout Judged?,
        now: WallTime
    ) -> Judgement {
        let digest = signed.hello.token.map { $0.withByteView { SHA256.digest($0) } }
        if isValid, let digest {
            if verified.count >= Self.rememberedLimit { verified = [:] }
            verified[digest] = signed.key
        }
        let verdict = table.finish(signed, isValid: isValid, now: now)
        return conclude(verdict, hello: signed.hello, digest: digest, judged: &judged)
    }

    private func conclude(
        _ verdict: Verdict,
        hello: HelloMessage,
        digest: SHA256Digest?,
        judged: inout Judged?
    ) -> Judgement {
        switch verdict {
        case .admitted(let grant):
            judged = Judged(
                digest: digest,
                app: hello.app,
                producer: hello.name,
                generation: generation,
                end: grant.until
            )
            return .admitted
        case .refused(let refusal): return .refused(Self.problem(refusal, of: hello))
        case .signed: preconditionFailure("a finished verdict depends on no signature")
        }
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

@available(*, unavailable)
extension PublisherGate: Sendable {}

extension RequestHead {
    /// The token after `Bearer`, a word that may be in any case; nil if it is not there.
    fileprivate var bearerToken: ByteView? {
        let scheme: StaticString = "bearer "
        guard let header = header("Authorization"), header.count > scheme.utf8CodeUnitCount else {
            return nil
        }
        for offset in 0..<scheme.utf8CodeUnitCount
        where unsafe header[offset] | 0x20 != scheme.utf8Start[offset] {
            return nil
        }
        return header.slice(scheme.utf8CodeUnitCount, to: header.count)
    }
}
