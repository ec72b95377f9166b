package import Basics

/// Writes answers as bytes, into memory that is used again for each of them.
///
///     begin ─► header … ─► end
package struct AnswerWriter {
    /// The answer so far.
    private var bytes: [UInt8] = []
    /// Whether the answer has a body: not for HEAD, nor with 204 and 304.
    package private(set) var hasBody = true
    private var hasLength = true

    /// A writer that has written nothing.
    package init() { bytes.reserveCapacity(1_024) }

    /// Answers a client that speaks HTTP to a port where TLS is spoken; the connection ends then.
    package static let tlsRequired: [UInt8] = {
        let sentence = "This port speaks TLS: use https:// in place of http://.\n"
        let head = [
            "HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(sentence.utf8.count)", "Connection: close", "", sentence,
        ]
        return Array(head.joined(separator: "\r\n").utf8)
    }()

    /// Permits a client to send its body, before which it waits for this (`Expect: 100-continue`).
    package static let permission = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Begins an answer with a status of 200 or above. `isLast` says whether the connection ends
    /// after it.
    package mutating func begin(
        _ status: UInt32,
        date: HTTPDate,
        to request: RequestHead,
        isLast: Bool
    ) {
        assert((200...599).contains(status), "the status \(status) ends no request")
        bytes.removeAll(keepingCapacity: true)
        hasLength = status != 204 && status != 304
        hasBody = hasLength && request.method != .head
        append("HTTP/1.1 ")
        append(Int(status))
        bytes.append(0x20)
        append(Self.reason(status))
        append("\r\nDate: ")
        bytes += date.text
        if isLast {
            append("\r\nConnection: close")
        } else if request.isOld {
            append("\r\nConnection: keep-alive")
        }
    }

    /// Adds a header whose value is made at run time; the value has no line ends.
    package mutating func header(_ name: StaticString, text: String) {
        append("\r\n")
        append(name)
        append(": ")
        bytes += text.utf8
    }

    /// Adds a header whose name and value are made at run time; neither has line ends.
    package mutating func header(named name: String, text: String) {
        append("\r\n")
        bytes += name.utf8
        append(": ")
        bytes += text.utf8
    }

    /// Adds a header with a constant value.
    package mutating func header(_ name: StaticString, value: StaticString) {
        append("\r\n")
        append(name)
        append(": ")
        append(value)
    }

    /// Adds the length of the body and, unless only the head was asked for, the body, which is
    /// empty with 204, whose head may state no length (RFC 9110, section 8.6); `use` is called with
    /// the whole answer.
    package mutating func end(_ body: [UInt8], use: (ByteView) -> Void) {
        assert(hasLength || body.isEmpty, "an answer with 204 has no body")
        endHead(bodyCount: body.count)
        if hasBody { bytes += body }
        bytes.withByteView(use)
    }

    /// Adds the length of the body, which the caller sends if `hasBody` says so.
    package mutating func endHead(bodyCount: Int, use: (ByteView) -> Void) {
        endHead(bodyCount: bodyCount)
        bytes.withByteView(use)
        bytes.erase()
    }

    /// Says that the body comes in chunks, or ends with the connection; the caller sends it if
    /// `hasBody` says so.
    package mutating func endHead(isChunked: Bool, use: (ByteView) -> Void) {
        if isChunked { append("\r\nTransfer-Encoding: chunked") }
        append("\r\n\r\n")
        bytes.withByteView(use)
        bytes.erase()
    }

    private mutating func endHead(bodyCount: Int) {
        if hasLength {
            append("\r\nContent-Length: ")
            append(bodyCount)
        }
        append("\r\n\r\n")
    }

    // MARK: - Texts

    private mutating func append(_ text: StaticString) {
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    private mutating func append(_ number: Int) {
        assert(number >= 0, "a length of \(number) bytes")
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// The reason phrase of a status (RFC 9110).
    package static func reason(_ status: UInt32) -> StaticString {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Internal Server Error"
        }
    }
}
