internal import HTTPServing

/// One thing that the admin server does: a method, a path, and what is done.
struct AdminRoute: Sendable {
    /// Who may ask.
    enum Access {
        case anybody
        /// Whoever has the token, if there is one.
        case bearer
        /// The same; for a browser's event source, which sends no headers, also in the query.
        case bearerInQuery
    }

    /// What is done.
    enum Operation: Sendable {
        case health
        case readiness
        case metrics
        case page
        case asset
        case document
        case status
        case events
        case validateAppFile
        /// The router is asked what a method of the input says.
        case ask(@Sendable (AdminInput) -> () throws(AdminProblem) -> AdminRequest)
    }

    let method: String
    /// With names in braces, which stand for one segment each.
    let path: String
    /// Of the query; there may be no others.
    let parameters: [String]
    let access: Access
    let operation: Operation
    /// Whether it is an operator's, to change what the router does; not what programs send all day.
    let isCommand: Bool
    private let segments: [Substring]

    init(
        _ method: String,
        _ path: String,
        _ operation: Operation,
        parameters: [String] = [],
        access: Access = .bearer,
        isCommand: Bool = false
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.access = access
        self.operation = operation
        self.isCommand = isCommand
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The names in this path, in the order of the braces; nil if it is none of this route.
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
