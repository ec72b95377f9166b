/// A queue of bytes: appended at the end, removed from the front.
///
///     [ removed … start | waiting … end ]
struct UnsentBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    /// Appends bytes, and frees the memory of removed ones when they are more than half.
    mutating func append(_ more: [UInt8]) {
        assert(start <= bytes.count, "more bytes were removed than there were")
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Removes bytes from the front, `most` of them or all.
    mutating func take(_ most: Int) -> [UInt8] {
        let taken = Array(bytes[start..<start + min(count, most)])
        start += taken.count
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            start = 0
        }
        return taken
    }

    /// The most bytes of memory that an empty queue keeps.
    private static var keptCapacity: Int { 4 << 10 }
}
