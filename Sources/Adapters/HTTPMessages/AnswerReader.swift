package import Basics
internal import CHTTPParser

/// The answer to a request over HTTP, whatever its status.
package struct HTTPAnswer: Equatable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The body, without transfer encoding.
    package let body: [UInt8]
    /// The seconds to wait before asking again, from `Retry-After`; nil if the header is missing or
    /// says 0.
    package let retryAfterSeconds: Int?

    /// Makes an answer; `retryAfterSeconds` is nil if the server has not asked to wait.
    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Why bytes are not read as an answer.
package enum AnswerProblem: Error, Equatable, Sendable {
    /// The body is longer than it may be.
    case tooLarge
    /// They are no answer, or not all of one, and why.
    case invalid(String)
}

/// Reads one HTTP answer, in whatever pieces it arrives: for commands and the laboratory, which ask
/// servers that they trust.
///
///     bytes ─► http_parser ─► status, pieces of the body ─► body, up to the limit
@safe
package final class AnswerReader {
    private let parser = UnsafeMutablePointer<http_parser>.allocate(capacity: 1)
    private let bodyLimit: Int
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// The header that is being read, and whether its value has begun.
    private var header: (name: [UInt8], value: [UInt8], hasValue: Bool) = ([], [], false)
    private var retryAfterSeconds: Int?
    /// Whether the connection may be used for another request, once there is an answer.
    package private(set) var keepsConnection = false
    /// The answer, once all of it has been read; nil before.
    package private(set) var answer: HTTPAnswer?

    /// - Parameter bodyLimit: the longest body in bytes; a longer one throws `tooLarge`.
    package init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        unsafe http_parser_init(parser, HTTP_RESPONSE)
        // Unretained: the parser calls back only during `read`.
        unsafe parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { unsafe parser.deallocate() }

    /// Reads further bytes; no bytes mean that the connection has ended.
    ///
    /// Bytes after the answer are ignored, and nothing else may follow on the connection.
    ///
    /// - Throws: what is wrong; every time from then on.
    package func read(_ bytes: ByteView) throws(AnswerProblem) {
        if answer != nil { return }
        var settings = Self.settings
        let text = bytes.array.map { CChar(bitPattern: $0) }
        let used = unsafe http_parser_execute(parser, &settings, text, text.count)
        if isTooLarge { throw .tooLarge }
        if answer != nil {
            if used < text.count { keepsConnection = false }
            return
        }
        if let problem = unsafe response_problem(parser) {
            throw .invalid(unsafe String(cString: problem))
        }
    }

    /// Appends a piece of the body; returns false if the body is too long.
    private func add(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        assert(answer == nil, "the body continues after its end")
        isTooLarge = body.count + piece.count > bodyLimit
        if !isTooLarge { unsafe body.append(contentsOf: piece) }
        return !isTooLarge
    }

    /// Appends a piece of a header's name; after a value, it is that of the next header.
    private func addName(_ piece: UnsafeBufferPointer<UInt8>) {
        if header.hasValue { endHeader() }
        unsafe header.name.append(contentsOf: piece)
    }

    private func addValue(_ piece: UnsafeBufferPointer<UInt8>) {
        header.hasValue = true
        unsafe header.value.append(contentsOf: piece)
    }

    /// The most seconds of `Retry-After`; more count as this many.
    private static var longestRetryAfter: Int { 86_400 }

    private func endHeader() {
        if String(decoding: header.name, as: UTF8.self).lowercased() == "retry-after" {
            let isNumber = header.value.allSatisfy { (0x30...0x39).contains($0) }
            let seconds = Int(String(decoding: header.value, as: UTF8.self)) ?? .max
            let isLater = isNumber && !header.value.isEmpty && seconds > 0
            retryAfterSeconds = isLater ? min(seconds, Self.longestRetryAfter) : nil
        }
        header = ([], [], false)
    }

    /// Records the end of a message.
    ///
    /// - Returns: whether the answer proper still follows, because this one was informational
    ///   (1xx).
    private func endMessage() -> Bool {
        let status = unsafe Int(response_status(parser))
        if status < 200 { return true }
        assert(answer == nil, "the answer ends twice")
        answer = HTTPAnswer(status: status, body: body, retryAfterSeconds: retryAfterSeconds)
        keepsConnection = unsafe http_should_keep_alive(parser) != 0
        return false
    }

    /// The parser's callbacks; each returns 0 to continue, anything else to stop the parser.
    private static var settings: http_parser_settings {
        var settings = http_parser_settings()
        unsafe settings.on_header_field = { parser, bytes, count in
            unsafe AnswerReader.of(parser).addName(AnswerReader.piece(bytes, count: count))
            return 0
        }
        unsafe settings.on_header_value = { parser, bytes, count in
            unsafe AnswerReader.of(parser).addValue(AnswerReader.piece(bytes, count: count))
            return 0
        }
        unsafe settings.on_headers_complete = { parser in
            unsafe AnswerReader.of(parser).endHeader()
            return 0
        }
        unsafe settings.on_body = { parser, bytes, count in
            let piece = unsafe AnswerReader.piece(bytes, count: count)
            return unsafe AnswerReader.of(parser).add(piece) ? 0 : 1
        }
        unsafe settings.on_message_complete = { parser in
            unsafe AnswerReader.of(parser).endMessage() ? 0 : 1
        }
        return settings
    }

    private static func piece(
        _ bytes: UnsafePointer<CChar>?,
        count: Int
    ) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            .assumingMemoryBound(to: UInt8.self)
    }

    /// The reader to which a parser belongs.
    fileprivate static func of(_ parser: UnsafeMutablePointer<http_parser>?) -> AnswerReader {
        unsafe Unmanaged<AnswerReader>.fromOpaque(parser!.pointee.data).takeUnretainedValue()
    }
}
