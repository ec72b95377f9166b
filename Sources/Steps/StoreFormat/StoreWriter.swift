public import Basics

/// Builds records in memory that is reused; numbers are little-endian.
@safe @usableFromInline
package struct StoreWriter: ~Copyable {
    @usableFromInline var memory: UnsafeMutableRawPointer
    /// The size of the allocated memory, in bytes.
    @usableFromInline package private(set) var capacity: Int
    /// The number of bytes written.
    @usableFromInline package private(set) var count = 0

    /// Makes an empty writer with memory for `capacity` bytes, at least 64; more is allocated when
    /// needed.
    @usableFromInline package init(capacity: Int = 4_096) {
        self.capacity = max(64, capacity)
        unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    // It is inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an
    // inlinable accessor.
    @inlinable deinit { unsafe memory.deallocate() }

    /// Whether nothing has been written.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// Everything written, valid until the next change.
    @inlinable package var bytes: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(memory), count: count)
    }

    /// Discards everything written, and keeps the memory.
    @usableFromInline package mutating func clear() { count = 0 }

    /// Discards what was written from this offset on.
    @usableFromInline package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "\(count) of \(self.count) bytes")
        self.count = count
    }

    /// Discards the first bytes; the others move to the front.
    package mutating func removeFirst(_ byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= count, "\(byteCount) of \(count) bytes")
        count -= byteCount
        unsafe memory.copyMemory(from: memory + byteCount, byteCount: count)
    }

    /// Appends `byteCount` uninitialised bytes and returns their address, valid until the next
    /// change.
    @unsafe @inlinable @inline(__always)
    package mutating func extend(_ byteCount: Int) -> UnsafeMutableRawPointer {
        assert(byteCount >= 0, "\(byteCount) more bytes")
        if count + byteCount > capacity { grow(byteCount) }
        let destination = unsafe memory + count
        count += byteCount
        return unsafe destination
    }

    /// Appends a number, little-endian.
    @inlinable @inline(__always)
    package mutating func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        unsafe extend(MemoryLayout<Value>.size).storeBytes(of: value.littleEndian, as: Value.self)
    }

    /// Appends a boolean as one byte: 1 for true, 0 for false.
    @inlinable @inline(__always)
    package mutating func put(_ value: Bool) { put(value ? 1 : 0 as UInt8) }

    /// Appends a number as a varint: seven bits a byte, the lowest first, the top bit set on all
    /// but the last (LEB128).
    @inlinable @inline(__always)
    package mutating func put(varint value: UInt64) {
        if value < 0x80 { return put(UInt8(truncatingIfNeeded: value)) }
        putLong(value)
    }

    /// Appends the number of a table's entry as a varint.
    @inlinable
    package mutating func put(number: some TableNumber) { put(varint: UInt64(number.rawValue)) }

    /// Appends a signed number as a varint: 0, -1, 1, -2 … become 0, 1, 2, 3 … (zigzag).
    @inlinable @inline(__always)
    package mutating func put(signed value: Int64) {
        put(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends bytes as they are.
    @inlinable @inline(__always)
    package mutating func put(raw bytes: ByteView) { unsafe bytes.copy(to: extend(bytes.count)) }

    /// Appends the number of bytes as a varint, then the bytes.
    @inlinable @inline(__always)
    package mutating func put(counted bytes: ByteView) {
        put(varint: UInt64(bytes.count))
        put(raw: bytes)
    }

    /// Appends the length of the text in UTF-8 as a varint, then its bytes.
    package mutating func put(counted text: String) {
        text.withByteView { put(counted: $0) }
    }

    /// Appends bytes that are 0, to be overwritten by `patch`, and returns their offset.
    mutating func reserve(_ byteCount: Int) -> Int {
        let start = count
        unsafe extend(byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        return start
    }

    /// Overwrites a number that was written before.
    package mutating func patch<Value: FixedWidthInteger & BitwiseCopyable>(
        _ value: Value,
        at offset: Int
    ) {
        precondition(
            offset >= 0 && offset <= count - MemoryLayout<Value>.size,
            "a number at \(offset) of \(count) bytes"
        )
        unsafe memory.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
    }

    /// Appends a varint of two bytes or more.
    @usableFromInline
    mutating func putLong(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    @usableFromInline @inline(never)
    /// Enlarges the memory for at least this many more bytes, to at least twice its size.
    mutating func grow(_ byteCount: Int) {
        capacity = max(capacity * 2, count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = unsafe larger
    }
}
