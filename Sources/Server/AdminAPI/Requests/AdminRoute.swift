internal import HTTPServing

/// One route of the admin server: a method, a path, and what it does.
struct AdminRoute: Sendable {
    /// Who may send the request.
    enum Access {
        /// Any client.
        case anybody
        /// Any client, but operators get a longer answer.
        case anybodyOrOperator
        /// Any client, but no page of another server: the code in the body proves who it is.
        case code
        /// An operator.
        case bearer
        /// An operator, whose token may also stand in the query: a browser's event source sends no
        /// headers.
        case bearerInQuery
    }

    /// What a route does.
    enum Operation: Sendable {
        case health
        case readiness
        case metrics
        case page
        case asset
        case runbook
        case document
        case status
        case events
        case deadTokenEvents
        case validateAppFile
        case whoami
        case makeLink
        case openSession
        /// Asks the loop, with the request that a method of `AdminInput` reads.
        case ask(@Sendable (AdminInput) -> () throws(AdminProblem) -> AdminRequest)
    }

    /// Whether strangers get an answer, too.
    var isOpen: Bool { access == .anybody || access == .anybodyOrOperator }

    /// Whether the answer is a stream of events, which never ends.
    var isStream: Bool {
        switch operation {
        case .events, .deadTokenEvents: true
        default: false
        }
    }

    let method: String
    /// The path; a name in braces stands for one segment.
    let path: String
    let operation: Operation
    /// Names of the query parameters; all others are refused.
    private(set) var parameters: [String] = []
    private(set) var access = Access.bearer
    /// The least role that may send the request.
    private(set) var role = OperatorRole.viewer
    /// True if it is an operator's command that changes what the router does, or who is let in:
    /// commands are in the audit log, and are logged at a higher level than the frequent requests
    /// of programs.
    private(set) var isCommand = false
    private let segments: [Substring]

    /// A route for any operator, without parameters; a command is the method and the path, with a
    /// space between.
    init(_ command: String, operation: Operation) {
        let parts = command.split(separator: " ")
        assert(parts.count == 2 && parts[1].hasPrefix("/"), "\(command) is no method with a path")
        method = String(parts[0])
        path = String(parts[1])
        self.operation = operation
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    /// A route that asks the loop, with the request that a method of `AdminInput` reads.
    init(
        _ command: String,
        asking request: @escaping @Sendable (AdminInput) -> () throws(AdminProblem) -> AdminRequest
    ) {
        self.init(command, operation: .ask(request))
    }

    /// The route with query parameters.
    func with(_ parameters: String...) -> Self {
        assert(Set(parameters).count == parameters.count, "a parameter of \(path) is named twice")
        var route = self
        route.parameters = parameters
        return route
    }

    /// The route for others than operators with a token in a header.
    func open(to access: Access) -> Self {
        var route = self
        route.access = access
        return route
    }

    /// The route for operators of a role, and of those above.
    func by(_ role: OperatorRole) -> Self {
        var route = self
        route.role = role
        return route
    }

    /// The route as a command of operators of a role, and of those above.
    func command(by role: OperatorRole) -> Self {
        assert(method != "GET", "a request that only reads is no command")
        var route = by(role)
        route.isCommand = true
        return route
    }

    /// Matches a path, given as its segments. Returns the segments that stand for names, in order,
    /// or nil if the path is not this route's.
    func names(in path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var names: [String] = []
        for (segment, part) in zip(segments, path) {
            if segment.utf8.first == UInt8(ascii: "{") {
                names.append(part)
            } else if !segment.utf8.elementsEqual(part.utf8) {
                return nil
            }
        }
        return names
    }
}
