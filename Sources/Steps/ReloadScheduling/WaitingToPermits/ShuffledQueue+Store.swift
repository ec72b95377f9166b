internal import Basics
internal import StoreFormat

/// The stored form of a queue: the waiting ids in order, and which of them belong to the last
/// fan-out.
///
///     count │ how many of them come before the last fan-out   64 + 64 bits
///     number of the last fan-out                              64
///     ids                                                     32 each
extension ShuffledQueue {
    /// Writes everything but the ids.
    func writeHead(to writer: inout StoreWriter) {
        writer.put(UInt64(count))
        writer.put(UInt64(max(lastBegin, head) - head))
        writer.put(lastFanOut)
    }

    /// Writes some of the ids, from the one at `index` on, counted from the head of the queue.
    /// Returns how many ids were written; 0 if there are no more.
    func writeNumbers(from index: Int, to writer: inout StoreWriter) -> Int {
        if index == count { return 0 }
        return numbers(from: head + index) { writer.put(numbers: $0) }
    }

    init(reading reader: inout StoreReader, idsBelow idLimit: UInt32) throws(StoreError) {
        let count = try reader.read(UInt64.self)
        let begin = try reader.read(UInt64.self)
        let fanOut = try reader.read(UInt64.self)
        if count > UInt64(reader.remainingCount / 4) { throw reader.corrupt("a queue is cut off") }
        if begin > count { throw reader.corrupt("a fan-out begins after the end of its queue") }
        var chunks: ContiguousArray<ContiguousArray<WidgetID>> = []
        var left = Int(count)
        while left > 0 {
            var chunk: ContiguousArray<WidgetID>
            chunk = try reader.read(numbers: min(left, Self.chunkSize))
            for widget in chunk where widget.rawValue >= idLimit {
                throw reader.corrupt("\(widget) cannot be in a queue")
            }
            left -= chunk.count
            let unused = Self.chunkSize - chunk.count
            chunk.append(contentsOf: repeatElement(WidgetID.first, count: unused))
            chunks.append(chunk)
        }
        self.init(chunks, count: Int(count), lastBegin: Int(begin), fanOut: fanOut)
    }
}
