package import StrictJSON

/// The outcome of pushes over HTTP, in which every accepted push is durable.
package struct PushesBody: AdminBody {
    /// A push that was rejected.
    package struct Rejection: Equatable, Sendable {
        /// Its line in the request, counted from 1.
        package var line: Int
        package var code: String
        package var detail: String

        package init(line: Int, code: String, detail: String) {
            self.line = line
            self.code = code
            self.detail = detail
        }
    }

    /// Number of accepted pushes.
    private let accepted: Int
    /// Number of widgets that they matched.
    private let matched: UInt64
    /// Sequence number of the producer's last accepted push.
    private let lastSeq: UInt64
    private let rejected: [Rejection]

    package init(accepted: Int, matched: UInt64, lastSeq: UInt64, rejected: [Rejection]) {
        self.accepted = accepted
        self.matched = matched
        self.lastSeq = lastSeq
        self.rejected = rejected
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("accepted", accepted)
        json.member("matched", matched)
        json.member("lastSeq", lastSeq)
        json.list("rejected", of: rejected) { line, json in
            json.beginObject()
            json.member("line", line.line)
            json.member("code", line.code)
            json.member("detail", line.detail)
            json.endObject()
        }
        json.endObject()
    }
}
