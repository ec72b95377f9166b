internal import Basics
internal import HTTPMessages

/// Refuses what a program between the client and this server may read in another way, and what the
/// server cannot read; for both listeners.
enum AmbiguousRequest {
    /// The headers whose values are no lists, and say something to the router: two of them would
    /// be ambiguous (RFC 9110, section 5.3). So would two of an attribute of an event, `ce-…`.
    private static let singleHeaders: Set = [
        "authorization", "content-type", "host", "idempotency-key", "last-event-id", "origin",
        "reload-outcomes", "reload-urgent", "reload-void-at", "webhook-request-origin",
    ]

    /// Why a request is refused that has headers more than once; nil if none of them says a single
    /// thing.
    static func problem(repeated: [String]) -> AdminProblem? {
        let found = repeated.first { name in
            let name = name.lowercased()
            return singleHeaders.contains(name) || name.hasPrefix("ce-")
        }
        guard let found else { return nil }
        return AdminProblem(
            400,
            code: "header-ambiguous",
            detail: "the header \(quotation(found)) is there more than once; which one counts?"
        )
    }

    /// Refuses unknown and repeated parameters: ignoring them would hide a misspelt name.
    static func problem(arguments: [String], known: [String]) -> AdminProblem? {
        for (index, name) in arguments.enumerated() {
            if !known.contains(name) {
                let list = known.isEmpty ? "none" : known.joined(separator: ", ")
                return .parameterInvalid(
                    "there is no parameter \(quotation(name)) here; there are: \(list)"
                )
            }
            if arguments[..<index].contains(name) {
                return .parameterInvalid("the parameter \(name) is repeated")
            }
        }
        return nil
    }

    /// Why the body of a request with these `Content-Encoding` is not read: it is compressed, for
    /// example.
    static func problem(codings: [String]) -> AdminProblem? {
        let named = codings.lazy.flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" } }
            .first { !$0.isEmpty && $0.lowercased() != "identity" }
        guard let named else { return nil }
        return AdminProblem(
            415,
            code: AdminProblem.contentEncoding,
            detail: "the body has the Content-Encoding \(quotation(named)); it must have none"
        )
    }
}

extension AdminProblem {
    /// The refusal of what cannot be read as a request.
    init(_ failure: RequestFailure) {
        let code =
            switch failure {
            case .malformed, .host, .version, .transferCoding: "request-invalid"
            case .targetTooLong, .headTooLong: "head-too-large"
            case .late: "request-timeout"
            }
        self.init(failure.status, code: code, detail: failure.detail)
    }

    /// No route has the path.
    static var noPath: AdminProblem {
        let detail = "/openapi.json lists all paths that there are"
        return AdminProblem(404, code: "not-found", detail: detail)
    }

    /// The path has only routes of these other methods.
    static func otherMethod(allowed: String) -> AdminProblem {
        AdminProblem(405, code: "method-not-allowed", detail: "the path accepts only \(allowed)")
    }
}
