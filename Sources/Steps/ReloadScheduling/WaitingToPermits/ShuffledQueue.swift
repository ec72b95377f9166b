package import Basics
internal import StoreFormat

/// A first-in-first-out queue of ids in which the ids of one fan-out are in random order; one rank
/// of a `PacedQueue`.
///
///     … [ fan-out 7, shuffled ][ fan-out 8, shuffled ][ the last one, still growing ] …
///         ▲ head                                       ▲ lastBegin                   ▲ end
///     [ chunk 0: 512 ids ][ chunk 1                 ][ chunk 2                 ]
///
/// Each new id is swapped with a random waiting id of its fan-out, itself included (the inside-out
/// form of Fisher and Yates' shuffle), so that all orders are equally likely at any time. Positions
/// count from the beginning of the first chunk. When ten million ids are added, nothing is moved
/// except the table of the chunks, 160 KB.
///
/// The queue is an array of arrays, which other hot paths avoid: a copy of the queue, which a
/// checkpoint makes when it begins, shares all chunks, and a chunk is copied only if it changes
/// while the checkpoint still needs it. Only the first chunk can be smaller than the others,
/// because there may be thousands of queues with hardly an id in them.
struct ShuffledQueue {
    /// Ids that the first chunk has memory for at first.
    static var firstCapacity: Int { 64 }
    /// The binary logarithm of the number of ids of a full chunk.
    private static var chunkBits: Int { 9 }
    /// Ids in a full chunk.
    static var chunkSize: Int { 1 << chunkBits }
    /// An empty queue whose table has capacity for more chunks than this frees the table and the
    /// spare chunk.
    private static var keptChunks: Int { 64 }

    private(set) var chunks: ContiguousArray<ContiguousArray<WidgetID>> = []
    /// An unused chunk, so that a queue that keeps growing and shrinking need not allocate.
    private var spare: ContiguousArray<WidgetID> = []
    /// Position of the next id to be removed.
    private(set) var head = 0
    /// Position after the last id.
    private(set) var end = 0
    /// Where the last fan-out begins.
    private(set) var lastBegin = 0
    /// The fan-out number of the ids from `lastBegin` on.
    private(set) var lastFanOut: UInt64 = 0

    init() {}

    var count: Int { end - head }

    /// Bytes allocated from the system.
    var byteCount: Int {
        let numbers = chunks.reduce(spare.count) { $0 + $1.count }
        let stride = MemoryLayout<ContiguousArray<WidgetID>>.stride
        return numbers * MemoryLayout<WidgetID>.stride + chunks.capacity * stride
    }

    /// Adds an id. It is shuffled with the waiting ids before it if they have the same fan-out
    /// number.
    mutating func append(_ widget: WidgetID, fanOut: UInt64, using random: inout SplitMix64) {
        if fanOut != lastFanOut || head == end {
            lastFanOut = fanOut
            lastBegin = end
        }
        makeRoom()
        let begin = max(lastBegin, head)
        let position = begin + random.below(end - begin + 1)
        self[end] = self[position]
        self[position] = widget
        end += 1
    }

    /// Removes and returns the first id; nil if the queue is empty.
    mutating func popFirst() -> WidgetID? {
        if head == end { return nil }
        let widget = self[head]
        head += 1
        if head == end {
            removeAll()
        } else if head == Self.chunkSize {
            removeFirstChunk()
        }
        return widget
    }

    /// Removes the ids for which `isKept` is false; the others keep their order.
    mutating func keep(_ isKept: (WidgetID) -> Bool) {
        var (kept, begin) = (head, head)
        for position in head..<end {
            if position == lastBegin { begin = kept }
            let widget = self[position]
            if !isKept(widget) { continue }
            if kept < position { self[kept] = widget }
            kept += 1
        }
        if lastBegin >= end { begin = kept }
        (end, lastBegin) = (kept, begin)
        let needed = (end + Self.chunkSize - 1) >> Self.chunkBits
        if chunks.count > needed { chunks.removeLast(chunks.count - max(1, needed)) }
        if head == end { removeAll() }
    }

    /// Passes the ids from a position on to `body`, as many as lie in one chunk; returns how many.
    func numbers(from position: Int, body: (Span<WidgetID>) -> Void) -> Int {
        assert(position >= head && position < end, "no id is at this position")
        let start = position & (Self.chunkSize - 1)
        let count = min(Self.chunkSize - start, end - position)
        let chunk = chunks[position >> Self.chunkBits]
        body(chunk.span.extracting(start..<start + count))
        return count
    }

    /// Makes a queue of `count` ids at the beginning of `chunks`.
    init(
        _ chunks: ContiguousArray<ContiguousArray<WidgetID>>,
        count: Int,
        lastBegin: Int,
        fanOut: UInt64
    ) {
        self.chunks = chunks
        end = count
        self.lastBegin = lastBegin
        lastFanOut = fanOut
    }

    // MARK: - Chunks

    private subscript(position: Int) -> WidgetID {
        @inline(__always) get {
            chunks[position >> Self.chunkBits][position & (Self.chunkSize - 1)]
        }
        @inline(__always) set {
            chunks[position >> Self.chunkBits][position & (Self.chunkSize - 1)] = newValue
        }
    }

    /// Makes sure that there is memory for one more id.
    @inline(__always)
    private mutating func makeRoom() {
        let capacity = chunks.count > 1 ? chunks.count << Self.chunkBits : chunks.first?.count ?? 0
        if end == capacity { makeMoreRoom() }
    }

    /// Makes memory for one more id, when the last chunk is full.
    @inline(never)
    private mutating func makeMoreRoom() {
        guard chunks.count == 1 else { return addChunk() }
        if head * 2 >= chunks[0].count {
            moveToFront()
        } else if chunks[0].count < Self.chunkSize {
            let copies = repeatElement(WidgetID.first, count: chunks[0].count)
            chunks[0].append(contentsOf: copies)
        } else {
            addChunk()
        }
    }

    /// Adds a chunk: the spare one, if its size is right.
    private mutating func addChunk() {
        let size = chunks.isEmpty ? Self.firstCapacity : Self.chunkSize
        if spare.count != size { spare = ContiguousArray(repeating: .first, count: size) }
        chunks.append(spare)
        spare = []
    }

    /// Moves the ids of a single chunk, the first half of which is unused, to its beginning.
    private mutating func moveToFront() {
        assert(chunks.count == 1 && head > 0)
        for position in head..<end { self[position - head] = self[position] }
        restart(at: head)
    }

    /// Removes the first chunk, none of whose ids still waits, and keeps it as the spare one.
    private mutating func removeFirstChunk() {
        assert(head == Self.chunkSize, "ids of the first chunk still wait")
        spare = chunks.removeFirst()
        restart(at: Self.chunkSize)
    }

    /// Resets an empty queue; the first chunk is kept for the ids to come.
    private mutating func removeAll() {
        assert(head == end, "ids still wait")
        restart(at: end)
        if chunks.capacity <= Self.keptChunks { return }
        chunks = [chunks[0]]
        spare = []
    }

    /// Makes `position` the new position 0: the ids before it, all removed or moved, are not
    /// counted any more.
    private mutating func restart(at position: Int) {
        assert(position <= end)
        head -= min(head, position)
        end -= position
        lastBegin = max(0, lastBegin - position)
    }
}

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

extension ShuffledQueue {
    /// Checks that `head`, `lastBegin` and `end` are possible positions, and that the chunks reach
    /// to `end`.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head >= 0 && head <= end && lastBegin >= 0 && lastBegin <= end,
            otherwise: "the last fan-out begins at \(lastBegin) of \(head) ..< \(end)"
        )
        try checkInvariant(
            head < Self.chunkSize || head == 0,
            otherwise: "the head, \(head), is not in the first chunk"
        )
        let capacity = chunks.reduce(0) { $0 + $1.count }
        let isEven = chunks.count < 2 || chunks.allSatisfy { $0.count == Self.chunkSize }
        try checkInvariant(
            end <= capacity && isEven,
            otherwise: "\(end) positions lie in \(chunks.count) chunks of \(capacity) in all"
        )
    }

    /// Calls `body` with each id that waits, in the order of the queue.
    func visit(_ body: (WidgetID) -> Void) {
        var position = head
        while position < end {
            position += numbers(from: position) { ids in
                for index in ids.indices { body(ids[index]) }
            }
        }
    }
}

extension PacedQueue {
    /// Checks the queue of each rank.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("PacedQueue.urgent", by: urgent.checkInvariants())
        try checkPart("PacedQueue.visible", by: visible.checkInvariants())
        try checkPart("PacedQueue.other", by: other.checkInvariants())
    }

    /// Calls `body` with each id that waits, stale ones included, in the order of the queue.
    package func visit(_ body: (WidgetID) -> Void) {
        urgent.visit(body)
        visible.visit(body)
        other.visit(body)
    }
}
