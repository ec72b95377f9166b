package import StrictJSON

/// What became of pushes that came over HTTP; all that was accepted is durable.
package struct PushesBody: AdminBody {
    /// A line that was refused.
    package struct Rejection: Equatable, Sendable {
        /// From 1.
        package var line: Int
        package var code: String
        package var detail: String

        package init(line: Int, code: String, detail: String) {
            self.line = line
            self.code = code
            self.detail = detail
        }
    }

    private let accepted: Int
    private let matched: UInt64
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
