internal import CaptureFormat
internal import Platform
internal import StoreFormat

/// Reads chunks on a thread of its own, while those before are used.
///
/// The thread waits when so many are ready; it begins with the first `take`.
final class BlockReadAhead: @unchecked Sendable {
    /// So many blocks are ready at most, and so many bytes unless it is one.
    private static var blockLimit: Int { 4 }
    private static var byteLimit: Int { 8 << 20 }

    // Unchecked: the vars are used under the monitor, `thread` by whoever takes.
    private let monitor = Monitor()
    private var ready: [CaptureBlock] = []
    private var readyByteCount = 0
    private var isStopped = false
    private var isEnded = false
    private var failure: CaptureError?
    private var foundCutOff = 0
    private var thread: JoinableThread?

    private let paths: [String]
    private let chunkByteLimit: Int

    init(paths: [String], byteLimit: Int) {
        self.paths = paths
        chunkByteLimit = byteLimit
    }

    // MARK: What the caller does

    /// The next block; nil at the end, also if it was stopped.
    func take() throws(CaptureError) -> CaptureBlock? {
        if thread == nil { thread = JoinableThread { self.run() } }
        let block = monitor.locked { () -> CaptureBlock? in
            while ready.isEmpty && !isEnded { monitor.wait() }
            if ready.isEmpty { return nil }
            monitor.wake()
            let block = ready.removeFirst()
            readyByteCount -= block.chunk.byteCount
            return block
        }
        if let block { return block }
        if let failure = monitor.locked({ failure }) { throw failure }
        return nil
    }

    /// Ends the thread; to be called at the end.
    func stop() {
        monitor.locked {
            isStopped = true
            monitor.wake()
        }
        thread?.join()
        thread = nil
    }

    var cutOff: Int { monitor.locked { foundCutOff } }

    // MARK: What the thread does

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

    private func read() throws(CaptureError) {
        let decompressor = Decompressor()
        var time: UInt64 = 0
        for path in paths {
            let input = try CaptureInput(path: path)
            while let block = try input.next(decompressor, byteLimit: chunkByteLimit) {
                if block.chunk.firstTime < time {
                    throw CaptureError(
                        .corrupt,
                        "\(path): the chunk at byte \(block.offset) begins before the last one ends"
                    )
                }
                time = block.chunk.lastTime
                if !put(block) { return }
            }
            monitor.locked { foundCutOff += input.cutOff }
        }
    }

    /// Lets a block be taken, when there is room.
    ///
    /// - Returns: whether to go on.
    private func put(_ block: CaptureBlock) -> Bool {
        monitor.locked {
            while !isStopped && !hasRoom(for: block) { monitor.wait() }
            if isStopped { return false }
            ready.append(block)
            readyByteCount += block.chunk.byteCount
            monitor.wake()
            return true
        }
    }

    /// Under the monitor.
    private func hasRoom(for block: CaptureBlock) -> Bool {
        ready.isEmpty
            || (ready.count < Self.blockLimit
                && readyByteCount + block.chunk.byteCount <= Self.byteLimit)
    }
}
