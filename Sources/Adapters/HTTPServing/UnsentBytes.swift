/// Bytes that wait to be read: added behind, taken in front.
///
///     [ taken … start | waiting … end ]
struct UnsentBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// - Returns: how many were moved.
    mutating func move(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let moved = min(count, memory.count)
        unsafe memory.copyBytes(from: bytes[start..<start + moved])
        start += moved
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            start = 0
        }
        return moved
    }

    /// Memory that a stream keeps while it has nothing to send.
    private static var keptCapacity: Int { 4 << 10 }
}
