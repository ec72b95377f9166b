package import Basics
internal import Credentials
internal import Cryptography
internal import HTTPServing
internal import Synchronization

/// Recognises operators by what their requests prove. It may be used on any thread, and the list of
/// operators may be replaced while the server runs.
///
///     request ─► Authorization: Bearer ─► an operator's token, or a browser's ─┐
///            └─► no such header ────────► the name in its certificate ─────────┴─► operator
///
/// Tokens are found by their SHA-256. An attacker cannot choose digests, so the time of a look-up
/// says nothing about the tokens.
package final class Authorization: Sendable {
    private struct State {
        var operators: [OperatorProof: Operator]
        var sessions = BrowserSessions()
    }

    private let state: Mutex<State>
    private let random: @Sendable (Int) -> [UInt8]
    private let now: @Sendable () -> WallTime
    /// Keeps the sessions of browsers for the next start, in the order of the calls.
    private let keep: Mutex<(@Sendable ([UInt8]) -> Void)?>

    /// The operators are those who are let in; no two have the same proof. `random` draws a number
    /// of random bytes for a secret. `keep` is called with the sessions of browsers when they have
    /// changed; the next process `restore`s them.
    package init(
        _ operators: [Operator],
        random: @escaping @Sendable (Int) -> [UInt8],
        now: @escaping @Sendable () -> WallTime,
        keep: (@Sendable ([UInt8]) -> Void)? = nil
    ) {
        state = Mutex(State(operators: Self.index(operators)))
        self.random = random
        self.now = now
        self.keep = Mutex(keep)
    }

    private static func index(_ operators: [Operator]) -> [OperatorProof: Operator] {
        Dictionary(operators.map { ($0.proof, $0) }) { first, _ in first }
    }

    /// Replaces the list. Requests, event streams and browsers of operators that are not in it, or
    /// have another role now, are refused from then on. Returns the former list, in no order.
    @discardableResult
    package func replace(with operators: [Operator]) -> [Operator] {
        let (former, hasEnded) = state.withLock { state in
            let former = Array(state.operators.values)
            state.operators = Self.index(operators)
            return (former, state.sessions.keep(of: state.operators))
        }
        if hasEnded { keepSessions() }
        return former
    }

    // MARK: - Requests

    /// Why a request is refused.
    struct Refusal: Error {
        let problem: AdminProblem
        /// Whose credential it shows, though it is good no more; nil if it shows none.
        let `operator`: AdmittedOperator?
    }

    /// Recognises the operator that sends a request. Without an `Authorization` header, the token
    /// may also be a query parameter if `inQuery`. `isSecure` says whether it came by TLS.
    func judge(
        _ request: HTTPRequest,
        inQuery: Bool,
        isSecure: Bool
    ) throws(Refusal) -> AdmittedOperator {
        func browser() -> Secret? { BrowserCookie.value(of: request, isSecure: isSecure) }
        let found: AdmittedOperator?
        if request.hasAuthorization {
            found = request.bearerToken.flatMap { holder(of: $0, cookie: browser()) }
        } else if inQuery, let token = request.secretQuery("token") {
            found = holder(of: token, cookie: browser())
        } else {
            found = request.certificate.flatMap(holder)
        }
        guard let found else {
            let detail = "Authorization: Bearer TOKEN is missing or wrong"
            let problem = AdminProblem(401, code: "unauthorized", detail: detail)
            throw Refusal(problem: problem, operator: nil)
        }
        if let until = found.until, until <= now() {
            let detail = "this credential of \(found.name) was good until \(until.rfc3339)"
            let problem = AdminProblem(401, code: "token-expired", detail: detail)
            throw Refusal(problem: problem, operator: found)
        }
        return found
    }

    /// Whether an operator would still be let in, with the same role.
    func admits(_ admitted: AdmittedOperator) -> Bool {
        if let until = admitted.until, until <= now() { return false }
        return state.withLock { state in
            if let session = admitted.session, state.sessions.find(session) == nil { return false }
            return state.operators[admitted.listed.proof] == admitted.listed
        }
    }

    /// The operator with a token; nil if it is no operator's, nor with its cookie a browser's.
    private func holder(of token: Secret, cookie: Secret? = nil) -> AdmittedOperator? {
        let digest = token.withByteView { SHA256.digest($0) }
        let session = cookie.map { self.session(token: digest, cookie: $0) }
        return state.withLock { state in
            if let listed = state.operators[.token(digest)] {
                return AdmittedOperator(listed, way: .token)
            }
            guard let session, let browser = state.sessions.find(session),
                state.operators[browser.listed.proof] == browser.listed
            else { return nil }
            return browser
        }
    }

    /// The operator that is listed with one of the names in a certificate, until that ends.
    private func holder(of certificate: ShownCertificate) -> AdmittedOperator? {
        let operators = state.withLock { $0.operators }
        return certificate.names.lazy.compactMap { operators[.certificate($0)] }.first
            .map { AdmittedOperator($0, way: .certificate, until: certificate.notAfter) }
    }

    private func digest(_ text: String) -> SHA256Digest {
        Array(text.utf8).withByteView { SHA256.digest($0) }
    }

    // MARK: - Browsers

    /// The code of a link, and until when it is good.
    struct Link: Sendable {
        let code: String
        let until: WallTime

        var path: String { StaticFiles.dashboardPath(forCode: code) }
    }

    /// A browser's token and cookie, and the operator for which it acts.
    struct Session: Sendable {
        let token: String
        let cookie: String
        let admitted: AdmittedOperator
    }

    /// Makes the code of a one-time link, by which a browser acts for an operator.
    func makeLink(for admitted: AdmittedOperator) -> Link {
        let code = encodeBase64URL(random(AdminToken.randomByteCount))
        let digest = digest(code)
        let until = state.withLock {
            $0.sessions.addLink(digest, for: admitted, now: now())
        }
        return Link(code: code, until: until)
    }

    /// Makes the code of a one-time link for the operator that has a token; nil if it is no
    /// operator's.
    package func makeLink(forHolderOf token: AdminToken) -> String? {
        holder(of: token.secret).map { makeLink(for: $0).code }
    }

    /// The operator whose browser would come by a link; nil if the link is used, or too old.
    func linkHolder(_ code: String) -> AdmittedOperator? {
        let link = digest(code)
        let holder = state.withLock { $0.sessions.holder(ofLink: link, now: now()) }
        return holder.flatMap { admits($0) ? $0 : nil }
    }

    /// Opens the session of a browser that has come by a link, which is used up; nil if the link is
    /// used, or too old.
    func openSession(_ code: String) -> Session? {
        let token = encodeBase64URL(random(AdminToken.randomByteCount))
        let cookie = encodeBase64URL(random(AdminToken.randomByteCount))
        let link = digest(code)
        let session = session(token: digest(token), cookie: Secret(cookie))
        let admitted = state.withLock { $0.sessions.open(link, as: session, now: now()) }
        guard let admitted, admits(admitted) else { return nil }
        keepSessions()
        return Session(token: token, cookie: cookie, admitted: admitted)
    }

    /// Ends the session of a browser; false if the operator was recognised by something else.
    func endSession(of admitted: AdmittedOperator) -> Bool {
        guard let session = admitted.session else { return false }
        let isEnded = state.withLock { $0.sessions.end(session) }
        if isEnded { keepSessions() }
        return isEnded
    }

    /// What a browser's two secrets are found by.
    private func session(token: SHA256Digest, cookie: Secret) -> SHA256Digest {
        let cookie = cookie.withByteView { SHA256.digest($0) }
        return digest(token.hexadecimal + cookie.hexadecimal)
    }

    /// Lets the browsers in that an earlier process has let in, from what its `keep` had last.
    ///
    /// - Throws: why the file is none of sessions; then there are none.
    package func restore(_ file: [UInt8]) throws(AdminProblem) {
        let now = now()
        try state.withLock { (state) throws(AdminProblem) in
            try state.sessions.restore(file, of: state.operators.values, now: now)
        }
    }

    private func keepSessions() {
        // Of two calls, the later one has what both have changed.
        keep.withLock { keep in
            if let keep { keep(state.withLock { $0.sessions.file }) }
        }
    }
}
