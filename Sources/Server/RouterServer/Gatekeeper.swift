internal import AdminAPI
internal import Credentials
internal import Cryptography
internal import FrameCodec
internal import ReloadModel
internal import Times

/// Who is let in: the credentials of the app file in force, and what verifies signed tokens.
final class Gatekeeper {
    /// A verdict that depends on a signature, and for whom it is.
    struct Question: Sendable {
        let connection: ConnectionSlot
        /// Distinguishes the connections that have had the slot.
        let serial: UInt32
        let signed: SignedHello
    }

    private(set) var table: CredentialTable
    /// Judges publishers over HTTP by the same credentials, on other threads.
    let publisherGate: PublisherGate
    private let decoys: [VerificationKey]
    /// Verifies the signatures that take long, on a thread of its own.
    private let verifier: SignatureVerifier

    /// Lets in the clients that an app file lists.
    ///
    /// - Parameters:
    ///   - access: who may have the roles of the apps.
    ///   - wake: called on another thread when `answers` has something new.
    /// - Throws: `TLSError`, if the system has no randomness.
    init(_ access: [AppAccess], wake: @escaping @Sendable () -> Void) throws(TLSError) {
        decoys = try VerificationKey.decoys()
        table = CredentialTable(access, decoys: decoys)
        publisherGate = PublisherGate(table)
        verifier = SignatureVerifier(wake: wake)
    }

    /// Judges a HELLO.
    ///
    /// - Returns: nil if the verdict is among the `answers` later.
    func judge(
        _ hello: HelloMessage,
        certificate: ShownCertificate?,
        for connection: ConnectionSlot,
        serial: UInt32,
        now: WallTime
    ) -> Verdict? {
        let verdict = table.judge(hello, certificate: certificate, now: now) { SHA256.digest($0) }
        guard case .signed(let signed) = verdict else { return verdict }
        // HMAC takes a few microseconds; the other algorithms would delay all other clients.
        if case .hs256 = signed.key {
            let isValid = signed.key.verifies(signed.token)
            return table.finish(signed, isValid: isValid, now: now)
        }
        let question = Question(connection: connection, serial: serial, signed: signed)
        return verifier.ask(question) ? nil : .refused(.busy)
    }

    /// The verdicts on signatures that were verified since the last call.
    func answers(now: WallTime) -> [(question: Question, verdict: Verdict)] {
        verifier.takeAnswers().map { answer in
            (
                answer.question,
                table.finish(answer.question.signed, isValid: answer.isValid, now: now)
            )
        }
    }

    /// Uses the credentials of another app file.
    ///
    /// - Returns: for each entry of the former table, the one that takes its place; nil if its
    ///   sessions are to be ended.
    func replace(_ access: [AppAccess]) -> [Int?] {
        let former = table
        table = CredentialTable(access, decoys: decoys)
        publisherGate.replace(table)
        return former.successors(in: table)
    }

    /// Ends the thread that verifies.
    func close() { verifier.close() }
}

@available(*, unavailable)
extension Gatekeeper: Sendable {}
