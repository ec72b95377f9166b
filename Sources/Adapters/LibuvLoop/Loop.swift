internal import CLibuv
internal import Glibc

/// A libuv event loop, and the memory that its connections share.
///
/// Everything made on a loop belongs to the thread that runs it; the one door from other threads is
/// `LoopWakeup`.
@safe
package final class Loop {
    let pointer: UnsafeMutablePointer<uv_loop_t>
    /// Where all connections read to: one slab, parsed in place before the next read.
    let slab: UnsafeMutableRawPointer
    /// Bytes that one read can bring, with what was left of the frame before.
    package static var slabBytes: Int { 1 << 20 }
    /// Bytes that one read brings at most: less than the slab holds if owners keep what is read.
    package var readLimit = slabBytes
    /// Whether anything is read and anybody accepted.
    ///
    /// While it is false, the owner of a connection that has something to say is told
    /// `connectionWaits` instead, and a listener leaves who comes with the kernel until
    /// `acceptWaiting`: so a turn of the loop ends in time, however many are ready.
    package var takesInput = true
    /// Whether connections are accepted; those that come meanwhile wait for `acceptWaiting`.
    package var accepts = true
    /// The same so that those who send much do not keep others waiting; nil without a `LoopHook`, which
    /// tells it of the ends of turns.
    var reads: ReadShare?
    let chunks = ChunkPool()
    /// Scratch for gathered writes.
    let buffers: UnsafeMutablePointer<uv_buf_t>
    static var buffersPerWrite: Int { 64 }
    /// The loop's own handle, for `Loop+Deferred.swift`; `handleCount` leaves it out.
    let idle = UnsafeMutablePointer<uv_idle_t>.allocate(capacity: 1)
    var deferred: [TCPConnection] = []
    var performing: [TCPConnection] = []
    private var isClosed = false

    /// Output of all connections that the kernel has not taken yet, in bytes.
    package var outputByteCount: Int { unsent }
    /// The same; see `TCPConnection.unsent`.
    var unsent = 0
    /// Output of all connections that the kernel has taken, in bytes.
    package internal(set) var sentByteCount: UInt64 = 0
    /// Memory of the input that all connections keep, in bytes.
    package internal(set) var keptInputByteCount = 0
    /// What `keptInputByteCount` should not exceed; see `inputShare`.
    package var inputLimit = Int.max

    /// Bytes that the next read may bring, all of which may have to be kept: a sixteenth of what is
    /// free.
    ///
    /// So few who keep much never take all of it, and whoever comes then still has a share. Never less
    /// than a page: reading must go on, and the owner makes room.
    var inputShare: Int { max(4_096, (inputLimit - keptInputByteCount) / 16) }

    package init() throws(UVError) {
        let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        let status = unsafe uv_loop_init(loop)
        if status < 0 {
            unsafe loop.deallocate()
            throw UVError(code: status)
        }
        unsafe pointer = unsafe loop
        unsafe slab = .allocate(byteCount: Self.slabBytes, alignment: 4_096)
        unsafe buffers = .allocate(capacity: Self.buffersPerWrite)
        Self.ignoreBrokenPipeSignal()
        openIdle()
    }

    deinit {
        if !isClosed {
            // A handle that was never closed may still be used: better to leak than to free.
            guard handleCount == 0 else { return }
            closeIdle()
            _ = unsafe uv_loop_close(pointer)
        }
        unsafe idle.deallocate()
        unsafe slab.deallocate()
        unsafe buffers.deallocate()
        unsafe pointer.deallocate()
    }

    /// Makes the system tell of vanished peers by the write that fails, not by a signal; unless the
    /// program, of which this may be a library, has chosen what the signal does.
    private static func ignoreBrokenPipeSignal() {
        var action = sigaction()
        guard unsafe sigaction(SIGPIPE, nil, &action) == 0,
            unsafe action.__sigaction_handler.sa_handler == nil
        else { return }
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Runs until no handle is open.
    package func run() throws(UVError) {
        try UVError.check(unsafe uv_run(pointer, UV_RUN_DEFAULT))
    }

    /// Runs one turn: does what is ready.
    ///
    /// For those whose own clock is finer than the loop's timers.
    ///
    /// - Parameter waits: whether to wait until something is ready, if nothing is. A timer that is
    ///   due when the turn begins does not end the wait, unless it repeats.
    /// - Throws: what the system says.
    package func turn(waits: Bool) throws(UVError) {
        try UVError.check(unsafe uv_run(pointer, waits ? UV_RUN_ONCE : UV_RUN_NOWAIT))
    }

    /// Makes `run` return after the current turn, with handles still open.
    package func stop() {
        unsafe uv_stop(pointer)
    }

    /// Ends the loop.
    ///
    /// - Throws: `EBUSY` if a handle has not been closed, which is a bug of whoever opened it.
    package func close() throws(UVError) {
        if isClosed { return }
        let count = handleCount
        assert(count == 0, "a handle is still open when its loop ends")
        if count > 0 { throw UVError(code: UV_EBUSY.rawValue) }
        closeIdle()
        try UVError.check(unsafe uv_loop_close(pointer))
        isClosed = true
    }

    /// Milliseconds of a monotonic clock, as of the beginning of this turn.
    package var now: UInt64 { unsafe uv_now(pointer) }

    /// How long this turn would wait for input, in ms; -1 is without end.
    var waitMilliseconds: Int { unsafe Int(uv_backend_timeout(pointer)) }

    /// How many handles are open.
    package var handleCount: Int {
        var count = 0
        unsafe withUnsafeMutablePointer(to: &count) { count in
            unsafe uv_walk(
                pointer,
                { _, count in
                    unsafe count!.assumingMemoryBound(to: Int.self).pointee += 1
                },
                count
            )
        }
        return count - (isClosed ? 0 : 1)
    }
}

@available(*, unavailable)
extension Loop: Sendable {}

/// Allows as many open files as the system lets this process have.
///
/// - Returns: how many that are.
@discardableResult
package func raiseFileDescriptorLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return 1_024
    }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
}
