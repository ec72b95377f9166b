internal import Basics
internal import CLibuv
internal import Cryptography

/// Input: each read fills the loop's slab, after the bytes that were left over by the read before.
///
///     slab:   left over │ what the kernel has ──► offered to the owner ──► used │ rest
///                 ▲                                                              │
///                 └── kept in memory of its own until there is more ◄────────────┘
extension TCPConnection {
    /// Starts reading. Bytes left over by a pause are offered again first, in the next iteration of
    /// the loop: complete frames among them must not wait until the peer sends more.
    package func startReading() throws(UVError) {
        if isReading || isClosing || hasEnded { return }
        if partialFrameCount > 0 || isOffering || security?.phase == .endedByPeer {
            isReading = true
            performLater(.offerPartialFrame)
        } else {
            try startStream()
        }
    }

    /// Starts libuv's reading.
    private func startStream() throws(UVError) {
        assert(!isClosing && !hasEnded, "a connection is read that has ended")
        if isStreaming { return }
        try UVError.check(
            unsafe uv_read_start(
                handle.stream,
                { stream, _, buffer in
                    let connection = unsafe object(
                        TCPConnection.self,
                        data: UnsafeMutableRawPointer(stream!.pointee.data)
                    )
                    // libuv's read is measured, too: its read callback follows in any case.
                    connection.loop.meter.begin(.read)
                    unsafe connection.offerSlab(buffer!)
                },
                { stream, count, _ in
                    let connection = unsafe object(
                        TCPConnection.self,
                        data: UnsafeMutableRawPointer(stream!.pointee.data)
                    )
                    connection.received(count)
                    connection.loop.meter.end()
                }
            )
        )
        isReading = true
        isStreaming = true
    }

    /// Stops libuv's reading.
    private func stopStream() {
        if !isStreaming { return }
        _ = unsafe uv_read_stop(handle.stream)
        isStreaming = false
        defersNextRead = false
    }

    /// Leaves further input in the kernel, whose flow control stops the peer when its buffer is
    /// full.
    package func pauseReading() {
        if !isReading || isClosing { return }
        stopStream()
        isReading = false
        // If the connection has failed, there is no longer a reason to wait for the peer's last
        // input.
        if failure != nil { performLater(.reportFailure) }
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
    /// after them, or other memory for bytes that are to be decrypted to there.
    private func offerSlab(_ buffer: UnsafeMutablePointer<uv_buf_t>) {
        if !loop.takesInput || defersNextRead || !loop.takesHandshakes && isInHandshake
            || gate?.isOpen == false
        {
            // Without memory, libuv reads nothing and reports `UV_ENOBUFS`.
            unsafe buffer.pointee = uv_buf_t()
            return
        }
        let slabBytes = Loop.slabBytes - (security == nil ? 0 : TLSLimits.recordBytes)
        precondition(partialFrameCount < slabBytes, "a frame does not fit the read slab")
        assert(!isOffering, "the slab is overwritten while its bytes are offered")
        if partialFrameCount > 0 {
            unsafe loop.slab.copyMemory(from: partialFrame!, byteCount: partialFrameCount)
        }
        let memory = unsafe security == nil ? loop.slab + partialFrameCount : loop.encryptedSlab
        unsafe buffer.pointee.base = memory.assumingMemoryBound(to: CChar.self)
        let share = loop.reads?.limit ?? Loop.slabBytes
        offeredCount = min(
            slabBytes - partialFrameCount,
            loop.readLimit,
            readLimit,
            share,
            loop.inputShare
        )
        precondition(offeredCount > 0, "a read may bring \(offeredCount) bytes")
        unsafe buffer.pointee.len = offeredCount
    }

    /// libuv's read callback: `count` bytes have arrived, or a negative error.
    private func received(_ count: Int) {
        assert(isReading && isStreaming, "input arrives at a connection that is not read")
        // Left-over bytes were copied to there, though none have followed.
        if count <= 0 && erasesMemory {
            unsafe eraseMemory(loop.slab, byteCount: partialFrameCount)
        }
        if count == 0 { return }
        if count < 0 {
            let code = CInt(truncatingIfNeeded: count)
            if code == UV_ENOBUFS.rawValue { return readWithoutBuffer() }
            end(code == UV_EOF.rawValue ? nil : UVError(code: code))
            return
        }
        precondition(count <= offeredCount, "more was read than there was memory for")
        let wasInHandshake = isInHandshake
        // Asked before the owner learns from these bytes that no secrets follow.
        let erases = erasesMemory
        var plainCount = count
        if let security { plainCount = decrypt(count, in: security) }
        let total = partialFrameCount + plainCount
        // Even if there is no byte more: the read has cost something, for which the owner accounts.
        if plainCount > 0 || !wasInHandshake && !isClosing {
            offer(unsafe ByteView(base: loop.slab, count: total))
        }
        if erases { unsafe eraseMemory(loop.slab, byteCount: total) }
        if let security { endIfEnded(security) }
        loop.reads?.record(count, isFull: count == offeredCount) {
            ExactTime(rawValue: Int64(uv_hrtime()))
        }
        // There may be more, which libuv would read at once, up to 32 times: other connections come
        // first.
        defersNextRead = count == offeredCount && isStreaming && !isClosing
    }

    /// Called when nothing was read because no memory was provided; libuv reports the input again
    /// in the next iteration.
    private func readWithoutBuffer() {
        if defersNextRead {
            defersNextRead = false
        } else {
            unsafe owner.connectionHasDeferredInput(self)
        }
    }

    /// Offers bytes to the owner and keeps those that it does not use.
    private func offer(_ bytes: ByteView) {
        assert(!isOffering, "the owner is being offered input")
        isOffering = true
        keepsPartialFrame = false
        let erases = erasesMemory
        let used = unsafe owner.connection(self, received: bytes)
        isOffering = false
        precondition(
            used >= 0 && used <= bytes.count,
            "the owner used \(used) of \(bytes.count) bytes"
        )
        if !isClosing { keep(bytes.slice(used, to: bytes.count), erases: erases) }
    }

    /// Offers the bytes left over by a pause, and then reads, unless the owner has paused again.
    func offerPartialFrame() {
        if !isReading || isClosing { return }
        if partialFrameCount > 0 && !keepsPartialFrame {
            isOfferingPartialFrame = true
            offer(unsafe ByteView(base: partialFrame!, count: partialFrameCount))
            isOfferingPartialFrame = false
        }
        // If the owner has paused and resumed during the offer, another offer is scheduled already.
        if !isReading || isClosing || deferredWork.contains(.offerPartialFrame) { return }
        if let security { endIfEnded(security) }
        if hasEnded { return }
        do throws(UVError) {
            try startStream()
        } catch {
            fail(error)
        }
    }

    /// Keeps unused bytes until more arrive, in about as much memory as they need. `erases` says
    /// whether to overwrite those that were kept before.
    private func keep(_ rest: ByteView, erases: Bool) {
        let isWasteful = partialFrameCapacity > 2 * rest.count + Self.idlePartialFrameBytes
        if rest.count > partialFrameCapacity || isWasteful {
            // `rest` may be a view of the old memory.
            let (old, oldCapacity) = unsafe (partialFrame, partialFrameCapacity)
            loop.keptInputByteCount -= partialFrameCapacity
            partialFrameCapacity = (rest.count + 255) & ~255
            loop.keptInputByteCount += partialFrameCapacity
            unsafe partialFrame =
                partialFrameCapacity == 0
                ? nil : .allocate(byteCount: partialFrameCapacity, alignment: 16)
            if rest.count > 0 { unsafe rest.copy(to: partialFrame!) }
            if erases, let old = unsafe old { unsafe eraseMemory(old, byteCount: oldCapacity) }
            unsafe old?.deallocate()
        } else if rest.count > 0 {
            unsafe rest.copy(to: partialFrame!)
        }
        if erases, let memory = unsafe partialFrame {
            let free = partialFrameCapacity - rest.count
            unsafe eraseMemory(memory + rest.count, byteCount: free)
        }
        partialFrameCount = rest.count
        assert(partialFrameCount <= partialFrameCapacity && loop.keptInputByteCount >= 0)
    }

    /// Frees the memory of left-over input.
    func freePartialFrame() {
        guard let memory = unsafe partialFrame else { return }
        if erasesMemory { unsafe eraseMemory(memory, byteCount: partialFrameCapacity) }
        unsafe memory.deallocate()
        unsafe partialFrame = nil
    }

    /// The most bytes of memory for left-over input that a connection keeps while there is none, so
    /// that a small frame arriving in two parts needs no allocation each time.
    private static var idlePartialFrameBytes: Int { 512 }

    /// Discards the kept input. Must not be called while the owner is being offered it.
    package func discardInput() {
        precondition(!isOffering, "the owner looks at what it would discard")
        loop.keptInputByteCount -= partialFrameCapacity
        assert(loop.keptInputByteCount >= 0, "more kept input is discarded than there is")
        freePartialFrame()
        partialFrameCapacity = 0
        partialFrameCount = 0
        keepsPartialFrame = false
    }
}
