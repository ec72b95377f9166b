internal import Basics
internal import CaptureFormat
internal import Platform
internal import StoreFormat

/// Reads the chunks of a recording on a thread of its own, ahead of the caller, which uses the
/// earlier ones meanwhile.
///
/// The thread starts with the first `take`, and waits while enough blocks are ready.
final class BlockReadAhead: @unchecked Sendable {
    /// The most blocks that may wait for the caller.
    private static var blockLimit: Int { 4 }
    /// The most bytes of records that may wait for the caller, unless a single block is larger.
    private static var byteLimit: Int { 8 << 20 }

    // Unchecked: the other vars are used under the monitor, and `thread` by the caller only.
    private let monitor = Monitor()
    private var ready: [CaptureBlock] = []
    private var readyByteCount = 0
    private var isStopped = false
    private var isEnded = false
    private var failure: CaptureError?
    private var foundCutOffByteCount = 0
    private var thread: JoinableThread?

    private let paths: [String]
    private let chunkByteLimit: Int

    init(paths: [String], byteLimit: Int) {
        self.paths = paths
        chunkByteLimit = byteLimit
    }

    // MARK: For the caller

    /// Waits for the next block and removes it; nil at the end, and after `stop`.
    func take() throws(CaptureError) -> CaptureBlock? {
        if monitor.locked({ isStopped }) { return nil }
        if thread == nil { thread = JoinableThread { self.run() } }
        let block = monitor.locked { () -> CaptureBlock? in
            while ready.isEmpty && !isEnded { monitor.wait() }
            if ready.isEmpty { return nil }
            monitor.wake()
            let block = ready.removeFirst()
            readyByteCount -= block.chunk.byteCount
            assert(
                readyByteCount >= 0 && (!ready.isEmpty || readyByteCount == 0),
                "waiting bytes are miscounted"
            )
            return block
        }
        if let block { return block }
        if let failure = monitor.locked({ failure }) { throw failure }
        return nil
    }

    /// Ends the thread; must be called before the last reference to this object is released.
    func stop() {
        monitor.locked {
            isStopped = true
            monitor.wake()
        }
        thread?.join()
        thread = nil
        monitor.locked {
            ready.removeAll()
            readyByteCount = 0
        }
    }

    /// Bytes at the ends of the files read so far that are no complete chunk.
    var cutOffByteCount: Int { monitor.locked { foundCutOffByteCount } }

    // MARK: On the thread

    private func run() {
        var failure: CaptureError?
        do throws(CaptureError) {
            try read()
        } catch {
            failure = error
        }
        monitor.locked {
            self.failure = failure
            isEnded = true
            monitor.wake()
        }
    }

    /// Reads all files, and adds their blocks until the caller stops.
    private func read() throws(CaptureError) {
        let decompressor = Decompressor()
        var time = RecordedTime.zero
        for path in paths {
            let input = try CaptureInput(path: path)
            while let block = try input.next(decompressor, byteLimit: chunkByteLimit) {
                if block.chunk.firstTime < time {
                    throw CaptureError(
                        .corrupt,
                        message:
                            "\(path): the chunk at byte \(block.offset) begins before the last one ends"
                    )
                }
                time = block.chunk.lastTime
                if !put(block) { return }
            }
            monitor.locked { foundCutOffByteCount += input.cutOffByteCount }
        }
    }

    /// Adds a block, waiting until there is capacity for it. Returns false if reading must stop.
    private func put(_ block: CaptureBlock) -> Bool {
        monitor.locked {
            while !isStopped && !hasRoom(for: block) { monitor.wait() }
            if isStopped { return false }
            assert(!isEnded, "a block is added after the end")
            ready.append(block)
            readyByteCount += block.chunk.byteCount
            monitor.wake()
            return true
        }
    }

    /// True if a block may be added; call it under the monitor.
    private func hasRoom(for block: CaptureBlock) -> Bool {
        ready.isEmpty
            || (ready.count < Self.blockLimit
                && readyByteCount + block.chunk.byteCount <= Self.byteLimit)
    }
}
