internal import CLibuv
internal import DataStructures

/// Input: each read fills the loop's slab, behind what was left over of the one before.
///
///     slab:   carry │ what the kernel has ──► offered to the owner ──► used │ rest
///               ▲                                                            │
///               └── kept in memory of its own until there is more ◄──────────┘
extension TCPConnection {
    /// Reads from now on; bytes that were left unused by a pause are offered again first, in the
    /// next turn: whole frames among them must not wait for the peer to say more.
    package func startReading() throws(UVError) {
        if isReading || isClosing || hasEnded { return }
        if carryCount > 0 || isOffering {
            isReading = true
            performLater(.offerCarry)
        } else {
            try startStream()
        }
    }

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

    /// Leaves further bytes with the kernel, which in time stops the peer.
    package func pauseReading() {
        if !isReading || isClosing { return }
        stopStream()
        isReading = false
        // Nobody waits for the peer's last words any more.
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

    /// Puts what was left over in front of the room that the kernel reads to.
    private func offerSlab(_ buffer: UnsafeMutablePointer<uv_buf_t>) {
        if !loop.takesInput || leavesRest {
            // libuv reads nothing without room, and says `UV_ENOBUFS`.
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
        // There may be more, which libuv would read now, up to 32 times over: others read before that.
        leavesRest = count == offeredCount && isStreaming && !isClosing
    }

    /// Nothing was read, because nothing was to be: the bytes are there in the next turn as well.
    private func givenNoRoom() {
        if leavesRest {
            leavesRest = false
        } else {
            unsafe owner.connectionWaits(self)
        }
    }

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

    /// Offers what a pause left over, and then reads, unless the owner has paused again.
    func offerCarry() {
        if !isReading || isClosing { return }
        if carryCount > 0 && !keepsBeginning {
            isOfferingKept = true
            offer(unsafe ByteView(base: carry!, count: carryCount))
            isOfferingKept = false
        }
        // An owner that paused and resumed as it looked has the next offer still to come.
        if !isReading || isClosing || deferredWork.contains(.offerCarry) { return }
        do throws(UVError) {
            try startStream()
        } catch {
            fail(error)
        }
    }

    /// Keeps the beginning of a frame until the rest arrives, in as much memory as it needs.
    private func keep(_ rest: ByteView) {
        let isWasteful = carryCapacity > 2 * rest.count + Self.idleCarryBytes
        if rest.count > carryCapacity || isWasteful {
            // `rest` may lie in the old memory.
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

    /// Memory that a connection keeps although nothing is in it: small frames, cut in two now and then,
    /// need not allocate each time.
    private static var idleCarryBytes: Int { 512 }

    /// Forgets the input that is kept; not to be called by an owner that is being offered it.
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
