public import DataStructures

/// Puts records together, little-endian, in memory that is used again.
@safe @usableFromInline
package struct StoreWriter: ~Copyable {
    @usableFromInline var memory: UnsafeMutableRawPointer
    @usableFromInline package private(set) var capacity: Int
    @usableFromInline package private(set) var count = 0

    @usableFromInline package init(capacity: Int = 4_096) {
        self.capacity = max(64, capacity)
        unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    // Inlinable because the optimiser of Swift 6.3.1 fails on a resilient deinit inside an inlinable
    // accessor.
    @inlinable deinit {
        unsafe memory.deallocate()
    }

    @inlinable package var isEmpty: Bool { count == 0 }

    /// What was written, valid until the next change.
    @inlinable package var bytes: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(memory), count: count)
    }

    /// Empties it and keeps its memory.
    @usableFromInline package mutating func clear() {
        count = 0
    }

    /// Drops what was written from this offset on.
    @usableFromInline package mutating func truncate(to count: Int) {
        precondition(count <= self.count)
        self.count = count
    }

    /// Drops what was written first; the rest moves to the front.
    package mutating func removeFirst(_ byteCount: Int) {
        precondition(byteCount <= count)
        count -= byteCount
        unsafe memory.copyMemory(from: memory + byteCount, byteCount: count)
    }

    /// Makes room for so many bytes more, uninitialised, and returns their address.
    @unsafe @inlinable @inline(__always)
    package mutating func extend(_ byteCount: Int) -> UnsafeMutableRawPointer {
        if count + byteCount > capacity { grow(byteCount) }
        let place = unsafe memory + count
        count += byteCount
        return unsafe place
    }

    @inlinable @inline(__always)
    package mutating func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        unsafe extend(MemoryLayout<Value>.size).storeBytes(of: value.littleEndian, as: Value.self)
    }

    @inlinable @inline(__always)
    package mutating func put(_ value: Bool) {
        put(value ? 1 : 0 as UInt8)
    }

    /// Seven bits a byte, lowest first, the top bit set on all but the last (LEB128).
    @inlinable @inline(__always)
    package mutating func put(varint value: UInt64) {
        if value < 0x80 { return put(UInt8(truncatingIfNeeded: value)) }
        putLong(value)
    }

    /// A signed number as a varint: 0, -1, 1, -2 … are 0, 1, 2, 3 … (zigzag).
    @inlinable @inline(__always)
    package mutating func put(signed value: Int64) {
        put(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Bytes as they are.
    @inlinable @inline(__always)
    package mutating func put(raw bytes: ByteView) {
        unsafe bytes.copy(to: extend(bytes.count))
    }

    /// Bytes behind their number.
    @inlinable @inline(__always)
    package mutating func put(counted bytes: ByteView) {
        put(varint: UInt64(bytes.count))
        put(raw: bytes)
    }

    package mutating func put(counted text: String) {
        text.withByteView { put(counted: $0) }
    }

    /// Changes a number that was put before.
    package mutating func patch<Value: FixedWidthInteger & BitwiseCopyable>(
        _ value: Value,
        at offset: Int
    ) {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        unsafe memory.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
    }

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
    mutating func grow(_ byteCount: Int) {
        capacity = max(capacity * 2, count + byteCount)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = unsafe larger
    }
}
