public import ByteStorage

/// Scans one JSON object, strictly, and tells a visitor what is in it.
///
/// RFC 8259's grammar and nothing else: no trailing bytes, no control characters in strings, no
/// lone surrogates, only well-formed UTF-8, no key twice in one object (compared decoded), bounded
/// depth, and numbers that a double can hold. The document is gone through once, in place; strings
/// eight bytes at a time. Scratch memory is kept from document to document.
@usableFromInline
package struct JSONScanner: ~Copyable {
    @usableFromInline let depthLimit: Int
    @usableFromInline var keys: KeyStack
    @usableFromInline var scratch = TextScratch()

    /// - Parameters:
    ///   - depthLimit: the deepest nesting; the outermost object is depth 1.
    ///   - seed: of the hashes of keys of large objects; drawn at start, so that nobody can choose
    ///     keys that collide.
    package init(depthLimit: Int = 32, seed: UInt64 = 0x9e37_79b9_7f4a_7c15) {
        precondition((1...1_024).contains(depthLimit), "a depth limit of \(depthLimit)")
        self.depthLimit = depthLimit
        keys = KeyStack(depthLimit: depthLimit, seed: seed)
    }

    /// Forgets the decoded strings; views of them must not be used any more.
    package mutating func resetScratch() {
        scratch.reset()
    }

    /// Where the scanner stands in the grammar.
    @usableFromInline
    enum Place {
        case value
        case firstKey
        case key
        case firstElement
        case afterValue
    }

    /// Scans one document.
    ///
    /// - Throws: `JSONError` with the place of the first thing that is wrong.
    @inlinable
    package mutating func scan<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView, into visitor: inout Visitor
    ) throws(JSONError) {
        keys.reset()
        let offset = skipWhitespace(bytes, 0)
        guard offset < bytes.count, bytes[offset] == 0x7b else {
            throw notAnObject(bytes, offset)
        }
        try run(bytes, offset, floor: 0, into: &visitor)
    }

    /// Scans one value and what may follow it, which is nothing.
    ///
    /// - Parameter floor: how many containers are open around the value.
    @inlinable @inline(__always)
    mutating func run<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView, _ start: Int, floor: Int, into visitor: inout Visitor
    ) throws(JSONError) {
        var offset = start
        var place = Place.value
        while true {
            offset = skipWhitespace(bytes, offset)
            guard offset < bytes.count else {
                throw JSONError(.notJSON, at: bytes.count, .unexpectedEnd)
            }
            let byte = bytes[offset]
            switch place {
            case .firstKey, .key:
                if byte == 0x7d && place == .firstKey {
                    visitor.endObject()
                    offset += 1
                    keys.close()
                    place = .afterValue
                } else {
                    offset = try scanKey(bytes, offset, place, into: &visitor)
                    place = .value
                }
            case .firstElement where byte == 0x5d:
                visitor.endArray()
                offset += 1
                keys.close()
                place = .afterValue
            case .value, .firstElement:
                (offset, place) = try scanValue(bytes, offset, byte, into: &visitor)
            case .afterValue:
                offset += 1
                if byte == 0x2c {
                    place = keys.isInObject ? .key : .value
                } else if byte == 0x7d && keys.isInObject {
                    visitor.endObject()
                    keys.close()
                } else if byte == 0x5d && !keys.isInObject {
                    visitor.endArray()
                    keys.close()
                } else {
                    throw unexpected(
                        bytes, offset - 1, keys.isInObject ? .commaOrBrace : .commaOrBracket)
                }
            }
            if keys.depth == floor && place == .afterValue {
                offset = skipWhitespace(bytes, offset)
                if offset != bytes.count {
                    throw trailing(bytes, offset)
                }
                return
            }
        }
    }

    @inlinable @inline(__always)
    mutating func scanKey<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView, _ start: Int, _ place: Place, into visitor: inout Visitor
    ) throws(JSONError) -> Int {
        if bytes[start] != 0x22 {
            throw unexpected(bytes, start, place == .key ? .key : .keyOrEnd)
        }
        let (key, end) = try scanText(bytes, start + 1)
        if !keys.insert(key) { throw JSONError(.duplicateKey, at: start, .duplicateKey) }
        visitor.key(key)
        let offset = skipWhitespace(bytes, end)
        guard offset < bytes.count else {
            throw JSONError(.notJSON, at: bytes.count, .unexpectedEnd)
        }
        if bytes[offset] != 0x3a {
            throw unexpected(bytes, offset, .colon)
        }
        return offset + 1
    }

    @inlinable @inline(__always)
    mutating func scanValue<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView, _ start: Int, _ byte: UInt8, into visitor: inout Visitor
    ) throws(JSONError) -> (Int, Place) {
        switch byte {
        case 0x22:
            let (text, end) = try scanText(bytes, start + 1)
            visitor.string(text)
            return (end, .afterValue)
        case 0x2d, 0x30...0x39:
            let end = try scanNumber(bytes, start)
            visitor.number(bytes.slice(start, end))
            return (end, .afterValue)
        case 0x7b:
            try open(start, isObject: true)
            visitor.beginObject()
            return (start + 1, .firstKey)
        case 0x5b:
            try open(start, isObject: false)
            visitor.beginArray()
            return (start + 1, .firstElement)
        case 0x66, 0x6e, 0x74:
            let (literal, end) = try scanLiteral(bytes, start)
            visitor.literal(literal)
            return (end, .afterValue)
        default:
            throw unexpected(bytes, start, .value)
        }
    }

    @inlinable @inline(__always)
    mutating func open(_ offset: Int, isObject: Bool) throws(JSONError) {
        if keys.depth == depthLimit {
            throw JSONError(.tooDeep, at: offset, .depth(limit: depthLimit))
        }
        keys.open(isObject: isObject)
    }

    /// Scans a string from behind its opening mark; returns its decoded bytes and the offset behind
    /// its closing one.
    @inlinable @inline(__always)
    mutating func scanText(
        _ bytes: ByteView, _ start: Int
    ) throws(JSONError) -> (ByteView, Int) {
        let (end, hasEscapes) = try StringScan.end(bytes, start)
        let raw = bytes.slice(start, end)
        return (hasEscapes ? scratch.decode(raw) : raw, end + 1)
    }

    @inlinable @inline(__always)
    func scanLiteral(
        _ bytes: ByteView, _ start: Int
    ) throws(JSONError) -> (JSONLiteral, Int) {
        // The words, as little-endian 32-bit numbers: "true", "alse" behind an f, "null".
        let rest = bytes.count - start
        let first = rest >= 4 ? UInt32(truncatingIfNeeded: bytes.slice(start, start + 4).prefixWord) : 0
        if first == 0x6575_7274 { return (.true, start + 4) }
        if first == 0x6c6c_756e { return (.null, start + 4) }
        if first == 0x736c_6166 && rest >= 5 && bytes[start + 4] == 0x65 {
            return (.false, start + 5)
        }
        throw JSONError(.notJSON, at: start, .badLiteral)
    }

    /// The error for a byte that the grammar does not want where it stands.
    @usableFromInline @inline(never)
    func unexpected(
        _ bytes: ByteView, _ offset: Int, _ expected: StaticExpectation
    ) -> JSONError {
        if bytes[offset] >= 0x80 && !StringScan.isUTF8(bytes, offset) {
            return JSONError(.notUTF8, at: offset, .badUTF8)
        }
        return JSONError(
            .notJSON, at: offset, .unexpectedByte(bytes[offset], expected: expected))
    }

    @usableFromInline @inline(never)
    func trailing(_ bytes: ByteView, _ offset: Int) -> JSONError {
        bytes[offset] >= 0x80 && !StringScan.isUTF8(bytes, offset)
            ? JSONError(.notUTF8, at: offset, .badUTF8)
            : JSONError(.notJSON, at: offset, .trailingBytes)
    }

    /// What is wrong with a document that is no object, beside that; nil if it is some other value.
    private func wrongInside(_ bytes: ByteView, _ offset: Int) -> JSONError? {
        // A scanner of its own, in an array that stands for what the document would have to be in.
        var scanner = JSONScanner(depthLimit: depthLimit + 1)
        scanner.keys.open(isObject: false)
        var visitor = NullJSONVisitor()
        do throws(JSONError) {
            try scanner.run(bytes, offset, floor: 1, into: &visitor)
            return nil
        } catch {
            if case .depth = error.detail {
                return JSONError(.tooDeep, at: error.offset, .depth(limit: depthLimit))
            }
            return error
        }
    }

    @usableFromInline @inline(never)
    func notAnObject(_ bytes: ByteView, _ offset: Int) -> JSONError {
        if offset == bytes.count { return JSONError(.notJSON, at: offset, .unexpectedEnd) }
        switch bytes[offset] {
        case 0x22, 0x2d, 0x30...0x39, 0x5b, 0x66, 0x6e, 0x74:
            return wrongInside(bytes, offset) ?? JSONError(.notObject, at: offset, .notAnObject)
        default:
            return unexpected(bytes, offset, .object)
        }
    }
}

@inlinable @inline(__always)
func skipWhitespace(_ bytes: ByteView, _ start: Int) -> Int {
    var offset = start
    while offset < bytes.count {
        let byte = bytes[offset]
        // Almost always false at once: senders do not indent.
        if byte > 0x20 || !(byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) {
            break
        }
        offset += 1
    }
    return offset
}
