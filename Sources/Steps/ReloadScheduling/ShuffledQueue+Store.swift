internal import DataStructures
internal import StoreFormat

/// A queue as bytes: the numbers that wait, in their order, and which of them belong to the last burst.
///
///     count │ how many of them come before the last burst     64 + 64 bits
///     the last burst                                          64
///     numbers                                                 32 each
extension ShuffledQueue {
    func writeHead(to writer: inout StoreWriter) {
        writer.put(UInt64(count))
        writer.put(UInt64(max(lastBegin, head) - head))
        writer.put(lastBurst)
    }

    /// Puts some numbers, from how many there were before.
    ///
    /// - Returns: how many it has put; 0 if there are no more.
    func writeNumbers(from index: Int, to writer: inout StoreWriter) -> Int {
        if index == count { return 0 }
        return numbers(from: head + index) { writer.put(numbers: $0) }
    }

    init(reading reader: inout StoreReader, idsBelow idLimit: UInt32) throws(StoreError) {
        let count = try reader.read(UInt64.self)
        let begin = try reader.read(UInt64.self)
        let burst = try reader.read(UInt64.self)
        if count > UInt64(reader.remainingCount / 4) { throw reader.corrupt("a queue is cut off") }
        if begin > count { throw reader.corrupt("a burst begins behind its queue") }
        var chunks: ContiguousArray<ContiguousArray<UInt32>> = []
        var left = Int(count)
        while left > 0 {
            var chunk = try reader.read(numbers: min(left, Self.chunkSize))
            for id in chunk where id >= idLimit {
                throw reader.corrupt("\(id) waits and cannot be")
            }
            left -= chunk.count
            let unused = Self.chunkSize - chunk.count
            chunk.append(contentsOf: repeatElement(0, count: unused))
            chunks.append(chunk)
        }
        self.init(chunks, count: Int(count), lastBegin: Int(begin), burst: burst)
    }
}
