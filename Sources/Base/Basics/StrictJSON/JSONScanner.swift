/// Scans one JSON object strictly, in a single pass, and reports what it contains to a visitor.
///
/// It accepts RFC 8259's grammar and nothing else: no trailing bytes, no control characters in
/// strings, no lone surrogates, only well-formed UTF-8, no duplicate keys in one object (compared
/// after decoding), bounded depth, and no number that is too large for a double, or not zero but
/// closer to zero than 1e-400. The bytes are read in place, strings eight bytes at a time. Memory
/// for keys and decoded strings is kept from document to document.
@usableFromInline
package struct JSONScanner: ~Copyable {
    /// The keys of the open objects, by which duplicates are found.
    @usableFromInline var keys: KeyStack
    /// The memory of decoded strings.
    @usableFromInline var scratch = TextScratch()

    /// A scanner that can be used for any number of documents, one after the other.
    ///
    /// - Parameters:
    ///   - depthLimit: the deepest nesting allowed, 1...1024; the outermost object has depth 1.
    ///   - hashKey: for the hashes by which duplicates in large objects are found, so that a sender
    ///     cannot choose object keys that collide. The result of a scan does not depend on it.
    package init(depthLimit: Int = 32, hashKey: HashKey = .ofRuntime) {
        precondition((1...1_024).contains(depthLimit), "a depth limit of \(depthLimit)")
        keys = KeyStack(depthLimit: depthLimit, hashKey: hashKey)
    }

    /// Discards the decoded strings; views of them become invalid.
    package mutating func resetScratch() { scratch.reset(to: ScratchPosition()) }

    /// Scans one document. Throws `JSONError` with the offset of the first error. The visitor has
    /// seen every event before it.
    @inlinable
    package mutating func scan<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView,
        into visitor: inout Visitor
    ) throws(JSONError) {
        keys.reset()
        let start = skipWhitespace(bytes, from: 0)
        guard byteOrZero(bytes, at: start) == 0x7b else { throw notAnObject(bytes, from: start) }
        keys.open(isObject: true)
        visitor.beginObject()
        try scanMembers(bytes, from: skipWhitespace(bytes, from: start + 1), into: &visitor)
    }

    /// Scans from after the outermost opening bracket to the document's end.
    @inlinable @inline(__always)
    mutating func scanMembers<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView,
        from start: Int,
        into visitor: inout Visitor
    ) throws(JSONError) {
        var offset = start
        var isInObject = keys.isInObject
        // A closing bracket may follow its opening bracket at once, but not a comma.
        var isFirst = true
        while true {
            if !isFirst || byteOrZero(bytes, at: offset) != (isInObject ? 0x7d : 0x5d) {
                if isInObject {
                    offset = try scanKey(bytes, from: offset, isFirst: isFirst, into: &visitor)
                }
                offset = try scanValue(bytes, from: offset, into: &visitor, opens: &isFirst)
                if isFirst {
                    isInObject = keys.isInObject
                    continue
                }
            }
            isFirst = false
            let next = try scanEnds(bytes, from: offset, isInObject: &isInObject, into: &visitor)
            guard let next else { return }
            offset = next
        }
    }

    /// Scans what follows a value: closing brackets, then a comma or the document's end.
    ///
    /// Returns the offset of the next key or value; nil at the document's end.
    @inlinable @inline(__always)
    mutating func scanEnds<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView,
        from start: Int,
        isInObject: inout Bool,
        into visitor: inout Visitor
    ) throws(JSONError) -> Int? {
        var offset = start
        while true {
            offset = skipWhitespace(bytes, from: offset)
            let byte = byteOrZero(bytes, at: offset)
            if byte == 0x2c { return skipWhitespace(bytes, from: offset + 1) }
            if byte != (isInObject ? 0x7d : 0x5d) {
                throw Self.unexpected(
                    bytes,
                    at: offset,
                    expected: isInObject ? .commaOrBrace : .commaOrBracket
                )
            }
            if isInObject { visitor.endObject() } else { visitor.endArray() }
            keys.close()
            offset += 1
            if keys.depth == 0 {
                try Self.scanTrailing(bytes, from: offset)
                return nil
            }
            isInObject = keys.isInObject
        }
    }

    /// Scans a key, its colon and the white space around them; returns the offset of the value.
    @inlinable @inline(__always)
    mutating func scanKey<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView,
        from start: Int,
        isFirst: Bool,
        into visitor: inout Visitor
    ) throws(JSONError) -> Int {
        if byteOrZero(bytes, at: start) != 0x22 {
            throw Self.unexpected(bytes, at: start, expected: isFirst ? .keyOrEnd : .key)
        }
        let (key, end) = try scanText(bytes, from: start + 1)
        if !keys.insert(key) { throw JSONError(.duplicateKey, at: start, detail: .duplicateKey) }
        visitor.key(key)
        let offset = skipWhitespace(bytes, from: end)
        if byteOrZero(bytes, at: offset) != 0x3a {
            throw Self.unexpected(bytes, at: offset, expected: .colon)
        }
        return skipWhitespace(bytes, from: offset + 1)
    }

    /// Scans a value; of an object or array, only its opening bracket and the white space after it.
    ///
    /// `opens` is set to whether the value was such an opening bracket. Returns the offset after
    /// what was scanned.
    @inlinable @inline(__always)
    mutating func scanValue<Visitor: JSONVisitor & ~Copyable>(
        _ bytes: ByteView,
        from start: Int,
        into visitor: inout Visitor,
        opens: inout Bool
    ) throws(JSONError) -> Int {
        opens = false
        let byte = byteOrZero(bytes, at: start)
        switch byte {
        case 0x22:
            let (text, end) = try scanText(bytes, from: start + 1)
            visitor.string(text)
            return end
        case 0x2d, 0x30...0x39:
            let end = try Self.scanNumber(bytes, from: start)
            // `start` has a byte, and `end` is not before it, nor after the document's end.
            unsafe visitor.number(bytes.uncheckedSlice(start, to: end))
            return end
        case 0x7b, 0x5b:
            try open(start, isObject: byte == 0x7b)
            if byte == 0x7b { visitor.beginObject() } else { visitor.beginArray() }
            opens = true
            return skipWhitespace(bytes, from: start + 1)
        case 0x66, 0x6e, 0x74:
            let (literal, end) = try Self.scanLiteral(bytes, from: start)
            visitor.literal(literal)
            return end
        default: throw Self.unexpected(bytes, at: start, expected: .value)
        }
    }

    /// Enters an object or array whose opening bracket is at `offset`; throws beyond `depthLimit`.
    @inlinable @inline(__always)
    mutating func open(_ offset: Int, isObject: Bool) throws(JSONError) {
        if keys.depth == keys.depthLimit {
            throw JSONError(.tooDeep, at: offset, detail: .depth(limit: keys.depthLimit))
        }
        keys.open(isObject: isObject)
    }

    /// Scans a string whose content begins at `start`.
    ///
    /// Returns its decoded bytes and the offset after its closing quotation mark.
    @inlinable @inline(__always)
    mutating func scanText(
        _ bytes: ByteView,
        from start: Int
    ) throws(JSONError) -> (ByteView, Int) {
        let (end, hasEscapes) = try StringScan.end(bytes, from: start)
        // `start` follows a quotation mark, and `end`, found from there on, has another one.
        let raw = unsafe bytes.uncheckedSlice(start, to: end)
        return (hasEscapes ? scratch.decode(raw) : raw, end + 1)
    }

    /// Scans true, false or null; returns it and the offset after it.
    @inlinable @inline(__always)
    static func scanLiteral(
        _ bytes: ByteView,
        from start: Int
    ) throws(JSONError) -> (JSONLiteral, Int) {
        // The words as little-endian 32-bit numbers: "true", "null" and "fals", whose last letter
        // is compared separately.
        let rest = bytes.count - start
        let first =
            rest >= 4 ? UInt32(truncatingIfNeeded: bytes.slice(start, to: start + 4).prefixWord) : 0
        if first == 0x6575_7274 { return (.true, start + 4) }
        if first == 0x6c6c_756e { return (.null, start + 4) }
        if first == 0x736c_6166 && rest >= 5 && bytes[start + 4] == 0x65 {
            return (.false, start + 5)
        }
        throw JSONError(.notJSON, at: start, detail: .badLiteral)
    }

    /// The error for a document that does not begin with a brace: the first error in it or, if it
    /// is a valid JSON value of another kind, `notObject`.
    @usableFromInline @inline(never)
    mutating func notAnObject(_ bytes: ByteView, from start: Int) -> JSONError {
        var visitor = NullJSONVisitor()
        var opens = false
        do throws(JSONError) {
            let offset = try scanValue(bytes, from: start, into: &visitor, opens: &opens)
            if opens {
                try scanMembers(bytes, from: offset, into: &visitor)
            } else {
                try Self.scanTrailing(bytes, from: offset)
            }
            return JSONError(.notObject, at: start, detail: .notAnObject)
        } catch {
            return error
        }
    }

    /// Throws unless only white space is left.
    @inlinable @inline(__always)
    static func scanTrailing(_ bytes: ByteView, from start: Int) throws(JSONError) {
        let offset = skipWhitespace(bytes, from: start)
        if offset != bytes.count { throw trailing(bytes, at: offset) }
    }

    /// The error for a byte that cannot stand at `offset`, or for a document that ends there.
    @usableFromInline @inline(never)
    static func unexpected(
        _ bytes: ByteView,
        at offset: Int,
        expected: StaticExpectation
    ) -> JSONError {
        if offset == bytes.count { return JSONError(.notJSON, at: offset, detail: .unexpectedEnd) }
        if bytes[offset] >= 0x80 && !StringScan.isUTF8(bytes, at: offset) {
            return JSONError(.notUTF8, at: offset, detail: .badUTF8)
        }
        let isMark =
            bytes.has(offset + 2) && bytes[offset] == 0xef && bytes[offset + 1] == 0xbb
            && bytes[offset + 2] == 0xbf
        return JSONError(
            .notJSON,
            at: offset,
            detail: isMark
                ? .byteOrderMark : .unexpectedByte(bytes[offset], expected: expected)
        )
    }

    /// The error for bytes after the end of the outermost object.
    @usableFromInline @inline(never)
    static func trailing(_ bytes: ByteView, at offset: Int) -> JSONError {
        bytes[offset] >= 0x80 && !StringScan.isUTF8(bytes, at: offset)
            ? JSONError(.notUTF8, at: offset, detail: .badUTF8)
            : JSONError(.notJSON, at: offset, detail: .trailingBytes)
    }
}

/// The byte at `offset`; at the document's end 0, which begins no token.
@inlinable @inline(__always)
func byteOrZero(_ bytes: ByteView, at offset: Int) -> UInt8 {
    bytes.has(offset) ? bytes[offset] : 0
}

/// The offset of the first byte from `start` on that is not white space.
@inlinable @inline(__always)
func skipWhitespace(_ bytes: ByteView, from start: Int) -> Int {
    var offset = start
    while bytes.has(offset) {
        let byte = bytes[offset]
        // Nearly always leaves at once, because machines write JSON without indentation.
        if byte > 0x20 || !(byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) { break }
        offset += 1
    }
    return offset
}
