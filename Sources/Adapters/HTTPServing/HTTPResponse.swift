internal import HTTPMessages

/// The response to a request.
///
/// The server adds the length of the body, the date and the state of the connection.
package struct HTTPResponse: Sendable, Equatable {
    /// The HTTP status, 200 or above.
    package var status: UInt32
    /// The names and values of the headers, in the order in which they are sent.
    package var headers: [(name: String, value: String)]
    /// The complete body; omitted in the answer to HEAD.
    package var body: [UInt8]

    /// Makes a response with a status of 200 or above; a header with a line end in it is not sent.
    package init(status: UInt32, headers: [(name: String, value: String)], body: [UInt8]) {
        assert(status >= 200, "the status \(status) ends no request")
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a response that must not be cached.
    package init(status: UInt32, contentType: String, body: String) {
        self.init(
            status: status,
            headers: [("Content-Type", contentType), ("Cache-Control", "no-store")],
            body: Array(body.utf8)
        )
    }

    /// Whether both are the same, including the order of the headers.
    package static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
        one.status == other.status && one.body == other.body
            && one.headers.count == other.headers.count
            && zip(one.headers, other.headers).allSatisfy { $0 == $1 }
    }

    /// The value of the first header of this name, in exactly this spelling.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Plain text in UTF-8, one line for each string.
    package static func text(_ status: UInt32, lines: [String]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            contentType: "text/plain; charset=utf-8",
            body: lines.map { $0 + "\n" }.joined()
        )
    }

    /// Problem details (RFC 9457) of the type `about:blank`, whose title is the status's reason
    /// phrase. The detail is a sentence without quotation marks and backslashes, because it is not
    /// escaped; so nothing from the request.
    package static func problem(_ status: UInt32, detail: String) -> HTTPResponse {
        assert(!detail.contains { $0 == "\"" || $0 == "\\" }, "a text must be escaped")
        let title = AnswerWriter.reason(status)
        return HTTPResponse(
            status: status,
            contentType: "application/problem+json",
            body: """
                {"type":"about:blank","title":"\(title)","status":\(status),"detail":"\(detail)"}

                """
        )
    }

    /// The answer to a method that the path does not support; `allowed` lists those that it does.
    package static func methodNotAllowed(_ allowed: String, detail: String) -> HTTPResponse {
        var response = problem(405, detail: detail)
        response.headers.append(("Allow", allowed))
        return response
    }
}
