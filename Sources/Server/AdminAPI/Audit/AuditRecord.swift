internal import Basics
internal import HTTPServing

/// One line of the audit log about a command: who asks for what, from where; and, once it has
/// ended, what it has changed.
struct AuditRecord: Sendable {
    /// How far a command is.
    enum State: Sendable {
        /// It is about to be carried out.
        case begun
        /// It was answered.
        case ended(status: UInt32, problem: String?, change: AuditedChange?)
    }

    /// When it came, or was answered.
    var date: WallTime
    /// The operator.
    let admitted: AdmittedOperator
    /// The request without its body.
    let request: HTTPRequest
    /// The request's id, which the log of the router names, too.
    let id: String
    /// How far it is.
    var state = State.begun

    /// The longest path that is written, in bytes; a longer one is cut.
    private static var pathLimit: Int { 1_024 }
    /// The longest state before and after, in bytes each; of a longer one, only that is written.
    static var stateLimit: Int { 12 << 10 }
    /// The commands of the least role, which change nothing that outlives them.
    private static let passing = ["POST /v1/links", "POST /v1/sessions", "DELETE /v1/sessions"]

    /// The line, a JSON object.
    var object: [UInt8] {
        JSONWriter.object { json in
            json.member("at", value: date.rfc3339Milliseconds)
            admitted.writeAudited(to: &json)
            json.member("by", value: admitted.way.rawValue)
            json.member("from", value: request.client)
            json.member("request", value: id)
            json.member("command", value: Self.command(request))
            guard case .ended(let status, let problem, let change) = state else {
                return json.member("state", value: "begun")
            }
            let isDone = status < 300 || change != nil
            json.member("state", value: isDone ? "done" : "refused")
            json.member("status", value: status)
            if let problem { json.member("problem", value: problem) }
            Self.write(change, to: &json)
        }
    }

    /// Method and path, cut between two characters.
    private static func command(_ request: HTTPRequest) -> String {
        let method = quotation(request.method, limit: 16)
        return "\(method) \(quotation(request.rawPath, limit: pathLimit))"
    }

    /// Writes the states before and after a command; null for none.
    static func write(_ change: AuditedChange?, to json: inout JSONWriter) {
        for (name, state) in [("before", change?.before), ("after", change?.after)] {
            json.key(name)
            if let state, state.count <= stateLimit {
                state.withByteView { json.raw($0) }
            } else if let state {
                json.object { $0.member("bytes", value: state.count) }
            } else {
                json.null()
            }
        }
    }

    /// Whether a line is about a command that has changed something: it is kept when its file is
    /// dropped.
    static func isKept(_ line: ArraySlice<UInt8>) -> Bool {
        // Quotation marks within a text are escaped, so these can only be members.
        let text = String(decoding: line, as: UTF8.self)
        return text.contains("\"state\":\"done\"")
            && !passing.contains { text.contains("\"command\":\"\($0)\"") }
    }
}

extension AdmittedOperator {
    /// Writes who it is into a line of the audit log.
    func writeAudited(to json: inout JSONWriter) {
        json.member("operator", value: name)
        json.member("role", value: role.rawValue)
    }
}
