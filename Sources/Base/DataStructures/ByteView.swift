/// A borrowed run of bytes: a base address and a count.
///
/// What a parser gets to see of the loop's read slab. The view owns nothing and is valid only as
/// long as whoever made it says so: for bytes off the wire, until the read callback returns. Reads
/// are checked against the count in debug builds; release builds trust the parsers, which are
/// fuzzed in debug builds.
@safe @frozen @usableFromInline
package struct ByteView {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline package let count: Int

    /// Wraps memory that must stay valid and unchanged while the view is used.
    @unsafe @inlinable @inline(__always)
    package init(base: UnsafeRawPointer, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// No bytes, at an address that is none.
    package static var empty: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
    }

    @inlinable @inline(__always)
    package subscript(offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count, "byte \(offset) of a view of \(count)")
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Loads eight bytes in memory order; the caller has made sure that they are there.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        assert(offset >= 0 && offset + 8 <= count, "word at \(offset) of a view of \(count)")
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Loads a big-endian integer, as the wire has them.
    @inlinable @inline(__always)
    package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int
    ) -> Value {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        return unsafe Value(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The bytes from `start` up to `end`, without copying.
    @inlinable @inline(__always)
    package func slice(_ start: Int, _ end: Int) -> ByteView {
        assert(start >= 0 && start <= end && end <= count)
        return unsafe ByteView(base: base + start, count: end - start)
    }

    /// The first eight bytes, zero-filled when there are fewer: tells most short names apart with
    /// one comparison.
    @inlinable @inline(__always)
    package var prefixWord: UInt64 {
        if count >= 8 { return word(at: 0) }
        if count >= 4 {
            let low = unsafe UInt64(base.loadUnaligned(as: UInt32.self))
            let high = unsafe UInt64(
                base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            )
            return low | high << UInt64(8 * (count - 4))
        }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(self[offset]) << UInt64(8 * offset) }
        return word
    }

    @inlinable @inline(__always)
    package static func == (left: ByteView, right: ByteView) -> Bool {
        unsafe left.count == right.count && bytesEqual(left.base, right.base, left.count)
    }

    /// A copy as a string; bytes that are not UTF-8 are replaced.
    package var string: String {
        unsafe String(
            decoding: UnsafeRawBufferPointer(start: base, count: count),
            as: UTF8.self
        )
    }

    /// A copy as an array.
    package var array: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the address to a system call or a copy; it must not escape `body`.
    @unsafe @inlinable @inline(__always)
    package var address: UnsafeRawPointer { unsafe base }

    @inlinable @inline(__always)
    package func copy(to destination: UnsafeMutableRawPointer) {
        unsafe destination.copyMemory(from: base, byteCount: count)
    }
}

/// Compares eight bytes at a time; names and values are short, so a call to memcmp would cost more
/// than the comparison.
@inlinable @inline(__always)
package func bytesEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    if count >= 8 {
        var offset = 0
        while offset + 8 <= count {
            let same =
                unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if !same { return false }
            offset += 8
        }
        // The last word overlaps the one before it rather than going byte by byte.
        return unsafe left.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    return unsafe ByteView(base: left, count: count).prefixWord
        == ByteView(base: right, count: count).prefixWord
}

extension Array where Element == UInt8 {
    /// Runs `body` on a view of the array's bytes, which must not escape.
    package func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        unsafe withUnsafeBytes { bytes in
            // An empty array has no address; any non-null one will do for zero bytes.
            let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!
            let view = unsafe ByteView(base: base, count: bytes.count)
            do throws(Failure) {
                outcome = .success(try body(view))
            } catch {
                outcome = .failure(error)
            }
        }
        return try outcome!.get()
    }
}

extension String {
    /// Runs `body` on a view of the string's UTF-8, which must not escape.
    package func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Array(self.utf8).withByteView(body)
    }
}
