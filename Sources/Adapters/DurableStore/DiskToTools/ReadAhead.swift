internal import Basics
internal import Platform
internal import StoreFormat

/// How far a `ReadAhead` reads ahead.
struct ReadAheadLimits: Sendable {
    /// The most bytes of records that are passed between the threads at a time; a longer record is
    /// passed alone.
    ///
    /// All blocks together fit into a core's own cache, so that what the reader has copied is still
    /// in the cache when the caller uses it.
    var blockByteCount = 256 << 10
    /// The number of blocks, including the one being filled and the one being used; when all are in
    /// use, the reader waits.
    var blockCount = 4
}

/// Reads records on a thread of its own, while the caller uses earlier ones.
///
///     reader   put put put │ put put put │ …     full blocks ─► ─► ─►     use use use │ …   caller
///                                           ◄─ ◄─ ◄─ empty blocks
///
/// For the caller it is as if it read the records itself: they come in order, an error comes after
/// all records read before it, and the thread has ended when `forEachRecord` returns or throws.
///
/// The two never deadlock: the caller waits only while it has no block and none is full; the reader
/// waits only while it has none, and all are full or with the caller.
final class ReadAhead: @unchecked Sendable {
    /// Records in sequence, each a key and a value with their lengths.
    private final class Block {
        var records: StoreWriter

        init(capacity: Int) { records = StoreWriter(capacity: capacity) }
    }

    // Unchecked: the vars of the first group are used under the monitor, `filling` by the reader. A
    // block is used only by the side that has removed it from its list.
    private let monitor = Monitor()
    /// The blocks that the caller has not used yet, oldest first.
    private var full: [Block] = []
    private var empty: [Block] = []
    /// The number of blocks that may still be allocated.
    private var unmadeCount: Int
    /// True once the caller needs no more records.
    private var isStopped = false
    /// True once the reader has ended.
    private var isEnded = false
    /// The error with which the reader has ended.
    private var failure: StoreError?

    /// The block that the reader fills.
    private var filling: Block?

    private let limits: ReadAheadLimits
    private let read: (ReadAhead) throws(StoreError) -> Void

    /// Prepares the reading, which `forEachRecord` begins. `read` runs on the reader's thread; it
    /// calls `put` for each record, and returns when that returns false.
    init(
        limits: ReadAheadLimits = ReadAheadLimits(),
        read: @escaping (ReadAhead) throws(StoreError) -> Void
    ) {
        precondition(limits.blockCount >= 1, "records must lie somewhere")
        self.limits = limits
        self.read = read
        unmadeCount = limits.blockCount
        full.reserveCapacity(limits.blockCount)
        empty.reserveCapacity(limits.blockCount)
    }

    /// Calls `body` for all records, on the caller's thread; views are valid during the call. To be
    /// called once. Throws errors of `read` and of `body`; an error of `body` also ends the
    /// reading.
    func forEachRecord(
        _ body: (_ key: ByteView, _ value: ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        assert(!monitor.locked { isStopped }, "the records were read already")
        let thread = JoinableThread { self.run() }
        defer {
            stop()
            thread.join()
        }
        while let block = takeFull() {
            var records = StoreReader(block.records.bytes)
            while !records.isAtEnd { try body(records.readCounted(), records.readCounted()) }
            recycle(block)
        }
        if let failure = monitor.locked({ failure }) { throw failure }
    }

    // MARK: On the caller's thread

    /// Waits for the oldest full block and removes it; nil if no more come.
    private func takeFull() -> Block? {
        monitor.locked {
            while full.isEmpty && !isEnded { monitor.wait() }
            return full.isEmpty ? nil : full.removeFirst()
        }
    }

    /// Returns a block that the caller has used to the reader.
    private func recycle(_ block: Block) {
        // A block that grew for a long record is released: so much memory is rarely needed.
        let isOrdinary = block.records.capacity <= limits.blockByteCount
        if isOrdinary { block.records.clear() }
        monitor.locked {
            if isOrdinary { empty.append(block) } else { unmadeCount += 1 }
            assert(
                full.count + empty.count + unmadeCount <= limits.blockCount,
                "there are more blocks than the limit allows"
            )
            monitor.wake()
        }
    }

    /// Makes the reader stop at its next record.
    private func stop() {
        monitor.locked {
            isStopped = true
            monitor.wake()
        }
    }

    // MARK: On the reader's thread

    private func run() {
        var failure: StoreError?
        do throws(StoreError) {
            try read(self)
        } catch {
            failure = error
        }
        let last = filling
        filling = nil
        monitor.locked {
            if let last { full.append(last) }
            self.failure = failure
            isEnded = true
            monitor.wake()
        }
    }

    /// Adds a copy of a record; only `read` may call it. Returns false if reading must stop.
    func put(_ key: ByteView, value: ByteView) -> Bool {
        let byteCount = Self.lengthByteCount + key.count + value.count
        guard let block = block(for: byteCount) else { return false }
        block.records.put(counted: key)
        block.records.put(counted: value)
        return true
    }

    /// The most bytes that the lengths of a key and a value take.
    private static var lengthByteCount: Int { 2 * 10 }

    /// Returns a block with capacity for these bytes, or an empty one; nil if reading must stop.
    private func block(for byteCount: Int) -> Block? {
        if let filling {
            let hasRoom = filling.records.count + byteCount <= limits.blockByteCount
            if hasRoom || filling.records.isEmpty { return filling }
        }
        filling = exchange(filling)
        return filling
    }

    /// Passes a block to the caller and waits for an empty one; nil if reading must stop.
    private func exchange(_ block: Block?) -> Block? {
        monitor.locked {
            if let block {
                assert(!block.records.isEmpty, "the caller would get an empty block")
                full.append(block)
                monitor.wake()
            }
            while empty.isEmpty && unmadeCount == 0 && !isStopped { monitor.wait() }
            if isStopped { return nil }
            if let block = empty.popLast() {
                assert(block.records.isEmpty, "a block is used again that still has records")
                return block
            }
            unmadeCount -= 1
            return Block(capacity: limits.blockByteCount)
        }
    }
}
