internal import HTTPServing

/// One route of the admin server: a method, a path, and what it does.
struct AdminRoute: Sendable {
    /// Who may send the request.
    enum Access {
        /// Any client, without a token.
        case anybody
        /// A client with the token, if one is set.
        case bearer
        /// A client with the token, if one is set, in a header or in the query: a browser's event
        /// source sends no headers.
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
        case validateAppFile
        /// Asks the loop, with the request that a method of `AdminInput` reads.
        case ask(@Sendable (AdminInput) -> () throws(AdminProblem) -> AdminRequest)
    }

    let method: String
    /// The path; a name in braces stands for one segment.
    let path: String
    /// Names of the query parameters; all others are refused.
    let parameters: [String]
    let access: Access
    let operation: Operation
    /// True if it is an operator's command that changes what the router does: commands are logged
    /// at a higher level than the frequent requests of programs.
    let isCommand: Bool
    private let segments: [Substring]

    init(
        _ method: String,
        path: String,
        operation: Operation,
        parameters: [String] = [],
        access: Access = .bearer,
        isCommand: Bool = false
    ) {
        assert(path.hasPrefix("/"), "the path \(path) does not begin with a slash")
        assert(Set(parameters).count == parameters.count, "a parameter of \(path) is named twice")
        assert(!isCommand || method != "GET", "a request that only reads is no command")
        self.method = method
        self.path = path
        self.parameters = parameters
        self.access = access
        self.operation = operation
        self.isCommand = isCommand
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
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
