internal import CLibuv
internal import DataStructures

/// Input: each read fills the loop's slab, after the bytes that were left over by the read before.
///
///     slab:   carry │ what the kernel has ──► offered to the owner ──► used │ rest
///               ▲                                                            │
///               └── kept in memory of its own until there is more ◄──────────┘
extension TCPConnection {
    /// Starts reading. Bytes left over by a pause are offered again first, in the next iteration of
    /// the loop: complete frames among them must not wait until the peer sends more.
    package func startReading() throws(UVError) {
        if isReading || isClosing || hasEnded { return }
        if carryCount > 0 || isOffering {
            isReading = true
            performLater(.offerCarry)
        } else {
            try startStream()
        }
    }

    /// Starts libuv's reading.
    private func startStream() throws(UVError) {
        if isStreaming { return }
        try UVError.check(
            unsafe uv_read_start(
                handle.stream,
                { stream, _, buffer in
                    let connection = unsafe object(
                        TCPConnection.self,
                        UnsafeMutableRawPointer(stream!.pointee.data)
                    )
                    unsafe connection.offerSlab(buffer!)
                },
                { stream, count, _ in
                    let connection = unsafe object(
                        TCPConnection.self,
                        UnsafeMutableRawPointer(stream!.pointee.data)
                    )
                    connection.received(count)
                }
            )
        )
        isReading = true
        isStreaming = true
    }

    private func stopStream() {
        if !isStreaming { return }
        _ = unsafe uv_read_stop(handle.stream)
        isStreaming = false
        leavesRest = false
    }

    /// Leaves further input with the kernel, whose flow control in time stops the peer.
    package func pauseReading() {
        if !isReading || isClosing { return }
        stopStream()
        isReading = false
        // If the connection has failed, there is no longer a reason to wait for the peer's last
        // input.
        if failure != nil { performLater(.tellFailure) }
    }

    /// Reads again after `pauseReading`.
    package func resumeReading() {
        do throws(UVError) {
            try startReading()
        } catch {
            fail(error)
        }
    }

    /// libuv's allocation callback: copies the left-over bytes to the slab, and returns the memory
    /// after them.
    private func offerSlab(_ buffer: UnsafeMutablePointer<uv_buf_t>) {
        if !loop.takesInput || leavesRest {
            // Without memory, libuv reads nothing and reports `UV_ENOBUFS`.
            unsafe buffer.pointee = uv_buf_t()
            return
        }
        precondition(carryCount < Loop.slabBytes, "a frame does not fit the read slab")
        if carryCount > 0 {
            unsafe loop.slab.copyMemory(from: carry!, byteCount: carryCount)
        }
        unsafe buffer.pointee.base =
            (loop.slab + carryCount).assumingMemoryBound(to: CChar.self)
        let share = loop.reads?.limit ?? Loop.slabBytes
        offeredCount = min(
            Loop.slabBytes - carryCount,
            loop.readLimit,
            readLimit,
            share,
            loop.inputShare
        )
        unsafe buffer.pointee.len = offeredCount
    }

    /// libuv's read callback: `count` bytes have arrived, or a negative error.
    private func received(_ count: Int) {
        if count == 0 { return }
        if count < 0 {
            let code = CInt(truncatingIfNeeded: count)
            if code == UV_ENOBUFS.rawValue { return givenNoRoom() }
            end(code == UV_EOF.rawValue ? nil : UVError(code: code))
            return
        }
        let total = carryCount + count
        let bytes = unsafe ByteView(base: loop.slab, count: total)
        offer(bytes)
        loop.reads?.note(count, isFull: count == offeredCount) { uv_hrtime() }
        // There may be more, which libuv would read at once, up to 32 times: other connections come
        // first.
        leavesRest = count == offeredCount && isStreaming && !isClosing
    }

    /// Nothing was read because no memory was provided; libuv reports the bytes again in the next
    /// iteration.
    private func givenNoRoom() {
        if leavesRest {
            leavesRest = false
        } else {
            unsafe owner.connectionWaits(self)
        }
    }

    /// Offers bytes to the owner and keeps those that it does not use.
    private func offer(_ bytes: ByteView) {
        isOffering = true
        keepsBeginning = false
        let used = unsafe owner.connection(self, received: bytes)
        isOffering = false
        precondition(
            used >= 0 && used <= bytes.count,
            "the owner used \(used) of \(bytes.count) bytes"
        )
        if !isClosing { keep(bytes.slice(used, bytes.count)) }
    }

    /// Offers the bytes left over by a pause, and then reads, unless the owner has paused again.
    func offerCarry() {
        if !isReading || isClosing { return }
        if carryCount > 0 && !keepsBeginning {
            isOfferingKept = true
            offer(unsafe ByteView(base: carry!, count: carryCount))
            isOfferingKept = false
        }
        // If the owner has paused and resumed during the offer, another offer is scheduled already.
        if !isReading || isClosing || deferredWork.contains(.offerCarry) { return }
        do throws(UVError) {
            try startStream()
        } catch {
            fail(error)
        }
    }

    /// Keeps unused bytes until more arrive, in about as much memory as they need.
    private func keep(_ rest: ByteView) {
        let isWasteful = carryCapacity > 2 * rest.count + Self.idleCarryBytes
        if rest.count > carryCapacity || isWasteful {
            // `rest` may be a view of the old memory.
            let old = unsafe carry
            loop.keptInputByteCount -= carryCapacity
            carryCapacity = (rest.count + 255) & ~255
            loop.keptInputByteCount += carryCapacity
            unsafe carry =
                carryCapacity == 0
                ? nil : .allocate(byteCount: carryCapacity, alignment: 16)
            if rest.count > 0 { unsafe rest.copy(to: carry!) }
            unsafe old?.deallocate()
        } else if rest.count > 0 {
            unsafe rest.copy(to: carry!)
        }
        carryCount = rest.count
    }

    /// Bytes of memory that a connection keeps although it is empty, so that small frames, now and
    /// then cut in two, need no allocation each time.
    private static var idleCarryBytes: Int { 512 }

    /// Discards the kept input. Must not be called while the owner is being offered it.
    package func discardInput() {
        precondition(!isOffering, "the owner looks at what it would discard")
        loop.keptInputByteCount -= carryCapacity
        unsafe carry?.deallocate()
        unsafe carry = nil
        carryCapacity = 0
        carryCount = 0
        keepsBeginning = false
    }
}
