package import Basics

/// An operator that has proved who it is.
package struct AdmittedOperator: Equatable, Sendable {
    /// By what it was recognised.
    package enum Way: String, Sendable {
        /// A token in a header, or in the query of an event stream.
        case token
        /// A client certificate.
        case certificate
        /// The token of a browser, which came there with a one-time link.
        case browser
    }

    /// The operator as it is listed.
    let listed: Operator
    /// By what it was recognised.
    package let way: Way
    /// The hash of the browser's token; nil if it has none.
    let session: SHA256Digest?
    /// From when on it is let in no more; nil for never.
    package let until: WallTime?

    init(_ listed: Operator, way: Way, session: SHA256Digest? = nil, until: WallTime? = nil) {
        self.listed = listed
        self.way = way
        self.session = session
        self.until = [until, listed.notAfter].compactMap(\.self).min()
    }

    /// The name in the audit log.
    package var name: String { listed.name }
    /// What it may do.
    package var role: OperatorRole { listed.role }

    /// Refuses what is not about one of its apps.
    func require(_ scope: AdminScope) throws(AdminProblem) {
        guard let apps = listed.apps else { return }
        let subject: String
        switch scope {
        case .nothing: return
        case .app(let app):
            if apps.contains(app) { return }
            subject = "the app \(quotation(app))"
        case .router: subject = "all apps"
        }
        throw AdminProblem(
            403,
            code: "app-forbidden",
            detail: "\(name) is an operator of some apps alone; this is about \(subject)"
        )
    }
}
