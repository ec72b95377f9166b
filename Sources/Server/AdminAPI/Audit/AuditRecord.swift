internal import DataStructures
internal import HTTPServing
internal import StrictJSON
internal import Times

/// One line of the audit log: who has asked for what, from where, and what it has changed.
struct AuditRecord: Sendable {
    /// When the request was answered.
    let date: WallTime
    /// The operator.
    let admitted: AdmittedOperator
    /// The request without its body.
    let request: HTTPRequest
    /// The request's id, which the log of the router names, too.
    let id: String
    /// The HTTP status of the answer.
    let status: UInt32
    /// The code of the problem that was the answer; nil if the command was carried out.
    let problem: String?
    /// What has changed; nil if nothing has.
    let change: AuditedChange?

    /// The longest path that is written, in characters; a longer one is cut.
    private static var pathLimit: Int { 1_024 }

    /// The line, a JSON object and a line feed.
    var line: [UInt8] {
        JSONWriter.object { json in
            json.member("at", value: date.rfc3339)
            json.member("operator", value: admitted.name)
            json.member("role", value: admitted.role.rawValue)
            json.member("by", value: admitted.way.rawValue)
            json.member("from", value: request.client)
            json.member("request", value: id)
            json.member(
                "command",
                value: "\(request.method) \(request.path.prefix(Self.pathLimit))"
            )
            json.member("status", value: status)
            if let problem { json.member("problem", value: problem) }
            for (name, value) in [("before", change?.before), ("after", change?.after)] {
                json.key(name)
                if let value {
                    value.withByteView { json.raw($0) }
                } else {
                    json.null()
                }
            }
        } + [0x0a]
    }
}
