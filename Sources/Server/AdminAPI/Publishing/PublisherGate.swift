package import Credentials
internal import Cryptography
internal import DataStructures
internal import FrameCodec
internal import HTTPServing
internal import ReloadModel
internal import Synchronization
internal import Times

/// Judges the publishers that come over HTTP, on the thread of their listener, by the credentials
/// of the app file in force.
///
/// Signatures are verified here, too: the loop does not wait for them. One that was right is
/// remembered, because a publisher shows the same token with each of its requests.
package final class PublisherGate: Sendable {
    /// The most tokens whose signatures are remembered; beyond it, all are forgotten.
    static var rememberedLimit: Int { 4_096 }

    private struct State {
        var table: CredentialTable
        /// The keys that have verified signed tokens, by the tokens' digests.
        var verified: [SHA256Digest: VerificationKey] = [:]
    }

    private let state: Mutex<State>

    /// Lets in whom a table lists.
    package init(_ table: CredentialTable) {
        state = Mutex(State(table: table))
    }

    /// Uses the credentials of another app file.
    package func replace(_ table: CredentialTable) {
        state.withLock { $0 = State(table: table) }
    }

    /// Judges who sends a request.
    ///
    /// - Parameters:
    ///   - request: its headers, and the certificate that its client has proved to have.
    ///   - app: the app that it names.
    ///   - producer: the producer that it names; nil for none.
    ///   - now: the present date.
    /// - Returns: why it is refused; nil if a publisher of the app has sent it.
    func problem(
        with request: HTTPRequest,
        app: String,
        producer: String?,
        now: WallTime
    ) -> AdminProblem? {
        var hello = HelloMessage(role: .publisher, app: app, token: nil, name: producer)
        hello.token = request.bearerToken
        let table = state.withLock { $0.table }
        var verdict = table.judge(hello, certificate: request.certificate, now: now) {
            SHA256.digest($0)
        }
        if case .signed(let signed) = verdict {
            verdict = table.finish(signed, isValid: isRight(signed), now: now)
        }
        switch verdict {
        case .admitted: return nil
        case .refused(let refusal): return Self.problem(refusal, of: hello)
        case .signed: preconditionFailure("a finished verdict depends on no signature")
        }
    }

    private func isRight(_ signed: SignedHello) -> Bool {
        guard let token = signed.hello.token else { return false }
        let digest = token.withByteView { SHA256.digest($0) }
        if state.withLock({ $0.verified[digest] }) == signed.key { return true }
        if !signed.key.verifies(signed.token) { return false }
        state.withLock { state in
            if state.verified.count >= Self.rememberedLimit { state.verified = [:] }
            state.verified[digest] = signed.key
        }
        return true
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
