/// What a request is answered with.
package struct AdminResponse: Equatable, Sendable {
    package let status: UInt32
    package let contentType: String
    package let body: String
    /// The methods that are there, when another one was used.
    package let allow: String?

    /// Plain text of UTF-8, one sentence a line.
    static func text(_ status: UInt32, _ lines: [String]) -> AdminResponse {
        AdminResponse(
            status: status,
            contentType: "text/plain; charset=utf-8",
            body: lines.map { $0 + "\n" }.joined(),
            allow: nil
        )
    }

    /// The text format of Prometheus.
    static func metrics(_ text: String) -> AdminResponse {
        AdminResponse(
            status: 200,
            contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: text,
            allow: nil
        )
    }

    /// Problem details (RFC 9457) of the type `about:blank`: the title is the status's own.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - title: as HTTP names the status.
    ///   - detail: a sentence without quotation marks and backslashes, and nothing of the request.
    ///   - allow: for 405.
    /// - Returns: the response.
    static func problem(
        _ status: UInt32,
        _ title: String,
        _ detail: String,
        allow: String? = nil
    ) -> AdminResponse {
        AdminResponse(
            status: status,
            contentType: "application/problem+json",
            body: """
                {"type":"about:blank","title":"\(title)","status":\(status),"detail":"\(detail)"}

                """,
            allow: allow
        )
    }
}
