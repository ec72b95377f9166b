package import Basics

/// What the standards say of headers that a request has more than once, of the host that it is for,
/// and of how its body is coded.
extension RequestHead {
    // MARK: - Headers that there are twice

    /// The values of all headers of this name, in their order: parts of one list (RFC 9110, section
    /// 5.3).
    package func headers(named name: String) -> [String] {
        var name = name
        return name.withUTF8 { utf8 in
            let wanted = unsafe ByteView(base: utf8.baseAddress!, count: utf8.count)
            return fields.filter { isName($0.name, equalTo: wanted) }.map { view($0.value).string }
        }
    }

    /// The names of headers that there are more than once.
    package var repeatedNames: [String] {
        let (bytes, fields) = (bytes, fields)
        func name(_ index: Int) -> ByteView { bytes.slice(fields[index].name) }
        return Self.repetitions(among: fields.count) { Self.isEqual(name($0), to: name($1)) }
            .map { name($0).string }
    }

    /// The positions of what was there before, in any collection of `count` elements, of which
    /// `areEqual` compares those at two positions; in rising order.
    package static func repetitions(among count: Int, areEqual: (Int, Int) -> Bool) -> [Int] {
        var found: [Int] = []
        for index in 0..<count {
            for earlier in 0..<index where areEqual(earlier, index) {
                found.append(index)
                break
            }
        }
        return found
    }

    /// Whether the client waits for permission before it sends the body; one of HTTP/1.0 does not,
    /// whatever it says (RFC 9110, section 10.1.1).
    package var expectsContinue: Bool {
        guard !isOld, let value = header("Expect") else { return false }
        return Self.isEqual(value, to: ByteView("100-continue"))
    }

    // MARK: - The host

    /// The host, with its port, that the request is for: a target in absolute form names it, and
    /// then the header does not count (RFC 9112, section 3.2.2); nil if nothing does.
    package var host: ByteView? { authority.map { view($0) } ?? header("Host") }

    /// Whether it names one host, in the way that its version requires (RFC 9112, section 3.2).
    package var hasValidHost: Bool {
        let count = fields.count { isName($0.name, equalTo: ByteView("Host")) }
        guard count == 1 || count == 0 && isOld else { return false }
        return host.map(Self.isHost) ?? true
    }

    /// Whether a text is a host with or without a port (RFC 3986, section 3.2), or is empty.
    private static func isHost(_ text: ByteView) -> Bool {
        var offset = 0
        if text.has(0), text[0] == 0x5b {
            offset = 1
            while text.has(offset), isInAddress(text[offset]) { offset += 1 }
            guard offset > 1, text.has(offset), text[offset] == 0x5d else { return false }
            offset += 1
        } else {
            while text.has(offset), isInName(text[offset]) { offset += 1 }
        }
        if offset == text.count { return true }
        if text[offset] != 0x3a { return false }
        return (offset + 1..<text.count).allSatisfy { (0x30...0x39).contains(text[$0]) }
    }

    /// Whether a byte may be in a name or an IPv4 address: an unreserved one, one of the
    /// sub-delimiters, or a part of an escape.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x21, 0x24...0x2e, 0x3b, 0x3d, 0x5f, 0x7e: true
        default: false
        }
    }

    /// Whether a byte may be between the brackets of an address.
    private static func isInAddress(_ byte: UInt8) -> Bool { byte == 0x3a || isInName(byte) }

    /// Divides a target in absolute form into its authority and the rest. Returns false if it is of
    /// another scheme than HTTP's, or names no host or a user; or if it is the server as a whole,
    /// `*`, of which OPTIONS alone may ask (RFC 9112, section 3.2.4).
    func splitTarget() -> Bool {
        let whole = view(target)
        if !whole.has(0) || whole[0] == 0x2f { return true }
        if whole[0] == 0x2a { return whole.count == 1 && method == .options }
        let schemes: [StaticString] = ["http://", "https://"]
        let scheme = schemes.first { scheme in
            whole.count >= scheme.utf8CodeUnitCount
                && Self.isEqual(whole.slice(0, to: scheme.utf8CodeUnitCount), to: ByteView(scheme))
        }
        guard let start = scheme?.utf8CodeUnitCount else { return false }
        var end = start
        while whole.has(end), whole[end] != 0x2f, whole[end] != 0x3f {
            if whole[end] == 0x40 { return false }
            end += 1
        }
        if end == start || whole[start] == 0x3a { return false }
        authority = Part(start: target.start + Int32(start), end: target.start + Int32(end))
        target.start += Int32(end)
        return true
    }

    // MARK: - The body

    /// Why its body is not read; nil if nothing is against it.
    var transferFailure: RequestFailure? {
        // Nearly all have none, and nothing is to be allocated for these.
        if header("Transfer-Encoding") == nil { return nil }
        return RequestFailure(
            transferCodings: headers(named: "Transfer-Encoding"),
            isOld: isOld,
            hasLength: header("Content-Length") != nil
        )
    }
}
