internal import ByteStorage
internal import StoreFormat

extension ShuffledQueue {
    /// Puts the numbers that wait, in their order, and which of them belong to the last burst.
    ///
    ///     count │ how many of them come before the last burst     64 + 64 bits
    ///     the last burst                                          64
    ///     numbers                                                 32 each
    func write(to writer: inout StoreWriter) {
        writer.put(UInt64(count))
        writer.put(UInt64(max(lastBegin, head) - head))
        writer.put(lastBurst)
        let start = head & (ring.count - 1)
        let first = min(count, ring.count - start)
        let numbers = ring.span
        writer.put(numbers: numbers.extracting(start..<start + first))
        writer.put(numbers: numbers.extracting(0..<count - first))
    }

    init(reading reader: inout StoreReader, idsBelow idLimit: UInt32) throws(StoreError) {
        let count = try reader.read(UInt64.self)
        let begin = try reader.read(UInt64.self)
        lastBurst = try reader.read(UInt64.self)
        if count > UInt64(reader.remainingCount / 4) { throw reader.corrupt("a queue is cut off") }
        if begin > count { throw reader.corrupt("a burst begins behind its queue") }
        end = Int(count)
        lastBegin = Int(begin)
        ring = try reader.read(numbers: end)
        for id in ring where id >= idLimit { throw reader.corrupt("\(id) waits and cannot be") }
        var capacity = Self.firstCapacity
        while capacity < end { capacity *= 2 }
        ring.append(contentsOf: repeatElement(0, count: capacity - end))
    }
}
