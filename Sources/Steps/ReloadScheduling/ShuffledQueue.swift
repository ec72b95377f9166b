internal import DataStructures

/// A first-in-first-out queue of numbers in which the numbers of one burst are in random order.
///
///     … [ burst 7, shuffled ][ burst 8, shuffled ][ the last burst, still growing ] …
///         ▲ head                                   ▲ lastBegin                     ▲ end
///     [ chunk 0: 512 numbers ][ chunk 1                 ][ chunk 2                 ]
///
/// Each new number changes places with a random waiting one of its burst, itself included (the
/// inside-out form of Fisher and Yates' shuffle): every order is as likely at any time. Positions
/// count from the begin of the first chunk. Nothing is moved when ten million join but the table of
/// the chunks, 160 KB.
///
/// An array of arrays, which hot paths do without elsewhere: so a copy of the queue, which a
/// checkpoint takes when it begins, shares all of its chunks, and one of those is copied when it
/// changes before the checkpoint has let go of it. Only the first chunk can be smaller: there may be
/// thousands of queues in which hardly anybody waits.
struct ShuffledQueue {
    static var firstCapacity: Int { 64 }
    private static var chunkBits: Int { 9 }
    static var chunkSize: Int { 1 << chunkBits }
    /// An empty queue keeps a table of so many chunks at most, and the spare one with it.
    private static var keptChunks: Int { 64 }

    private(set) var chunks: ContiguousArray<ContiguousArray<UInt32>> = []
    /// A chunk that is empty, so that a queue that goes up and down takes no new ones.
    private var spare: ContiguousArray<UInt32> = []
    private(set) var head = 0
    private(set) var end = 0
    /// Where the last burst begins, and its number.
    private(set) var lastBegin = 0
    private(set) var lastBurst: UInt64 = 0

    init() {}

    var count: Int { end - head }

    /// Bytes held from the system.
    var byteCount: Int {
        let numbers = chunks.reduce(spare.count) { $0 + $1.count }
        let stride = MemoryLayout<ContiguousArray<UInt32>>.stride
        return numbers * MemoryLayout<UInt32>.stride + chunks.capacity * stride
    }

    mutating func append(_ id: UInt32, burst: UInt64, _ random: inout SplitMix64) {
        if burst != lastBurst || head == end {
            lastBurst = burst
            lastBegin = end
        }
        makeRoom()
        let begin = max(lastBegin, head)
        let place = begin + random.below(end - begin + 1)
        self[end] = self[place]
        self[place] = id
        end += 1
    }

    mutating func popFirst() -> UInt32? {
        if head == end { return nil }
        let id = self[head]
        head += 1
        if head == end {
            removeAll()
        } else if head == Self.chunkSize {
            removeFirstChunk()
        }
        return id
    }

    /// Keeps the numbers for which `isKept` holds, in their order.
    mutating func keep(_ isKept: (UInt32) -> Bool) {
        var (kept, begin) = (head, head)
        for position in head..<end {
            if position == lastBegin { begin = kept }
            let id = self[position]
            if !isKept(id) { continue }
            if kept < position { self[kept] = id }
            kept += 1
        }
        if lastBegin >= end { begin = kept }
        (end, lastBegin) = (kept, begin)
        let needed = (end + Self.chunkSize - 1) >> Self.chunkBits
        if chunks.count > needed { chunks.removeLast(chunks.count - max(1, needed)) }
        if head == end { removeAll() }
    }

    /// As many numbers from a position on as lie side by side.
    func numbers(from position: Int, _ body: (Span<UInt32>) -> Void) -> Int {
        let start = position & (Self.chunkSize - 1)
        let count = min(Self.chunkSize - start, end - position)
        let chunk = chunks[position >> Self.chunkBits]
        body(chunk.span.extracting(start..<start + count))
        return count
    }

    /// A queue in which these wait.
    init(
        _ chunks: ContiguousArray<ContiguousArray<UInt32>>,
        count: Int,
        lastBegin: Int,
        burst: UInt64
    ) {
        self.chunks = chunks
        end = count
        self.lastBegin = lastBegin
        lastBurst = burst
    }

    // MARK: - Chunks

    private subscript(position: Int) -> UInt32 {
        @inline(__always) get {
            chunks[position >> Self.chunkBits][position & (Self.chunkSize - 1)]
        }
        @inline(__always) set {
            chunks[position >> Self.chunkBits][position & (Self.chunkSize - 1)] = newValue
        }
    }

    @inline(__always)
    private mutating func makeRoom() {
        let room = chunks.count > 1 ? chunks.count << Self.chunkBits : chunks.first?.count ?? 0
        if end == room { makeMoreRoom() }
    }

    @inline(never)
    private mutating func makeMoreRoom() {
        guard chunks.count == 1 else { return addChunk() }
        if head * 2 >= chunks[0].count {
            moveToFront()
        } else if chunks[0].count < Self.chunkSize {
            let room = repeatElement(0 as UInt32, count: chunks[0].count)
            chunks[0].append(contentsOf: room)
        } else {
            addChunk()
        }
    }

    private mutating func addChunk() {
        let size = chunks.isEmpty ? Self.firstCapacity : Self.chunkSize
        if spare.count != size { spare = ContiguousArray(repeating: 0, count: size) }
        chunks.append(spare)
        spare = []
    }

    /// Of a single chunk, half of which is free in front.
    private mutating func moveToFront() {
        for position in head..<end { self[position - head] = self[position] }
        restart(at: head)
    }

    private mutating func removeFirstChunk() {
        spare = chunks.removeFirst()
        restart(at: Self.chunkSize)
    }

    /// Nobody waits: the first chunk stays, for those who come next.
    private mutating func removeAll() {
        restart(at: end)
        if chunks.capacity <= Self.keptChunks { return }
        chunks = [chunks[0]]
        spare = []
    }

    /// Positions count from here on.
    private mutating func restart(at position: Int) {
        head -= min(head, position)
        end -= position
        lastBegin = max(0, lastBegin - position)
    }
}
