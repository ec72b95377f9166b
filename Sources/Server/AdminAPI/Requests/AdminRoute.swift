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
        /// The server answers by itself.
        case here(Resource)
        /// Asks the loop for what is read from the input.
        case loop(@Sendable (AdminInput) throws(AdminProblem) -> AdminRequest)
    }

    /// Whether strangers get an answer, too.
    var isOpen: Bool { access == .anybody || access == .anybodyOrOperator }

    /// Whether the answer is a stream of events, which never ends.
    var isStream: Bool {
        switch operation {
        case .here(.events), .here(.deadTokenEvents): true
        default: false
        }
    }

    let method: String
    /// The path; a name in braces stands for one segment.
    let path: String
    let operation: Operation
    /// Names of the query parameters; all others are refused.
    let parameters: [String]
    let access: Access
    /// The least role that may send the request.
    let role: OperatorRole
    /// True if it is an operator's command that changes what the router does, or who is let in:
    /// commands are in the audit log, and are logged at a higher level than the frequent requests
    /// of programs.
    let isCommand: Bool
    let pattern: PathPattern

    init(
        _ method: String,
        path: String,
        operation: Operation,
        parameters: [String] = [],
        access: Access = .bearer,
        role: OperatorRole = .viewer,
        isCommand: Bool = false
    ) {
        assert(Set(parameters).count == parameters.count, "a parameter of \(path) is named twice")
        assert(!isCommand || method != "GET", "a request that only reads is no command")
        self.method = method
        self.path = path
        self.operation = operation
        self.parameters = parameters
        self.access = access
        self.role = role
        self.isCommand = isCommand
        pattern = PathPattern(path)
    }
}
