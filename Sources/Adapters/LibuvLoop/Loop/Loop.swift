package import Basics
internal import CLibuv
internal import Glibc

/// A libuv event loop, and the memory that its connections share.
///
/// Everything made on a loop belongs to the thread that runs it. Other threads can reach it only
/// through `LoopWakeup`.
@safe
package final class Loop {
    private let memory: UnsafeMutablePointer<uv_loop_t>
    /// The loop, to run it and to open handles on it; traps once it is closed.
    var pointer: UnsafeMutablePointer<uv_loop_t> {
        precondition(!isClosed, "the loop is closed")
        return unsafe memory
    }
    /// The memory into which all connections read; the bytes are parsed there before the next read.
    let slab: UnsafeMutableRawPointer
    /// The size of the slab in bytes: the most that one read can bring, together with the kept
    /// beginning of a frame.
    package static var slabBytes: Int { 1 << 20 }
    /// The most bytes of one read, at least one; less than the slab holds if owners must keep what
    /// they cannot consume.
    package var readLimit = slabBytes
    /// True while input is read and connections are accepted.
    ///
    /// While it is false, the owner of a connection with input gets `connectionHasDeferredInput`
    /// instead, and new connections stay with the kernel until `acceptWaiting`. So an iteration of
    /// the loop ends in time, however many connections are ready.
    package var takesInput = true
    /// True while connections are accepted; those that arrive while it is false wait for
    /// `acceptWaiting`.
    package var accepts = true
    /// True while TLS handshakes are continued, each step of which may cost as much as a thousand
    /// frames; while it is false, their input is treated as all input is while `takesInput` is
    /// false.
    package var takesHandshakes = true
    private var encryptedMemory: UnsafeMutableRawPointer?
    /// The memory into which connections with TLS read, as large as the slab; made at the first
    /// use.
    var encryptedSlab: UnsafeMutableRawPointer {
        if let memory = unsafe encryptedMemory { return unsafe memory }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.slabBytes, alignment: 4_096)
        unsafe encryptedMemory = unsafe memory
        return unsafe memory
    }
    /// Limits reads so that connections with much input do not delay the others; nil without a
    /// `LoopHook`, which reports the end of each iteration.
    var reads: ReadShare?
    let chunks = ChunkPool()
    /// Measures the loop's callbacks.
    package let meter = LoopMeter()
    /// The buffer list of a gathered write; used within one call.
    let buffers: UnsafeMutablePointer<uv_buf_t>
    /// The most buffers in one write.
    static var buffersPerWrite: Int { 64 }
    /// The handle that performs deferred work (`Loop+Deferred.swift`); `handleCount` omits it.
    let idle = UnsafeMutablePointer<uv_idle_t>.allocate(capacity: 1)
    /// The connections with work for the next iteration.
    var deferred: [TCPConnection] = []
    /// The connections whose work is performed in this iteration.
    var performing: [TCPConnection] = []
    private var isClosed = false
    /// True while libuv runs, and may call back.
    private var isRunning = false

    /// The bytes of output of all connections that the kernel has not accepted yet.
    package var outputByteCount: Int { unsent }
    /// The bytes of memory that the output of all connections takes.
    package var outputMemoryByteCount: Int { chunks.usedByteCount }
    /// The value of `outputByteCount`; see `TCPConnection.unsent` for why it is separate.
    var unsent = 0
    /// Returns memory for output that was not needed lately to the system; to be called now and
    /// then, such as every second.
    package func trimOutputMemory() { chunks.trim() }
    /// The bytes of output of all connections that the kernel has accepted.
    package internal(set) var sentByteCount: UInt64 = 0
    /// The bytes of memory that the kept input of all connections takes.
    package internal(set) var keptInputByteCount = 0
    /// The limit of `keptInputByteCount`. Reads become smaller as it is approached (`inputShare`),
    /// but the owner must enforce it.
    package var inputLimit = Int.max

    /// The most bytes of the next read, all of which may have to be kept: a sixteenth of what is
    /// free below `inputLimit`.
    ///
    /// So a few connections that keep much never use up all of the limit, and later ones still get
    /// a share. It is never less than a page: reading continues even at the limit, and the owner
    /// must free memory.
    var inputShare: Int { max(4_096, (inputLimit - keptInputByteCount) / 16) }

    /// Creates a loop without handles. Throws libuv's error, such as `EMFILE` if the process has no
    /// file descriptor left.
    package init() throws(UVError) {
        let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        let status = unsafe uv_loop_init(loop)
        if status < 0 {
            unsafe loop.deallocate()
            throw UVError(code: status)
        }
        unsafe memory = unsafe loop
        unsafe slab = .allocate(byteCount: Self.slabBytes, alignment: 4_096)
        unsafe buffers = .allocate(capacity: Self.buffersPerWrite)
        // Unretained: the loop outlives what it calls back.
        unsafe loop.pointee.data = unsafe Unmanaged.passUnretained(meter).toOpaque()
        Self.ignoreBrokenPipeSignal()
        openIdle()
    }

    deinit {
        if !isClosed {
            // A handle that was never closed may still be used: leaking is better than freeing.
            guard handleCount == 0 else { return }
            closeIdle()
            _ = unsafe uv_loop_close(pointer)
        }
        unsafe idle.deallocate()
        unsafe slab.deallocate()
        unsafe encryptedMemory?.deallocate()
        unsafe buffers.deallocate()
        unsafe memory.deallocate()
    }

    /// Makes the system report a vanished peer by a failed write and not by SIGPIPE, unless the
    /// program that contains this library has set its own action for the signal.
    private static func ignoreBrokenPipeSignal() {
        var action = sigaction()
        guard unsafe sigaction(SIGPIPE, nil, &action) == 0,
            unsafe action.__sigaction_handler.sa_handler == nil
        else { return }
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Runs until no handle is open, or until `stop`. Traps if the loop is running already.
    package func run() throws(UVError) { try UVError.check(run(UV_RUN_DEFAULT)) }

    /// Lets libuv run, which must not be called from its own callbacks; returns libuv's result.
    func run(_ mode: uv_run_mode) -> CInt {
        precondition(!isRunning, "the loop is running already")
        isRunning = true
        defer { isRunning = false }
        return unsafe uv_run(pointer, mode)
    }

    /// Runs one iteration: calls back for everything that is ready. With `waits`, it waits until
    /// something is, if nothing is; a timer that is due when the iteration begins does not end the
    /// wait, unless it repeats. Throws libuv's error.
    ///
    /// For callers whose own clock is finer than the loop's timers.
    package func tick(waits: Bool) throws(UVError) {
        try UVError.check(run(waits ? UV_RUN_ONCE : UV_RUN_NOWAIT))
    }

    /// Makes `run` return after the current iteration, even if handles are open.
    package func stop() { unsafe uv_stop(memory) }

    /// Closes the loop; a second call does nothing. Traps if the loop is running. Throws `EBUSY` if
    /// a handle is still open, which is a bug of the code that opened it.
    package func close() throws(UVError) {
        if isClosed { return }
        precondition(!isRunning, "the loop is closed while it runs")
        let count = handleCount
        assert(count == 0, "a handle is still open when its loop ends")
        if count > 0 { throw UVError(code: UV_EBUSY.rawValue) }
        closeIdle()
        try UVError.check(unsafe uv_loop_close(pointer))
        isClosed = true
    }

    /// The time of the monotonic clock at the beginning of this iteration.
    package var now: MonotonicTime { unsafe MonotonicTime(rawValue: Int64(uv_now(memory))) }

    /// How long this iteration would wait for input; nil if there is no limit.
    var wait: Milliseconds? {
        let number = unsafe uv_backend_timeout(pointer)
        return number < 0 ? nil : .milliseconds(Int64(number))
    }

    /// The number of open handles, without the loop's own one.
    package var handleCount: Int {
        if isClosed { return 0 }
        var count = 0
        unsafe withUnsafeMutablePointer(to: &count) { count in
            unsafe uv_walk(
                memory,
                { _, count in
                    unsafe count!.assumingMemoryBound(to: Int.self).pointee += 1
                },
                count
            )
        }
        return count - 1
    }
}

/// Raises the limit of open files as far as the system allows. Returns the limit now; 1,024 if the
/// system does not report it.
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
