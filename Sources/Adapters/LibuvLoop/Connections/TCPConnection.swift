package import Basics
internal import CLibuv
package import Cryptography

/// Receives the events of TCP connections. All methods are called on the loop's thread.
package protocol ConnectionOwner: AnyObject {
    /// A connection that this side opened is established, its TLS handshake included.
    func connectionOpened(_ connection: TCPConnection)
    /// A step of a TLS handshake has been taken, which may have failed or been the last one.
    ///
    /// - Parameters:
    ///   - connection: the connection; its `security` says how far the handshake is.
    ///   - duration: what the step has cost.
    func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds)
    /// A read on an established TLS session has brought messages of TLS itself, such as new keys.
    func connection(_ connection: TCPConnection, gotSecurityMessages count: Int)
    /// Bytes have arrived; they include those left over last time, and are valid until the method
    /// returns. With TLS, what has arrived may be no more than a part of a record, or a message of
    /// TLS itself, so that these are only the bytes left over, or none. Returns number of bytes
    /// that were used; the rest is kept and offered again with the next bytes.
    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int
    /// The connection has input while the loop's `takesInput` is false. Called again in each
    /// iteration, unless the owner pauses the connection.
    func connectionHasDeferredInput(_ connection: TCPConnection)
    /// The peer has ended its side (`error` is nil), or the connection is broken. The owner must
    /// then close it. Until then, the connection's output is still written, and this is called once
    /// more if that fails.
    func connectionEnded(_ connection: TCPConnection, error: UVError?)
    /// Output that the kernel did not accept at once has shrunk to the drain threshold.
    func connectionDrained(_ connection: TCPConnection)
    /// The handle is closed; no more calls follow.
    func connectionClosed(_ connection: TCPConnection)
}

extension ConnectionOwner {
    /// For an owner that opens no connections, or does not wait for them.
    package func connectionOpened(_ connection: TCPConnection) {}
    /// For an owner that does not limit handshakes.
    package func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {}
    /// For an owner that trusts its peers.
    package func connection(_ connection: TCPConnection, gotSecurityMessages count: Int) {}
    /// For an owner whose loop always takes input.
    package func connectionHasDeferredInput(_ connection: TCPConnection) {}
    /// For an owner that does not wait for output to drain.
    package func connectionDrained(_ connection: TCPConnection) {}
    /// For an owner that keeps nothing until the handle is closed.
    package func connectionClosed(_ connection: TCPConnection) {}
}

/// One TCP connection, with or without TLS: reads into the loop's slab, and writes its output
/// gathered, once per tick.
@safe
package final class TCPConnection {
    /// The loop on which the connection lives.
    package let loop: Loop
    let handle = unsafe HandleMemory<uv_tcp_t>()
    /// Receives the connection's events. Unowned, because it is called for each read; the handle
    /// keeps it alive until it is closed.
    unowned(unsafe) let owner: any ConnectionOwner

    /// The TLS session; nil if bytes are sent as they are.
    package internal(set) var security: TLSSession?
    /// Why TLS has failed; nil while it has not.
    package internal(set) var securityError: TLSError?
    /// True for the side that opened the connection, until it is established.
    var isOpening = false
    /// The output that TLS has yet to encrypt, from the first to the last chunk.
    var firstPlainChunk: UnsafeMutablePointer<OutputChunk>?
    var lastPlainChunk: UnsafeMutablePointer<OutputChunk>?
    /// True once TLS has announced to the peer that this side's output ends.
    var hasEndedSecurity = false

    /// The owner's own number for the connection.
    package var slot = UInt32.max
    /// The bytes of output at which `connectionDrained` is called, after there was more.
    package var drainThreshold = 512 << 10
    /// The most bytes of one read, at least one, even if the loop allows more.
    package var readLimit = Loop.slabBytes
    /// What lets the connection's input wait together with that of others; nil if nothing does.
    package var gate: InputGate?
    /// True if the kept input is only the beginning of a frame; the owner sets it while input is
    /// offered.
    ///
    /// Such input is not offered again before more has arrived.
    package var keepsPartialFrame = false
    /// The bytes of output that the kernel has not accepted yet.
    package var outputByteCount: Int { unsent }
    /// The bytes of `outputByteCount` that libuv has not written yet. They shrink with each write,
    /// whereas `outputByteCount` shrinks when a request is complete, which may take many.
    package var queuedByteCount: Int {
        isClosing ? 0 : unsafe uv_stream_get_write_queue_size(handle.stream)
    }
    /// The bytes of output since the connection was opened.
    package var writtenByteCount: UInt64 { written }
    /// True between `startReading` and a pause or the end.
    package internal(set) var isReading = false
    /// True while libuv reads; false while left-over bytes are still to be offered.
    var isStreaming = false
    /// True after a read that reached its limit: the next one must wait for the next iteration.
    var defersNextRead = false
    /// The most bytes that the present read can bring.
    var offeredCount = 0
    private(set) var isClosing = false

    /// Left-over input: the beginning of a frame, or bytes that the owner has not used.
    var partialFrame: UnsafeMutableRawPointer?
    var partialFrameCapacity = 0
    /// The bytes of left-over input.
    package internal(set) var partialFrameCount = 0

    /// The bytes of memory that the left-over input takes.
    package var keptInputByteCount: Int { partialFrameCapacity }

    // What is written for every frame is kept apart from the accessors above: writes to a property
    // that other modules can reach are checked for exclusive access at run time.
    var unsent = 0
    var written: UInt64 = 0
    /// The value of `holdsSecrets`.
    var erasesMemory = false
    // The output, from the first to the last chunk; its first `inFlight` bytes belong to the write
    // request.
    var firstChunk: UnsafeMutablePointer<OutputChunk>?
    var lastChunk: UnsafeMutablePointer<OutputChunk>?
    /// The number of bytes of the write request that libuv is performing; 0 if there is none.
    var inFlight = 0
    let writeRequest = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    var shutdownRequest: UnsafeMutablePointer<uv_shutdown_t>?
    /// True once this side's output is to end as soon as all of it is written.
    var shutdownWanted = false
    /// True if output has been above `drainThreshold` since the last call of `connectionDrained`.
    var wasAboveThreshold = false

    /// What broke the connection; nil while it works.
    var failure: UVError?
    /// True once the end was reported to the owner.
    private(set) var hasEnded = false
    /// True once the owner knows that the connection is broken.
    private var hasReportedFailure = false
    /// True while input is offered to the owner.
    var isOffering = false
    /// True while input is offered to the owner, which therefore must not discard it.
    ///
    /// Separate from `isOffering`, which every read writes: writes to a property that other modules
    /// can reach are checked for exclusive access at run time.
    package var isInputOffered: Bool { isOffering }
    /// True while left-over input is offered, with nothing newly read.
    package internal(set) var isOfferingPartialFrame = false
    private(set) var deferredWork: DeferredWork = []

    /// What must wait for the next iteration of the loop.
    struct DeferredWork: OptionSet {
        let rawValue: UInt8
        static var offerPartialFrame: DeferredWork { DeferredWork(rawValue: 1) }
        static var reportDrained: DeferredWork { DeferredWork(rawValue: 2) }
        static var reportFailure: DeferredWork { DeferredWork(rawValue: 4) }
    }

    init(_ loop: Loop, owner: any ConnectionOwner) throws(UVError) {
        self.loop = loop
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_tcp_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self, owner: owner)
    }

    deinit {
        assert(isClosing && unsent == 0, "a connection is released before it is closed")
        unsafe writeRequest.deallocate()
        unsafe shutdownRequest?.deallocate()
        freePartialFrame()
        unsafe loop.chunks.give(all: firstChunk, erases: erasesMemory)
        unsafe loop.chunks.give(all: firstPlainChunk, erases: erasesMemory)
    }

    /// Opens a connection. The owner gets `connectionOpened`, or `connectionEnded` with the reason.
    ///
    /// - Parameters:
    ///   - loop: the loop of the connection.
    ///   - address: the peer's address.
    ///   - source: this side's address, with port 0; nil to let the system choose. One address has
    ///     about 28,000 ports for connections to one peer.
    ///   - security: the TLS session, of a client; nil to send bytes as they are.
    ///   - owner: receives the connection's events.
    /// - Returns: the connection, which is not established yet.
    /// - Throws: an error that is known at once.
    package static func connect(
        _ loop: Loop,
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        security: TLSSession? = nil,
        owner: any ConnectionOwner
    ) throws(UVError) -> TCPConnection {
        let connection = try TCPConnection(loop, owner: owner)
        connection.isOpening = true
        connection.security = security
        // The first message of the handshake.
        security?.takeOutput { connection.appendToWire($0) }
        if let source {
            let status = unsafe source.withSockaddr { address in
                unsafe uv_tcp_bind(connection.handle.pointer, address, 0)
            }
            if status < 0 {
                connection.close()
                throw UVError(code: status)
            }
        }
        let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
        let status = unsafe address.withSockaddr { address in
            unsafe uv_tcp_connect(request, connection.handle.pointer, address) { request, status in
                let connection = unsafe object(
                    TCPConnection.self,
                    data: request!.pointee.handle.pointee.data
                )
                unsafe request!.deallocate()
                connection.loop.meter.begin(.connect)
                connection.connected(status)
                connection.loop.meter.end()
            }
        }
        if status < 0 {
            unsafe request.deallocate()
            connection.close()
            throw UVError(code: status)
        }
        return connection
    }

    /// libuv's connect callback: reports the connection, or why there is none.
    private func connected(_ status: CInt) {
        if isClosing { return }
        if status < 0 {
            end(UVError(code: status))
        } else if security == nil {
            opened()
        } else {
            flush()
            resumeReading()
        }
    }

    /// Reports that the connection, which this side opened, is established.
    func opened() {
        isOpening = false
        unsafe owner.connectionOpened(self)
    }

    /// Sends small writes at once instead of gathering more (disables Nagle's algorithm).
    package func setNoDelay() {
        if !isClosing { _ = unsafe uv_tcp_nodelay(handle.pointer, 1) }
    }

    /// The peer's address; nil once the connection is closing or broken.
    package var remoteSocketAddress: SocketAddress? {
        isClosing ? nil : unsafe SocketAddress.ofPeer(handle)
    }

    /// The peer's address as text; `unknown` once the connection is closing.
    package var remoteAddress: String {
        if isClosing { return "unknown" }
        return unsafe SocketAddress.ofPeer(handle)?.description ?? "unknown"
    }

    /// Reports to the owner, once, that the peer has ended or the connection is broken. Must be
    /// called only from the loop's callbacks.
    func end(_ error: UVError?) {
        if hasEnded || isClosing { return }
        hasEnded = true
        pauseReading()
        let error = failure ?? error
        hasReportedFailure = error != nil
        unsafe owner.connectionEnded(self, error: error)
    }

    /// Records that the connection is broken.
    ///
    /// The owner is called in the next iteration. But if the peer has closed the connection, it may
    /// have sent the reason before, so its input is read to the end first.
    func fail(_ error: UVError) {
        if failure != nil || isClosing { return }
        failure = error
        performLater(.reportFailure)
    }

    /// Reports a failure to the owner, unless input that may explain it is still being read.
    private func reportFailure() {
        guard let failure, !isClosing else { return }
        if hasEnded {
            if hasReportedFailure { return }
            hasReportedFailure = true
            unsafe owner.connectionEnded(self, error: failure)
            return
        }
        let peerIsGone = failure.code == UV_EPIPE.rawValue || failure.code == UV_ECONNRESET.rawValue
        if !(isReading && peerIsGone) { end(failure) }
    }

    // MARK: - Deferred work

    /// Schedules work for the next iteration of the loop; does nothing once the connection is
    /// closing.
    func performLater(_ work: DeferredWork) {
        if isClosing { return }
        if deferredWork.isEmpty { loop.performInNextTick(self) }
        deferredWork.formUnion(work)
    }

    /// Performs the scheduled work.
    func performDeferred() {
        assert(!deferredWork.isEmpty, "a connection without deferred work is on the list")
        loop.meter.begin(.read)
        defer { loop.meter.end() }
        let work = deferredWork
        deferredWork = []
        if work.contains(.offerPartialFrame) { offerPartialFrame() }
        if work.contains(.reportDrained) && !isClosing && !hasEnded {
            unsafe owner.connectionDrained(self)
        }
        if work.contains(.reportFailure) { reportFailure() }
    }

    /// Closes at once; output that the kernel has not accepted is dropped. A second call does
    /// nothing.
    package func close() {
        if isClosing { return }
        isClosing = true
        isReading = false
        unsafe handle.close { handle in
            unsafe releaseHandle(handle) {
                unsafe object(TCPConnection.self, data: handle!.pointee.data).closed()
            }
        }
    }

    /// libuv's close callback.
    private func closed() {
        assert(isClosing, "libuv closes no handle by itself")
        assert(inFlight == 0, "a write request outlives its connection")
        loop.unsent -= unsent
        assert(loop.unsent >= 0, "the connections together have less output than one of them")
        unsent = 0
        discardInput()
        unsafe owner.connectionClosed(self)
    }
}

extension UVError {
    /// Traps if a call has failed that fails only through a bug of this program.
    static func assertSuccess(_ status: CInt) {
        precondition(status >= 0, "libuv: \(UVError(code: status))")
    }
}
