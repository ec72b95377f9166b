/// A borrowed run of bytes: a base address and a count.
///
/// Parsers see the loop's read buffer through it. Bounds are guaranteed: every read and slice is
/// checked against the count, in release builds too, and traps beyond it. Only the members that
/// have `unchecked` in their names are not, and calling them takes the word `unsafe`.
///
/// Lifetime is not guaranteed: a view owns nothing, can be copied and stored, and is valid only as
/// long as its source says. For bytes from the network, that is until the read callback returns.
/// The code that makes a view from an address promises it with the word `unsafe`. `@safe` says that
/// no offset can break memory; it does not say that a view may be kept.
@safe @frozen @usableFromInline
package struct ByteView {
    @usableFromInline let base: UnsafeRawPointer
    /// The number of bytes.
    @usableFromInline package let count: Int

    /// Wraps `count` bytes, 0 or more, of memory that must stay valid and unchanged as long as the
    /// view is used.
    @unsafe @inlinable @inline(__always)
    package init(base: UnsafeRawPointer, count: Int) {
        assert(count >= 0, "a view of \(count) bytes")
        unsafe self.base = unsafe base
        self.count = count
    }

    /// The UTF-8 of a text in the program, which lives as long as that.
    @inlinable
    package init(_ text: StaticString) {
        unsafe self.init(base: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// A view of no bytes; its address points nowhere.
    package static var empty: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
    }

    /// The byte at `offset`, which must be in the view.
    @inlinable @inline(__always)
    package subscript(offset: Int) -> UInt8 {
        precondition(has(offset), "byte \(offset) of a view of \(count)")
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Loads eight bytes in memory order, all of which must be in the view.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        precondition(has(8, from: offset), "word at \(offset) of a view of \(count)")
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Loads a big-endian integer, the byte order of the protocol; all of its bytes must be in the
    /// view.
    @inlinable @inline(__always)
    package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int
    ) -> Value {
        precondition(
            has(MemoryLayout<Value>.size, from: offset),
            "integer at \(offset) of a view of \(count)"
        )
        return unsafe Value(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The bytes in `start..<end`, which must be in the view, without copying.
    @inlinable @inline(__always)
    package func slice(_ start: Int, to end: Int) -> ByteView {
        precondition(
            UInt(bitPattern: start) <= UInt(bitPattern: end)
                && UInt(bitPattern: end) <= UInt(bitPattern: count),
            "bytes \(start) to \(end) of a view of \(count)"
        )
        return unsafe ByteView(base: base + start, count: end - start)
    }

    /// Whether the view has a byte at `offset`. A read at an offset that has passed this test needs
    /// no second check: the compiler removes it.
    @inlinable @inline(__always)
    package func has(_ offset: Int) -> Bool {
        // One comparison for both ends: as unsigned number, a negative offset is above any count.
        UInt(bitPattern: offset) < UInt(bitPattern: count)
    }

    /// Whether `length` bytes, 0 or more, from `offset` on are in the view.
    @inlinable @inline(__always)
    func has(_ length: Int, from offset: Int) -> Bool {
        // The difference cannot overflow: neither number is negative.
        offset >= 0 && offset <= count &- length
    }

    // MARK: - Unchecked

    /// One above the highest offset from which eight bytes are in the view; 0 or less if there is
    /// none.
    ///
    /// So a loop over words has one comparison for each word, if its offsets are not negative:
    ///
    ///     while offset < wordEnd { … unsafe view.uncheckedWord(at: offset) … }
    @inlinable @inline(__always)
    package var wordEnd: Int { count &- 7 }

    /// Does what `word(at:)` does, unchecked; for scanners that have compared with `wordEnd`.
    @unsafe @inlinable @inline(__always)
    package func uncheckedWord(at offset: Int) -> UInt64 {
        assert(has(8, from: offset), "word at \(offset) of a view of \(count)")
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Does what `slice` does, unchecked; for scanners that have found both ends in the view.
    @unsafe @inlinable @inline(__always)
    package func uncheckedSlice(_ start: Int, to end: Int) -> ByteView {
        assert(start >= 0 && start <= end && end <= count, "bytes \(start) to \(end) of \(count)")
        return unsafe ByteView(base: base + start, count: end &- start)
    }

    // MARK: - All bytes

    /// The first eight bytes in memory order, followed by zeros if there are fewer: most short
    /// names can be distinguished by one comparison of this word.
    @inlinable @inline(__always)
    package var prefixWord: UInt64 {
        if count >= 8 { return word(at: 0) }
        if count >= 4 {
            let low = unsafe UInt64(base.loadUnaligned(as: UInt32.self))
            let high = unsafe UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            return low | high << UInt64(8 * (count - 4))
        }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(self[offset]) << UInt64(8 * offset) }
        return word
    }

    /// Whether both views have the same bytes, wherever they are in memory.
    @inlinable @inline(__always)
    package static func == (left: ByteView, right: ByteView) -> Bool {
        unsafe left.count == right.count
            && bytesEqual(left.base, and: right.base, count: left.count)
    }

    /// A copy as a string; bytes that are not UTF-8 are replaced by U+FFFD.
    package var string: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// A copy as an array.
    package var array: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count)) }

    /// The address of the first byte, for system calls and copies; valid only as long as the view
    /// is.
    @unsafe @inlinable @inline(__always)
    package var address: UnsafeRawPointer { unsafe base }

    /// Copies all bytes to memory, which must have space for them.
    @unsafe @inlinable @inline(__always)
    package func copy(to destination: UnsafeMutableRawPointer) {
        unsafe destination.copyMemory(from: base, byteCount: count)
    }
}

/// Whether `count` bytes at two addresses are equal.
///
/// Compares eight bytes at a time. Names and values are short, so a call to memcmp would cost more
/// than the comparison.
@inlinable @inline(__always)
package func bytesEqual(_ left: UnsafeRawPointer, and right: UnsafeRawPointer, count: Int) -> Bool {
    if count >= 8 {
        var offset = 0
        while offset + 8 <= count {
            let same =
                unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if !same { return false }
            offset += 8
        }
        // The last word overlaps the one before it, which saves a loop over single bytes.
        return unsafe left.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    return unsafe ByteView(base: left, count: count).prefixWord
        == ByteView(base: right, count: count).prefixWord
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII; nil for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}

extension FixedWidthInteger {
    /// The number as hexadecimal digits, with zeros in front: all that the type has.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension Array where Element == UInt8 {
    /// Calls `body` with a view of the array's bytes, which is valid only until it returns.
    @inlinable @inline(__always)
    package func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { (bytes) throws(Failure) -> Result in
            // An empty array has no address; any that is not null will do for zero bytes.
            let base = unsafe UnsafeRawPointer(bytes.baseAddress)
            let view = unsafe ByteView(
                base: base ?? UnsafeRawPointer(bitPattern: 8)!,
                count: bytes.count
            )
            return try body(view)
        }
    }
}

extension String {
    /// Calls `body` with a view of a copy of the string's UTF-8, which is valid only until it
    /// returns.
    @inlinable @inline(__always)
    package func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Array(self.utf8).withByteView(body)
    }
}
