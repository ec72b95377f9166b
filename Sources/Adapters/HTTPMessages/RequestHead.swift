package import Basics
internal import CHTTPParser
internal import Glibc

/// The head of the request that a `RequestReader` reads: its line and its headers.
///
/// The reader keeps the head in memory of its own and uses it again for the next request. All views
/// of it are valid only until then. As one of the headers may be a token, the memory is overwritten
/// when the request ends.
@safe
package final class RequestHead {
    /// The methods that matter here.
    package enum Method: Sendable {
        case get, head, post, put, options
        /// Any other one.
        case other
    }

    /// Bytes of the head.
    struct Part {
        var start: Int32 = 0
        var end: Int32 = 0
    }

    struct Field {
        var name: Part
        var value = Part()
    }

    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// The head in `memory`. Functions that read it more than once take a copy of this view first:
    /// each reading of a class's property is checked at run time.
    private(set) var bytes = ByteView.empty
    /// The offset of what is parsed.
    private var start = 0
    var target = Part()
    /// The authority of a target in absolute form; nil for another target.
    var authority: Part?
    private(set) var fields: ContiguousArray<Field> = []
    /// A bit for the first letter of each header's name, whatever its case: most of the headers
    /// that are asked for are in no request, and their first letters in few.
    private var initials: UInt32 = 0
    /// What the client wants.
    package private(set) var method = Method.other
    /// The length of the body, if the head says so; 0 if there is none, nil if it comes in chunks.
    package private(set) var bodyCount: Int? = 0
    /// Whether the connection may be used for another request.
    package private(set) var isPersistent = false
    /// The method that was sent, if `text` has PUT in its place.
    private var otherMethod: String?
    /// Whether it is of HTTP/1.0: then only a connection that the answer says to be kept is.
    package private(set) var isOld = false

    init() {
        capacity = 512
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
        fields.reserveCapacity(16)
    }

    deinit {
        erase()
        unsafe memory.deallocate()
    }

    func view(_ part: Part) -> ByteView { bytes.slice(part) }

    /// The head as it is to be parsed: a method that does not matter here is replaced by PUT,
    /// because the parser knows some of the others alone, and reads the target of one in its own
    /// way.
    var text: ByteView { bytes.slice(start, to: bytes.count) }

    // MARK: - What it says

    /// The path as it was sent: with its percent-escapes, without the query.
    package var path: ByteView {
        let target = view(self.target)
        let path = target.slice(0, to: Self.queryStart(target) ?? target.count)
        // A target in absolute form may have none.
        return path.count > 0 || authority == nil ? path : ByteView("/")
    }

    /// The query as it was sent, without the question mark; empty if there is none.
    package var query: ByteView {
        let target = view(self.target)
        guard let start = Self.queryStart(target) else { return .empty }
        return target.slice(start + 1, to: target.count)
    }

    private static func queryStart(_ target: ByteView) -> Int? {
        (0..<target.count).first { target[$0] == 0x3f }
    }

    /// The value of the first header of this name, which is compared without regard to case; nil if
    /// there is none.
    package func header(_ name: StaticString) -> ByteView? { value(of: ByteView(name)) }

    /// Does what `header` does with another kind of name.
    package func header(named name: String) -> ByteView? {
        var name = name
        return name.withUTF8 { utf8 in
            let wanted = unsafe ByteView(base: utf8.baseAddress!, count: utf8.count)
            return value(of: wanted)
        }
    }

    private func value(of name: ByteView) -> ByteView? {
        if !mayHave(name) { return nil }
        let bytes = bytes
        for field in fields where Int(field.name.end - field.name.start) == name.count {
            if Self.isEqual(bytes.slice(field.name), to: name) { return bytes.slice(field.value) }
        }
        return nil
    }

    /// Whether there may be a header whose name begins as this one.
    private func mayHave(_ name: ByteView) -> Bool { initials & Self.initial(of: name) != 0 }

    private static func initial(of name: ByteView) -> UInt32 {
        name.count == 0 ? .max : 1 << UInt32(name[0] & 0x1f)
    }

    /// The names of the headers that begin with a prefix, which is in lower case.
    package func headerNames(beginning prefix: StaticString) -> [String] {
        let wanted = ByteView(prefix)
        if !mayHave(wanted) { return [] }
        return fields.compactMap { field in
            let name = view(field.name)
            let begins =
                name.count >= wanted.count
                && (0..<wanted.count).allSatisfy { Self.lowercase(name[$0]) == wanted[$0] }
            return begins ? name.string : nil
        }
    }

    func isName(_ part: Part, equalTo wanted: ByteView) -> Bool {
        Self.isEqual(view(part), to: wanted)
    }

    /// Whether two texts are equal except for the case of ASCII letters.
    package static func isEqual(_ one: ByteView, to other: ByteView) -> Bool {
        if one.count != other.count { return false }
        for offset in 0..<one.count where lowercase(one[offset]) != lowercase(other[offset]) {
            return false
        }
        return true
    }

    /// Lower-cases ASCII letters.
    private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The method as it was sent.
    package var methodName: String {
        if let otherMethod { return otherMethod }
        return switch method {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .options: "OPTIONS"
        case .put, .other: "PUT"
        }
    }

    /// Calls `body` with the name and the value of each header, in the order in which they came.
    package func visitHeaders(_ body: (ByteView, ByteView) -> Void) {
        for field in fields { body(view(field.name), view(field.value)) }
    }

    // MARK: - Called by the reader

    /// Keeps a copy of a head that is to be parsed.
    func store(_ head: ByteView) {
        assert(bytes.count == 0, "the head of the request before is still there")
        let put: StaticString = "PUT"
        let margin = put.utf8CodeUnitCount
        if margin + head.count > capacity {
            unsafe memory.deallocate()
            capacity = (margin + head.count + 511) & ~511
            unsafe memory = .allocate(byteCount: capacity, alignment: 16)
        }
        unsafe head.copy(to: memory + margin)
        start = margin
        unsafe bytes = ByteView(base: memory, count: margin + head.count)
        if let end = Self.endOfOtherMethod(head) {
            start = end
            otherMethod = head.slice(0, to: end).string
            unsafe (memory + start).copyMemory(from: put.utf8Start, byteCount: margin)
        }
    }

    /// The end of the method; nil if it is one of `Method`, or if there is none.
    private static func endOfOtherMethod(_ head: ByteView) -> Int? {
        var end = 0
        while end < head.count, isTokenByte(head[end]) { end += 1 }
        guard end > 0, end < head.count, head[end] == 0x20 else { return nil }
        let method = head.slice(0, to: end)
        for known in ["GET", "HEAD", "POST", "PUT", "OPTIONS"] as [StaticString] {
            if method == ByteView(known) { return nil }
        }
        return end
    }

    /// Whether a byte may be in a method (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x5e...0x7a, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e,
            0x7c, 0x7e:
            true
        default: false
        }
    }

    /// Overwrites the head and forgets what it says.
    func erase() {
        eraseText()
        method = .other
        otherMethod = nil
        bodyCount = 0
        isPersistent = false
        isOld = false
    }

    /// Overwrites the text once it is no longer needed: then there are no path, query and headers;
    /// all else stays.
    package func eraseText() {
        unsafe eraseMemory(memory, byteCount: bytes.count)
        bytes = .empty
        start = 0
        target = Part()
        authority = nil
        fields.removeAll(keepingCapacity: true)
        initials = 0
    }

    /// Overwrites a header's value, once it is no longer needed.
    package func eraseValue(_ name: StaticString) {
        let wanted = ByteView(name)
        for field in fields where isName(field.name, equalTo: wanted) {
            let start = Int(field.value.start)
            unsafe eraseMemory(memory + start, byteCount: Int(field.value.end) - start)
        }
    }

    /// The bytes of the head that the parser names; nil if they are not in it.
    private static func part(
        of bytes: ByteView,
        at address: UnsafePointer<CChar>?,
        length: Int
    ) -> Part? {
        guard let address = unsafe address else { return nil }
        let start = unsafe UnsafeRawPointer(address) - bytes.address
        if start < 0 || length < 0 || start + length > bytes.count { return nil }
        return Part(start: Int32(start), end: Int32(start + length))
    }

    /// Records the request's target; false if it is not in one piece.
    @unsafe
    func addTarget(_ address: UnsafePointer<CChar>?, length: Int) -> Bool {
        guard let part = unsafe Self.part(of: bytes, at: address, length: length), target.end == 0
        else { return false }
        target = part
        return true
    }

    /// The number of headers so far.
    var fieldCount: Int { fields.count }

    /// Records a header's name; false if white space is in it, which the parser lets pass, and
    /// which other programs read differently (RFC 9112, section 5.1).
    @unsafe
    func addName(_ address: UnsafePointer<CChar>?, length: Int) -> Bool {
        let bytes = bytes
        guard let part = unsafe Self.part(of: bytes, at: address, length: length) else {
            return false
        }
        let name = bytes.slice(part)
        for offset in 0..<name.count where name[offset] <= 0x20 { return false }
        fields.append(Field(name: part))
        initials |= Self.initial(of: name)
        return true
    }

    /// Records a header's value; false if it is folded over several lines, which is obsolete and
    /// read differently by different programs.
    @unsafe
    func addValue(_ address: UnsafePointer<CChar>?, length: Int) -> Bool {
        let bytes = bytes
        guard var part = unsafe Self.part(of: bytes, at: address, length: length) else {
            return false
        }
        // White space before the end of a line is no part of the value.
        while part.end > part.start, [0x20, 0x09].contains(bytes[Int(part.end) - 1]) {
            part.end -= 1
        }
        return Self.set(part, as: &fields)
    }

    private static func set(_ value: Part, as fields: inout ContiguousArray<Field>) -> Bool {
        guard let last = fields.indices.last, fields[last].value.end == 0 else { return false }
        fields[last].value = value
        return true
    }

    /// Records what the parser makes of the whole head. Returns why it is refused all the same; nil
    /// if it is not.
    @unsafe
    func complete(_ parser: UnsafeMutablePointer<http_parser>) -> RequestFailure? {
        if unsafe parser.pointee.http_major != 1 { return .version }
        switch http_method(rawValue: unsafe request_method(parser)) {
        case HTTP_GET: method = .get
        case HTTP_HEAD: method = .head
        case HTTP_POST: method = .post
        case HTTP_PUT where otherMethod == nil: method = .put
        case HTTP_OPTIONS: method = .options
        default: method = .other
        }
        isOld = unsafe parser.pointee.http_minor == 0
        isPersistent = unsafe http_should_keep_alive(parser) != 0
        let length = unsafe parser.pointee.content_length
        if unsafe request_is_chunked(parser) != 0 {
            bodyCount = nil
        } else {
            let most = UInt64(Int.max)
            bodyCount = length == .max ? 0 : length < most ? Int(length) : .max
        }
        return splitTarget() ? transferFailure : .malformed
    }
}

extension ByteView {
    /// The part of a head.
    func slice(_ part: RequestHead.Part) -> ByteView { slice(Int(part.start), to: Int(part.end)) }
}
