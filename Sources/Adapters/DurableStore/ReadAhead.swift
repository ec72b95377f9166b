internal import DataStructures
internal import Platform
internal import StoreFormat

/// The limits of `ReadAhead`.
struct ReadAheadLimits: Sendable {
    /// Bytes of records that go from thread to thread together; a longer record goes alone.
    ///
    /// All blocks together fit into a core's own cache, so what the reader has copied is still there
    /// when it is used.
    var blockByteCount = 256 << 10
    /// So many blocks there are, the one being filled and the one being used among them; then the
    /// reader waits.
    var blockCount = 4
}

/// Reads records on a thread of its own, while the one that wants them uses those before.
///
///     reader   put put put │ put put put │ …      full blocks ─► ─► ─►      use use use │ …   caller
///                                         ◄─ ◄─ ◄─ empty blocks
///
/// Whoever uses them sees nothing of the thread: the records come in their order, an error behind
/// all that were read before it, and when `handOut` returns or throws the thread has ended.
///
/// The two never wait for each other: the caller waits without a block, when none is full; the
/// reader without one, when all are full or the caller's.
final class ReadAhead: @unchecked Sendable {
    /// Records one after the other, each a key and a value behind their lengths.
    private final class Block {
        var records: StoreWriter

        init(capacity: Int) {
            records = StoreWriter(capacity: capacity)
        }
    }

    // Unchecked: the vars of the first group are used under the monitor, `filling` by the reader. A
    // block is used by whoever took it.
    private let monitor = Monitor()
    /// Oldest first.
    private var full: [Block] = []
    private var empty: [Block] = []
    /// Blocks that may still be made.
    private var unmadeCount: Int
    /// Nothing more is wanted.
    private var isStopped = false
    /// Nothing more comes.
    private var isEnded = false
    /// What has ended it before its time.
    private var failure: StoreError?

    private var filling: Block?

    private let limits: ReadAheadLimits
    private let read: (ReadAhead) throws(StoreError) -> Void

    /// - Parameters:
    ///   - limits: how far it may be ahead.
    ///   - read: runs on the reader; it puts all records, and returns when `put` says so.
    init(
        limits: ReadAheadLimits = ReadAheadLimits(),
        _ read: @escaping (ReadAhead) throws(StoreError) -> Void
    ) {
        precondition(limits.blockCount >= 1, "records must lie somewhere")
        self.limits = limits
        self.read = read
        unmadeCount = limits.blockCount
        full.reserveCapacity(limits.blockCount)
        empty.reserveCapacity(limits.blockCount)
    }

    /// Hands out all records, on the thread of the caller; the views are valid during the call.
    ///
    /// To be called once.
    ///
    /// - Throws: what `read` throws, and what `body` throws; that ends the reading.
    func handOut(
        _ body: (_ key: ByteView, _ value: ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let thread = JoinableThread { self.run() }
        defer {
            stop()
            thread.join()
        }
        while let block = takeFull() {
            var records = StoreReader(block.records.bytes)
            while !records.isAtEnd { try body(records.readCounted(), records.readCounted()) }
            giveBack(block)
        }
        if let failure = monitor.locked({ failure }) { throw failure }
    }

    // MARK: What the caller does

    /// The oldest full block, waited for; nil if nothing more comes.
    private func takeFull() -> Block? {
        monitor.locked {
            while full.isEmpty && !isEnded { monitor.wait() }
            return full.isEmpty ? nil : full.removeFirst()
        }
    }

    private func giveBack(_ block: Block) {
        // One that a long record has filled is let go: its memory would never be needed again.
        let isOrdinary = block.records.capacity <= limits.blockByteCount
        if isOrdinary { block.records.clear() }
        monitor.locked {
            if isOrdinary { empty.append(block) } else { unmadeCount += 1 }
            monitor.wake()
        }
    }

    private func stop() {
        monitor.locked {
            isStopped = true
            monitor.wake()
        }
    }

    // MARK: What the reader does

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

    /// Copies a record; only `read` may call it.
    ///
    /// - Returns: whether to go on.
    func put(_ key: ByteView, _ value: ByteView) -> Bool {
        let byteCount = Self.lengthByteCount + key.count + value.count
        guard let block = block(for: byteCount) else { return false }
        block.records.put(counted: key)
        block.records.put(counted: value)
        return true
    }

    /// The most that the lengths of key and value take.
    private static var lengthByteCount: Int { 2 * 10 }

    /// The block that has room for so many bytes, or is empty; nil if nothing more is wanted.
    private func block(for byteCount: Int) -> Block? {
        if let filling {
            let hasRoom = filling.records.count + byteCount <= limits.blockByteCount
            if hasRoom || filling.records.isEmpty { return filling }
        }
        filling = exchange(filling)
        return filling
    }

    /// Lets a block be used and takes an empty one, waited for; nil if nothing more is wanted.
    private func exchange(_ block: Block?) -> Block? {
        monitor.locked {
            if let block {
                full.append(block)
                monitor.wake()
            }
            while empty.isEmpty && unmadeCount == 0 && !isStopped { monitor.wait() }
            if isStopped { return nil }
            if let block = empty.popLast() { return block }
            unmadeCount -= 1
            return Block(capacity: limits.blockByteCount)
        }
    }
}
