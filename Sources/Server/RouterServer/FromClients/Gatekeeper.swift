internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import HTTPServing

/// Who is let in: the credentials of the app file in force, and what verifies signed tokens.
final class Gatekeeper {
    /// A verdict that depends on a signature, and for whom it is.
    struct Question: Sendable {
        let asker: Asker
        let signed: SignedHello
    }

    /// A question, and whether its signature is right.
    struct Answer: Sendable {
        let question: Question
        let isValid: Bool
    }

    /// The most questions that wait; beyond it HELLOs with such tokens are refused, and their
    /// clients come again.
    static var questionLimit: Int { 4_096 }

    /// Who waits for a verdict.
    enum Asker: Sendable {
        /// The client of a connection; `serial` distinguishes those that have had the slot.
        case session(ConnectionSlot, serial: UInt32)
        /// A request of a publisher over HTTP.
        case request(HTTPConnection.RequestID)
    }

    private(set) var table: CredentialTable
    /// Judges publishers over HTTP by the same credentials.
    let publisherGate: PublisherGate
    private let decoys: [VerificationKey]
    /// Verifies the signatures that take long: EdDSA and ES256.
    private let verifier: WorkQueue<Question, Answer>

    /// Lets in the clients that an app file lists; `wake` is called on another thread when
    /// `answers` has something new.
    init(_ access: [AppAccess], wake: @escaping @Sendable () -> Void) throws(TLSError) {
        decoys = try VerificationKey.decoys()
        table = CredentialTable(access, decoys: decoys)
        publisherGate = PublisherGate(table)
        verifier = WorkQueue(limit: Self.questionLimit, wake: wake) { question in
            let signed = question.signed
            return Answer(question: question, isValid: signed.key.verifies(signed.token))
        }
    }

    /// Lets a signature be verified. Returns false if too many wait; else the result is among the
    /// `answers` later.
    func verify(_ signed: SignedHello, for asker: Asker) -> Bool {
        verifier.add(Question(asker: asker, signed: signed))
    }

    /// The signatures that were verified since the last call.
    func answers() -> [Answer] { verifier.takeResults() }

    /// The credentials of another app file, which take the place of those in force.
    struct Replacement: Sendable {
        fileprivate let table: CredentialTable
        /// For each entry of the former table, the one that takes its place; nil if its sessions
        /// are to be ended.
        let successors: [Int?]
    }

    /// Makes the credentials of another app file ready, on any thread, to take the place of those
    /// that are in force now.
    var makeReady: @Sendable ([AppAccess]) -> Replacement {
        { [table, decoys] access in
            let new = CredentialTable(access, decoys: decoys)
            return Replacement(table: new, successors: table.successors(in: new))
        }
    }

    /// Uses the credentials of another app file, and returns the former ones.
    func replace(with new: Replacement) -> CredentialTable {
        let former = table
        table = new.table
        publisherGate.replace(table)
        return former
    }

    /// Ends the thread that verifies.
    func close() { verifier.close() }
}
