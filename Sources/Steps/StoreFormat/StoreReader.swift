public import Basics

/// Reads what a `StoreWriter` has written.
///
/// It trusts no byte: a value that is impossible throws `StoreErrorCode.corrupt` with its offset.
@usableFromInline
package struct StoreReader {
    @usableFromInline let view: ByteView
    /// The offset of the next byte to read.
    @usableFromInline package internal(set) var offset = 0

    /// - Parameter view: the bytes, which must stay valid while the reader is used.
    package init(_ view: ByteView) { self.view = view }

    /// Whether everything has been read.
    @inlinable package var isAtEnd: Bool { offset == view.count }
    /// The number of bytes that are still to be read.
    @inlinable package var remainingCount: Int { view.count - offset }

    /// The bytes in `start..<end`, whether read already or not.
    func view(_ start: Int, to end: Int) -> ByteView { view.slice(start, to: end) }

    /// The error for an impossible value at the present offset.
    package func corrupt(_ what: String) -> StoreError {
        StoreError(.corrupt, message: "\(what) at byte \(offset) of a record")
    }

    /// Throws `corrupt` unless this many bytes are left.
    @inlinable @inline(__always)
    func require(_ byteCount: Int) throws(StoreError) {
        assert(byteCount >= 0 && offset <= view.count)
        if byteCount > view.count - offset { throw missing(byteCount) }
    }

    /// The error for bytes that end too early.
    @usableFromInline
    func missing(_ byteCount: Int) -> StoreError { corrupt("\(byteCount) bytes are missing") }

    /// Reads a little-endian number.
    @inlinable @inline(__always)
    package mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(StoreError) -> Value {
        try require(MemoryLayout<Value>.size)
        let value = unsafe view.address.loadUnaligned(fromByteOffset: offset, as: type)
        offset += MemoryLayout<Value>.size
        return Value(littleEndian: value)
    }

    /// Reads a byte that must be 0 (false) or 1 (true); throws `corrupt` for any other.
    package mutating func readBool() throws(StoreError) -> Bool {
        let byte = try read(UInt8.self)
        if byte > 1 { throw corrupt("\(byte) is neither true nor false") }
        return byte == 1
    }

    /// Reads an unsigned LEB128 number; longer encodings than necessary are refused.
    @inlinable @inline(__always)
    package mutating func readVarint() throws(StoreError) -> UInt64 {
        let byte = try read(UInt8.self)
        if byte < 0x80 { return UInt64(byte) }
        offset -= 1
        return try readLongVarint()
    }

    /// Reads a varint of two bytes or more.
    @usableFromInline
    mutating func readLongVarint() throws(StoreError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try read(UInt8.self)
            let bits = UInt64(byte & 0x7f)
            if shift == 63 && bits > 1 { throw corrupt("a number has more than 64 bits") }
            value |= bits << shift
            if byte < 0x80 {
                if byte == 0 && shift > 0 { throw corrupt("a number is longer than necessary") }
                return value
            }
            shift += 7
            if shift > 63 { throw corrupt("a number has more than 64 bits") }
        }
    }

    /// Reads a signed number in zigzag encoding.
    @inlinable
    package mutating func readSigned() throws(StoreError) -> Int64 {
        let value = try readVarint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads a varint from 0 to `limit`. If the limit is negative, as the last index of an empty
    /// list is, every value throws.
    @usableFromInline
    package mutating func readCount(atMost limit: Int) throws(StoreError) -> Int {
        let value = try readVarint()
        if limit < 0 { throw corrupt("\(value) where no value is allowed") }
        if value > UInt64(limit) { throw corrupt("\(value) where at most \(limit) is allowed") }
        return Int(value)
    }

    /// Reads a varint that fits in 32 bits.
    package mutating func readNumber() throws(StoreError) -> UInt32 {
        UInt32(try readCount(atMost: Int(UInt32.max)))
    }

    /// Reads the number of an entry of a table that has `count` entries.
    @inlinable
    package mutating func readNumber<ID: TableNumber>(
        of type: ID.Type = ID.self,
        below count: Int
    ) throws(StoreError) -> ID {
        ID(index: try readCount(atMost: count - 1))
    }

    /// Reads the number of an entry of a table whose entries are not known here.
    @inlinable
    package mutating func readNumber<ID: TableNumber>(of type: ID.Type) throws(StoreError) -> ID {
        ID(index: try readCount(atMost: Int(ID.RawValue.max)))
    }

    /// Returns the next bytes without copying them.
    package mutating func read(raw byteCount: Int) throws(StoreError) -> ByteView {
        if byteCount < 0 { throw corrupt("a negative count") }
        try require(byteCount)
        offset += byteCount
        return view.slice(offset - byteCount, to: offset)
    }

    /// Returns bytes that are preceded by their count.
    package mutating func readCounted() throws(StoreError) -> ByteView {
        try read(raw: readCount(atMost: view.count))
    }

    /// Throws unless everything has been read.
    package func finish() throws(StoreError) {
        if !isAtEnd { throw corrupt("\(remainingCount) bytes too many") }
    }
}
