/// Finds where JSON strings end, checks their content, and decodes it. Has no state.
@usableFromInline
enum StringScan {
    /// The offset of the closing quotation mark of a string whose content begins at `start`, and
    /// whether the content has escapes.
    ///
    /// Tests eight bytes at a time: in `special` a byte's top bit is set if the string's byte is a
    /// quotation mark, a backslash, a control character or not ASCII. (The subtraction's borrow may
    /// also set bits of later bytes; only the first one is used.)
    @inlinable @inline(__always)
    static func end(
        _ bytes: ByteView,
        from start: Int
    ) throws(JSONError) -> (end: Int, hasEscapes: Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let wordEnd = bytes.wordEnd
        var offset = start
        var hasEscapes = false
        while true {
            while offset < wordEnd {
                let word = unsafe bytes.uncheckedWord(at: offset)
                let quotes = word ^ (ones &* 0x22)
                let slashes = word ^ (ones &* 0x5c)
                let special =
                    ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
                        | (word &- ones &* 0x20) & ~word | word) & tops
                if special != 0 {
                    offset &+= special.trailingZeroBitCount >> 3
                    break
                }
                offset &+= 8
            }
            guard bytes.has(offset) else {
                throw JSONError(.notJSON, at: bytes.count, detail: .unexpectedEnd)
            }
            let byte = bytes[offset]
            if byte == 0x22 { return (offset, hasEscapes) }
            if byte == 0x5c {
                offset = try escape(bytes, at: offset)
                hasEscapes = true
            } else if byte >= 0x80 {
                offset = try sequence(bytes, at: offset)
            } else if byte < 0x20 {
                throw JSONError(.notJSON, at: offset, detail: .controlCharacter(byte))
            } else {
                // Reached only within the last eight bytes of the document.
                offset &+= 1
            }
        }
    }

    /// Does what `end` does, for a string that has been checked: only searches for its end.
    @inline(__always)
    static func checkedEnd(_ bytes: ByteView, from start: Int) -> (end: Int, hasEscapes: Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let wordEnd = bytes.wordEnd
        var offset = start
        var hasEscapes = false
        while true {
            while offset < wordEnd {
                let word = unsafe bytes.uncheckedWord(at: offset)
                let special = zeroBytes(word ^ (ones &* 0x22)) | zeroBytes(word ^ (ones &* 0x5c))
                if special != 0 {
                    offset &+= special.trailingZeroBitCount >> 3
                    break
                }
                offset &+= 8
            }
            let byte = bytes[offset]
            if byte == 0x22 { return (offset, hasEscapes) }
            if byte == 0x5c {
                hasEscapes = true
                offset &+= 1
            }
            offset &+= 1
        }
    }

    /// The offset of the next quotation mark or bracket outside of strings.
    ///
    /// The document must have been checked, and there must be one.
    @inline(__always)
    static func nextStructural(_ bytes: ByteView, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let wordEnd = bytes.wordEnd
        var offset = start
        while offset < wordEnd {
            let word = unsafe bytes.uncheckedWord(at: offset)
            // Setting this bit turns square brackets into braces.
            let braces = word | (ones &* 0x20)
            let special =
                zeroBytes(word ^ (ones &* 0x22)) | zeroBytes(braces ^ (ones &* 0x7b))
                | zeroBytes(braces ^ (ones &* 0x7d))
            if special != 0 { return offset &+ special.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while true {
            switch bytes[offset] {
            case 0x22, 0x5b, 0x5d, 0x7b, 0x7d: return offset
            default: offset &+= 1
            }
        }
    }

    /// The offset after the number or literal that has a byte at `start`: that of the next comma,
    /// closing bracket or white space, or of the document's end.
    ///
    /// The document must have been checked.
    static func scalarEnd(_ bytes: ByteView, from start: Int) -> Int {
        var offset = start
        while bytes.has(offset) {
            switch bytes[offset] {
            case 0x00...0x20, 0x2c, 0x5d, 0x7d: return offset
            default: offset &+= 1
            }
        }
        return offset
    }

    /// Sets the top bit of each byte that is zero; bits above the first one may be wrong.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Checks the escape that begins at `start` and returns the offset after it.
    @usableFromInline @inline(never)
    static func escape(_ bytes: ByteView, at start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else {
            throw JSONError(.notJSON, at: bytes.count, detail: .unexpectedEnd)
        }
        switch bytes[start + 1] {
        case 0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74: return start + 2
        case 0x75:
            let first = try hexUnit(bytes, at: start)
            if first < 0xd800 || first > 0xdfff { return start + 6 }
            // A high half must be followed by a low one; a low one must not come first.
            guard first < 0xdc00, start + 7 < bytes.count, bytes[start + 6] == 0x5c,
                bytes[start + 7] == 0x75
            else { throw JSONError(.notJSON, at: start, detail: .loneSurrogate) }
            let second = try hexUnit(bytes, at: start + 6)
            guard second >= 0xdc00 && second <= 0xdfff else {
                throw JSONError(.notJSON, at: start, detail: .loneSurrogate)
            }
            return start + 12
        default: throw JSONError(.notJSON, at: start, detail: .badEscape)
        }
    }

    /// The 16-bit code unit of the `\uXXXX` escape at `start`.
    static func hexUnit(_ bytes: ByteView, at start: Int) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for offset in start + 2..<start + 6 {
            guard offset < bytes.count else {
                throw JSONError(.notJSON, at: bytes.count, detail: .unexpectedEnd)
            }
            guard let digit = bytes[offset].hexDigitValue else {
                throw JSONError(.notJSON, at: start, detail: .badEscape)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Checks the UTF-8 sequence at `start`, whose first byte must not be ASCII, and returns the
    /// offset after it.
    ///
    /// The Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
    @usableFromInline @inline(never)
    static func sequence(_ bytes: ByteView, at start: Int) throws(JSONError) -> Int {
        let lead = bytes[start]
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xbf
        switch lead {
        case 0xc2...0xdf: length = 2
        case 0xe0: (length, low) = (3, 0xa0)
        case 0xed: (length, high) = (3, 0x9f)
        case 0xe1...0xef: length = 3
        case 0xf0: (length, low) = (4, 0x90)
        case 0xf1...0xf3: length = 4
        case 0xf4: (length, high) = (4, 0x8f)
        default: throw JSONError(.notUTF8, at: start, detail: .badUTF8)
        }
        guard start + length <= bytes.count, bytes[start + 1] >= low, bytes[start + 1] <= high
        else { throw JSONError(.notUTF8, at: start, detail: .badUTF8) }
        for offset in start + 2..<max(start + 2, start + length)
        where bytes[offset] & 0xc0 != 0x80 {
            throw JSONError(.notUTF8, at: start, detail: .badUTF8)
        }
        return start + length
    }

    /// Whether a well-formed UTF-8 sequence begins at `start`; the byte there must not be ASCII.
    static func isUTF8(_ bytes: ByteView, at start: Int) -> Bool {
        do throws(JSONError) {
            _ = try sequence(bytes, at: start)
            return true
        } catch {
            return false
        }
    }

    /// Decodes a string's checked content into `memory`; returns the number of bytes written.
    ///
    /// They are never more than `raw.count`, because every escape is longer than what it stands
    /// for.
    static func decode(_ raw: ByteView, to memory: UnsafeMutableRawPointer) -> Int {
        var count = 0
        var offset = 0
        func put(_ byte: UInt8) {
            unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        while offset < raw.count {
            let byte = raw[offset]
            if byte != 0x5c {
                put(byte)
                offset += 1
                continue
            }
            switch raw[offset + 1] {
            case 0x62: put(0x08)
            case 0x66: put(0x0c)
            case 0x6e: put(0x0a)
            case 0x72: put(0x0d)
            case 0x74: put(0x09)
            case 0x75:
                let (scalar, length) = scalar(raw, at: offset)
                for unit in UTF8.encode(scalar)! { put(unit) }
                offset += length
                continue
            case let plain: put(plain)
            }
            offset += 2
        }
        return count
    }

    /// The character of the `\u` escape, or of the surrogate pair of two escapes, at `start`; and
    /// the number of bytes that it takes in `raw`.
    private static func scalar(_ raw: ByteView, at start: Int) -> (UnicodeScalar, Int) {
        func unit(_ start: Int) -> UInt32 {
            (start + 2..<start + 6).reduce(0) { $0 << 4 | UInt32(raw[$1].hexDigitValue ?? 0) }
        }
        let first = unit(start)
        if let scalar = UnicodeScalar(first) { return (scalar, 6) }
        let second = unit(start + 6)
        let value = 0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00)
        return (UnicodeScalar(value)!, 12)
    }
}

/// Memory for decoded strings and other bytes, kept from document to document; chunks never move,
/// so views stay valid.
@safe @usableFromInline
package struct TextScratch: ~Copyable {
    private static var chunkBytes: Int { 1 << 16 }

    /// A block of memory, and its length in bytes.
    @safe @usableFromInline struct Chunk {
        @usableFromInline var memory: UnsafeMutableRawPointer
        var capacity: Int
    }

    @usableFromInline var chunks: [Chunk] = []
    /// The index of the chunk being filled.
    private var current = 0
    /// The number of bytes used in that chunk.
    private var used = 0
    /// Bytes allocated, used or not.
    package private(set) var byteCount = 0

    /// Scratch memory without chunks; the first `reserve` adds one.
    @usableFromInline
    package init() {}

    @inlinable deinit {
        for chunk in chunks { unsafe chunk.memory.deallocate() }
    }

    /// The end of what is kept; `reset(to:)` with it discards everything later.
    package var mark: ScratchPosition { ScratchPosition(chunk: current, used: used) }

    /// Discards what is kept since `position` was taken; the chunks stay for what comes later.
    package mutating func reset(to position: ScratchPosition) {
        current = position.chunk
        used = position.used
    }

    /// Memory for `byteCount` bytes, which the caller may write. `keep` then claims as many of them
    /// as the caller needs; the next call may return the others again.
    package mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer {
        precondition(byteCount >= 0, "\(byteCount) bytes are reserved")
        while current < chunks.count, used + byteCount > chunks[current].capacity {
            current += 1
            used = 0
        }
        if current == chunks.count {
            // Powers of two, so that strings that grow a little each time fit into chunks that
            // exist.
            let capacity = max(Self.chunkBytes, 1 << (Int.bitWidth - byteCount.leadingZeroBitCount))
            unsafe chunks.append(
                Chunk(memory: .allocate(byteCount: capacity, alignment: 8), capacity: capacity)
            )
            self.byteCount += capacity
        }
        return unsafe chunks[current].memory + used
    }

    /// Claims the first `byteCount` bytes of the memory that `reserve` returned last.
    package mutating func keep(_ byteCount: Int) {
        let free = chunks[current].capacity - used
        precondition(byteCount >= 0 && byteCount <= free, "more is kept than was reserved")
        used += byteCount
    }

    /// Decodes a string's checked content; the view is valid until `reset`.
    @usableFromInline @inline(never)
    mutating func decode(_ raw: ByteView) -> ByteView {
        let memory = unsafe reserve(raw.count)
        let count = unsafe StringScan.decode(raw, to: memory)
        keep(count)
        return unsafe ByteView(base: memory, count: count)
    }
}

/// A position in scratch memory; `init()` makes its beginning.
package struct ScratchPosition: BitwiseCopyable {
    fileprivate var chunk: Int
    fileprivate var used: Int

    /// The beginning of the scratch memory.
    package init() {
        chunk = 0
        used = 0
    }

    fileprivate init(chunk: Int, used: Int) {
        self.chunk = chunk
        self.used = used
    }
}
