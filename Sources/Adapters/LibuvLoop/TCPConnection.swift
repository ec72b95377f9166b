internal import CLibuv
package import DataStructures

/// Who is told what happens on connections.
package protocol ConnectionOwner: AnyObject {
    /// A connection that this side opened is there.
    func connectionOpened(_ connection: TCPConnection)
    /// Bytes have arrived, behind those that were left over last time; they are valid until the
    /// method returns.
    ///
    /// - Returns: how many were used up; the rest is kept and comes again with the next bytes.
    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int
    /// The connection has something to say while the loop `takesInput` no more; it is told again in
    /// each turn, unless the owner pauses it.
    func connectionWaits(_ connection: TCPConnection)
    /// The peer has ended its side (`error` is nil), or the connection is broken. The owner then
    /// closes; until it does, what it writes goes out, and it is called once more if that breaks.
    func connectionEnded(_ connection: TCPConnection, error: UVError?)
    /// Output that the kernel did not take at once has shrunk below the drain threshold.
    func connectionDrained(_ connection: TCPConnection)
    /// The handle is closed; nothing more is told.
    func connectionClosed(_ connection: TCPConnection)
}

extension ConnectionOwner {
    package func connectionOpened(_ connection: TCPConnection) {}
    package func connectionWaits(_ connection: TCPConnection) {}
    package func connectionDrained(_ connection: TCPConnection) {}
    package func connectionClosed(_ connection: TCPConnection) {}
}

/// One TCP connection: reads into the loop's slab, writes gathered once per turn.
@safe
package final class TCPConnection {
    package let loop: Loop
    let handle = unsafe HandleMemory<uv_tcp_t>()
    /// The owner outlives its connections and closes them.
    unowned(unsafe) let owner: any ConnectionOwner

    /// The owner's own number for the connection.
    package var slot = UInt32.max
    /// Output below which `connectionDrained` is told, in bytes.
    package var drainThreshold = 512 << 10
    /// Bytes that one read brings at most, also if the loop allows more.
    package var readLimit = Loop.slabBytes
    /// Whether what is kept is only the beginning of a frame, which its owner says while it looks.
    ///
    /// It is not offered again before there is more.
    package var keepsBeginning = false
    /// Output that the kernel has not taken yet, in bytes.
    package var outputByteCount: Int { unsent }
    /// Output that there ever was, in bytes.
    package var writtenByteCount: UInt64 { written }
    package internal(set) var isReading = false
    /// Whether libuv reads: not while the carry waits to be offered.
    var isStreaming = false
    /// Whether a read has brought as much as it could, so that the next one is for the next turn.
    var leavesRest = false
    /// Bytes that the present read can bring.
    var offeredCount = 0
    private(set) var isClosing = false

    // Input that was left over: the beginning of a frame, or what came while the owner took nothing.
    var carry: UnsafeMutableRawPointer?
    var carryCapacity = 0
    package internal(set) var carryCount = 0

    /// Memory of the input that is kept until more of it comes or the owner takes it, in bytes.
    package var keptInputByteCount: Int { carryCapacity }

    // What every frame writes lies apart from its faces: writes of a property that other modules reach are
    // checked for exclusive access at run time.
    var unsent = 0
    var written: UInt64 = 0
    // Output, first to last chunk; `inFlight` bytes at its beginning are with the kernel.
    var firstChunk: UnsafeMutablePointer<OutputChunk>?
    var lastChunk: UnsafeMutablePointer<OutputChunk>?
    var inFlight = 0
    let writeRequest = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    var shutdownRequest: UnsafeMutablePointer<uv_shutdown_t>?
    var shutdownWanted = false
    /// Whether output has been above `drainThreshold` since the owner was last told.
    var wasAboveThreshold = false

    /// What broke the connection, until the owner is told.
    var failure: UVError?
    private(set) var hasEnded = false
    /// Whether the owner knows that the connection is broken.
    private var hasToldFailure = false
    var isOffering = false
    /// Whether the owner is looking at the input now, and so cannot discard it.
    ///
    /// Apart from `isOffering`, which every read writes: writes of a property that other modules reach
    /// are checked for exclusive access at run time.
    package var isBeingLookedAt: Bool { isOffering }
    /// Whether what is offered was kept, and nothing was read for it.
    package internal(set) var isOfferingKept = false
    private(set) var deferredWork: DeferredWork = []

    /// What has to wait for the next turn.
    struct DeferredWork: OptionSet {
        let rawValue: UInt8
        static var offerCarry: DeferredWork { DeferredWork(rawValue: 1) }
        static var tellDrained: DeferredWork { DeferredWork(rawValue: 2) }
        static var tellFailure: DeferredWork { DeferredWork(rawValue: 4) }
    }

    init(_ loop: Loop, owner: any ConnectionOwner) throws(UVError) {
        self.loop = loop
        unsafe self.owner = owner
        unsafe UVError.assertSuccess(uv_tcp_init(loop.pointer, handle.pointer))
        unsafe handle.retain(self)
    }

    deinit {
        unsafe writeRequest.deallocate()
        unsafe shutdownRequest?.deallocate()
        unsafe carry?.deallocate()
        while let chunk = unsafe firstChunk {
            unsafe firstChunk = unsafe chunk.pointee.next
            unsafe loop.chunks.give(chunk)
        }
    }

    /// Opens a connection; the owner is told `connectionOpened`, or `connectionEnded` with the
    /// reason.
    ///
    /// - Parameters:
    ///   - loop: which runs it.
    ///   - address: the peer's.
    ///   - source: this side's, with port 0; nil for what the system picks. One address has about
    ///     28,000 ports for connections to one peer.
    ///   - owner: is told what happens.
    /// - Returns: the connection, which is not open yet.
    /// - Throws: what fails at once.
    package static func connect(
        _ loop: Loop,
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        owner: any ConnectionOwner
    ) throws(UVError) -> TCPConnection {
        let connection = try TCPConnection(loop, owner: owner)
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
                    request!.pointee.handle.pointee.data
                )
                unsafe request!.deallocate()
                connection.connected(status)
            }
        }
        if status < 0 {
            unsafe request.deallocate()
            connection.close()
            throw UVError(code: status)
        }
        return connection
    }

    private func connected(_ status: CInt) {
        if isClosing { return }
        if status < 0 {
            end(UVError(code: status))
        } else {
            unsafe owner.connectionOpened(self)
        }
    }

    /// Sends small writes at once instead of waiting for more.
    package func setNoDelay() {
        if !isClosing { _ = unsafe uv_tcp_nodelay(handle.pointer, 1) }
    }

    /// The peer's address, for people; `unknown` once the connection is closing.
    package var remoteAddress: String {
        if isClosing { return "unknown" }
        return unsafe SocketAddress.ofPeer(handle)?.description ?? "unknown"
    }

    /// Tells the owner, once, that the peer has ended or the connection is broken; only from the
    /// loop's callbacks.
    func end(_ error: UVError?) {
        if hasEnded || isClosing { return }
        hasEnded = true
        pauseReading()
        let error = failure ?? error
        hasToldFailure = error != nil
        unsafe owner.connectionEnded(self, error: error)
    }

    /// Notes that the connection is broken.
    ///
    /// The owner is told in the next turn; or, if the peer no
    /// longer reads but may have said why, when that has been read to its end.
    func fail(_ error: UVError) {
        if failure != nil || isClosing { return }
        failure = error
        performLater(.tellFailure)
    }

    private func tellFailure() {
        guard let failure, !isClosing else { return }
        if hasEnded {
            if hasToldFailure { return }
            hasToldFailure = true
            unsafe owner.connectionEnded(self, error: failure)
            return
        }
        let peerIsGone =
            failure.code == UV_EPIPE.rawValue || failure.code == UV_ECONNRESET.rawValue
        if !(isReading && peerIsGone) { end(failure) }
    }

    // MARK: - Later

    func performLater(_ work: DeferredWork) {
        if deferredWork.isEmpty { loop.performNextTurn(self) }
        deferredWork.formUnion(work)
    }

    func performDeferred() {
        let work = deferredWork
        deferredWork = []
        if work.contains(.offerCarry) { offerCarry() }
        if work.contains(.tellDrained) && !isClosing && !hasEnded {
            unsafe owner.connectionDrained(self)
        }
        if work.contains(.tellFailure) { tellFailure() }
    }

    /// Closes at once; output that the kernel has not taken is dropped.
    ///
    /// Closing twice is no error.
    package func close() {
        if isClosing { return }
        isClosing = true
        isReading = false
        unsafe handle.close { handle in
            let connection = unsafe object(TCPConnection.self, handle!.pointee.data)
            connection.closed()
            unsafe releaseHandle(unsafe handle)
        }
    }

    private func closed() {
        loop.unsent -= unsent
        unsent = 0
        discardInput()
        unsafe owner.connectionClosed(self)
    }
}

@available(*, unavailable)
extension TCPConnection: Sendable {}

extension UVError {
    /// For calls that fail only when this program is wrong.
    static func assertSuccess(_ status: CInt) {
        precondition(status >= 0, "libuv: \(UVError(code: status))")
    }
}
