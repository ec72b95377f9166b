/// What a request is answered with.
///
/// The length of the body, the date and what becomes of the connection are said by the server.
package struct HTTPResponse: Sendable, Equatable {
    package var status: UInt32
    package var headers: [(name: String, value: String)]
    /// Left away in the answer to HEAD.
    package var body: [UInt8]

    /// - Parameters:
    ///   - status: 200 and beyond.
    ///   - headers: neither names nor values have line ends; one that has is not sent.
    ///   - body: all of it.
    package init(status: UInt32, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer that nobody keeps.
    package init(status: UInt32, contentType: String, body: String) {
        self.init(
            status: status,
            headers: [("Content-Type", contentType), ("Cache-Control", "no-store")],
            body: Array(body.utf8)
        )
    }

    package static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
        one.status == other.status && one.body == other.body
            && one.headers.count == other.headers.count
            && zip(one.headers, other.headers).allSatisfy { $0 == $1 }
    }

    /// The first header of this name, spelt as it was added.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Plain text of UTF-8, one sentence a line.
    package static func text(_ status: UInt32, _ lines: [String]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            contentType: "text/plain; charset=utf-8",
            body: lines.map { $0 + "\n" }.joined()
        )
    }

    /// Problem details (RFC 9457) of the type `about:blank`: the title is the status's own.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - title: as HTTP names the status.
    ///   - detail: a sentence without quotation marks and backslashes, and nothing of the request.
    /// - Returns: the response.
    package static func problem(_ status: UInt32, _ title: String, _ detail: String) -> HTTPResponse
    {
        HTTPResponse(
            status: status,
            contentType: "application/problem+json",
            body: """
                {"type":"about:blank","title":"\(title)","status":\(status),"detail":"\(detail)"}

                """
        )
    }

    /// The problem of a method that is not there, which says what is.
    package static func methodNotAllowed(_ allowed: String, _ detail: String) -> HTTPResponse {
        var response = problem(405, "Method Not Allowed", detail)
        response.headers.append(("Allow", allowed))
        return response
    }
}
