package import Basics
internal import CHTTPParser
internal import Glibc

/// Reads the requests of one connection one after the other, in whatever pieces they arrive. It
/// does no input and output itself.
///
///     bytes ─► whole head? ─► .head ─► .piece … ─► .end ─► next ─► …
///                │ no                      │
///                └─► .incomplete ◄─────────┘   (the caller keeps unused bytes, and adds to them)
///
/// The end of a head is searched for first, and only a whole head is parsed; so the parser's
/// callbacks name bytes of one piece of memory, the head's own copy. No body is kept here.
@safe
package final class RequestReader {
    /// What has been read.
    package enum Event {
        /// Nothing more; bytes that were not used are the beginning of a head.
        case incomplete
        /// The head; `head` says what is in it.
        case head
        /// A piece of the body; valid as long as the bytes that it was read from.
        case piece(ByteView)
        /// The end of the request; nothing more is read before `next`.
        case end
        /// What has come is not a request; nothing more is read.
        case failed(RequestFailure)
    }

    private enum Phase {
        case head, body, ended
        case failed(RequestFailure)
    }

    private let parser = UnsafeMutablePointer<http_parser>.allocate(capacity: 1)
    private var settings: http_parser_settings
    private let limits: RequestLimits
    private var phase = Phase.head
    /// Bytes of an incomplete head in which its end was searched for.
    private var searchedCount = 0
    /// What the parser has found since it was last called.
    private var piece: ByteView?
    private var hasHead = false
    private var hasEnd = false
    private var hasTooMany = false
    private var hasLongTarget = false
    private var refusal: RequestFailure?
    /// The head of the present request; empty before it was read.
    package let head = RequestHead()

    /// A reader that has read nothing.
    package init(_ limits: RequestLimits = RequestLimits()) {
        self.limits = limits
        settings = Self.callbacks
        unsafe parser.initialize(to: http_parser())
    }

    deinit { unsafe parser.deallocate() }

    /// Reads up to the next event, in the bytes that were not used before, and those that have
    /// arrived since. Returns how many of them were used, and what they are.
    package func read(_ bytes: ByteView) -> (used: Int, event: Event) {
        switch phase {
        case .head: return readHead(bytes)
        case .body: return readBody(bytes)
        case .ended: return (0, .end)
        case .failed(let failure): return (0, .failed(failure))
        }
    }

    /// Forgets the request whose end was read, and reads another one.
    package func next() {
        guard case .ended = phase else { return assertionFailure("a request has not ended") }
        head.erase()
        phase = .head
        searchedCount = 0
    }

    /// Overwrites the request's head, at the end of the connection.
    package func close() {
        head.erase()
        phase = .failed(.malformed)
    }

    private func fail(_ failure: RequestFailure) -> (used: Int, event: Event) {
        head.erase()
        phase = .failed(failure)
        return (0, .failed(failure))
    }

    // MARK: - The head

    private func readHead(_ bytes: ByteView) -> (used: Int, event: Event) {
        // Empty lines before a request are no part of it (RFC 9112, section 2.2).
        var start = 0
        while start < bytes.count, bytes[start] == 0x0d || bytes[start] == 0x0a { start += 1 }
        let bytes = bytes.slice(start, to: bytes.count)
        guard let end = headEnd(bytes) else {
            if bytes.count <= limits.headBytes { return (start, .incomplete) }
            let hasLine = firstLineFeed(bytes.slice(0, to: limits.headBytes), from: 0) != nil
            return fail(hasLine ? .headTooLong : .targetTooLong)
        }
        if end > limits.headBytes { return fail(.headTooLong) }
        head.store(bytes.slice(0, to: end))
        if let failure = parseHead() { return fail(failure) }
        phase = hasEnd ? .ended : .body
        return (start + end, .head)
    }

    /// The end of a head: that of its first empty line.
    private func headEnd(_ bytes: ByteView) -> Int? {
        var offset = min(searchedCount, bytes.count)
        // The last two bytes may be the beginning of the end.
        searchedCount = max(0, bytes.count - 2)
        while let line = firstLineFeed(bytes, from: offset) {
            if bytes.has(line + 1), bytes[line + 1] == 0x0a { return line + 2 }
            if bytes.has(line + 2), bytes[line + 1] == 0x0d, bytes[line + 2] == 0x0a {
                return line + 3
            }
            offset = line + 1
        }
        return nil
    }

    private func firstLineFeed(_ bytes: ByteView, from offset: Int) -> Int? {
        if offset >= bytes.count { return nil }
        let start = unsafe bytes.address + offset
        guard let found = unsafe memchr(start, 0x0a, bytes.count - offset) else { return nil }
        return unsafe UnsafeRawPointer(found) - bytes.address
    }

    /// Parses the whole head; returns why it is none.
    private func parseHead() -> RequestFailure? {
        unsafe http_parser_init(parser, HTTP_REQUEST)
        // Unretained: the parser calls back only during `execute`.
        unsafe parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        hasHead = false
        hasEnd = false
        hasTooMany = false
        hasLongTarget = false
        refusal = nil
        let bytes = head.text
        let used = execute(bytes)
        if hasLongTarget { return .targetTooLong }
        if hasTooMany { return .headTooLong }
        if let refusal { return refusal }
        switch http_errno(rawValue: unsafe parser_error(parser)) {
        case HPE_OK: break
        case HPE_PAUSED where hasEnd: unsafe http_parser_pause(parser, 0)
        case HPE_INVALID_VERSION: return .version
        default: return .malformed
        }
        // The parser must find the end of the head where it was found before.
        return used == bytes.count && hasHead ? nil : .malformed
    }

    // MARK: - The body

    private func readBody(_ bytes: ByteView) -> (used: Int, event: Event) {
        if bytes.count == 0 { return (0, .incomplete) }
        piece = nil
        let used = execute(bytes)
        switch http_errno(rawValue: unsafe parser_error(parser)) {
        case HPE_OK: break
        case HPE_PAUSED: unsafe http_parser_pause(parser, 0)
        default: return fail(.malformed)
        }
        if let piece { return (used, .piece(piece)) }
        if hasEnd {
            phase = .ended
            return (used, .end)
        }
        return (used, .incomplete)
    }

    // MARK: - The parser

    private func execute(_ bytes: ByteView) -> Int {
        let text = unsafe bytes.address.assumingMemoryBound(to: CChar.self)
        return unsafe http_parser_execute(parser, &settings, text, bytes.count)
    }

    /// The parser's callbacks; each returns 0 to continue, anything else to stop the parser.
    private static var callbacks: http_parser_settings {
        var settings = http_parser_settings()
        unsafe settings.on_url = { parser, bytes, count in
            unsafe RequestReader.of(parser).addTarget(bytes, count: count) ? 0 : 1
        }
        unsafe settings.on_header_field = { parser, bytes, count in
            unsafe RequestReader.of(parser).addName(bytes, count: count) ? 0 : 1
        }
        unsafe settings.on_header_value = { parser, bytes, count in
            unsafe RequestReader.of(parser).addValue(bytes, count: count) ? 0 : 1
        }
        unsafe settings.on_headers_complete = { parser in
            unsafe RequestReader.of(parser).endHead() ? 0 : -1
        }
        unsafe settings.on_body = { parser, bytes, count in
            unsafe RequestReader.of(parser).piece = unsafe ByteView(base: bytes!, count: count)
            unsafe http_parser_pause(parser, 1)
            return 0
        }
        unsafe settings.on_message_complete = { parser in
            unsafe RequestReader.of(parser).hasEnd = true
            unsafe http_parser_pause(parser, 1)
            return 0
        }
        return settings
    }

    @unsafe
    private func addTarget(_ bytes: UnsafePointer<CChar>?, count: Int) -> Bool {
        hasLongTarget = count > limits.targetBytes
        return unsafe !hasLongTarget && head.addTarget(bytes, length: count)
    }

    @unsafe
    private func addName(_ bytes: UnsafePointer<CChar>?, count: Int) -> Bool {
        // Those after the chunks of a body say nothing.
        if hasHead { return true }
        hasTooMany = head.fieldCount == limits.fields
        return unsafe !hasTooMany && head.addName(bytes, length: count)
    }

    @unsafe
    private func addValue(_ bytes: UnsafePointer<CChar>?, count: Int) -> Bool {
        unsafe hasHead || head.addValue(bytes, length: count)
    }

    private func endHead() -> Bool {
        if hasHead { return false }
        hasHead = true
        unsafe refuse_upgrade(parser)
        refusal = unsafe head.complete(parser)
        return refusal == nil
    }

    /// The reader to which a parser belongs.
    private static func of(_ parser: UnsafeMutablePointer<http_parser>?) -> RequestReader {
        unsafe Unmanaged<RequestReader>.fromOpaque(parser!.pointee.data).takeUnretainedValue()
    }
}
