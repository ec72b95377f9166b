package import Basics
internal import CLibuv

/// Output: bytes are appended to chunks, and written together once per tick.
extension TCPConnection {
    /// Appends a frame to the output, written in place.
    ///
    /// - Parameters:
    ///   - byteCount: the most bytes that the frame may have.
    ///   - body: writes the frame and returns its length. Not called if the connection is closing.
    @unsafe
    package func withOutput(_ byteCount: Int, body: (UnsafeMutableRawPointer) -> Int) {
        assert(byteCount >= 0, "a frame of at most \(byteCount) bytes")
        if isClosing { return }
        let chunk =
            unsafe security == nil ? chunk(withFree: byteCount) : plainChunk(withFree: byteCount)
        let count = unsafe body(chunk.bytes + chunk.pointee.end)
        assert(
            (0...byteCount).contains(count),
            "a frame of \(count) bytes in room for \(byteCount)"
        )
        unsafe chunk.pointee.end += count
        unsent += count
        written &+= UInt64(count)
        loop.unsent += count
    }

    /// Appends a copy of bytes to the output.
    package func append(_ bytes: ByteView) {
        unsafe withOutput(bytes.count) { memory in
            unsafe bytes.copy(to: memory)
            return bytes.count
        }
    }

    /// A chunk at the end of the output with a free capacity of at least `byteCount`.
    func chunk(withFree byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        if let last = unsafe lastChunk,
            unsafe last.pointee.capacity - last.pointee.end >= byteCount
        {
            return unsafe last
        }
        // After output that the kernel has not accepted, the chunk is sized in proportion to that
        // output: a peer that does not read should not cost a whole chunk for a few bytes.
        let chunk =
            unsafe inFlight > 0
            ? loop.chunks.takeSmall(max(byteCount, Self.smallChunk, spareByteCount))
            : loop.chunks.take(byteCount)
        if let last = unsafe lastChunk {
            unsafe last.pointee.next = unsafe chunk
        } else {
            unsafe firstChunk = unsafe chunk
        }
        unsafe lastChunk = unsafe chunk
        return unsafe chunk
    }

    /// Writes the output to the kernel, gathered; to be called once per tick.
    ///
    /// What the kernel does not accept at once is written as the kernel's buffer drains, by one
    /// request at a time; output appended meanwhile waits for that request.
    package func flush() {
        recordThreshold()
        if let security { encrypt(with: security) }
        while inFlight == 0, failure == nil, !isClosing, unsafe firstChunk != nil {
            let (count, total) = gather()
            if count == 0 {
                assert(
                    unsafe unsent == 0 || firstPlainChunk != nil,
                    "output is counted that no chunk contains"
                )
                break
            }
            let taken = unsafe uv_try_write(handle.stream, loop.buffers, UInt32(count))
            if taken < 0 && taken != UV_EAGAIN.rawValue {
                fail(UVError(code: taken))
                return
            }
            consume(max(0, Int(taken)))
            if taken < total {
                writeRest()
                return
            }
        }
        if shutdownWanted && inFlight == 0 && outputByteCount == 0 && !isClosing { shutdown() }
    }

    /// Flushes, and then ends this side's output: the peer reads all of it, and then the end.
    package func shutdownAfterFlush() {
        if shutdownWanted || isClosing { return }
        shutdownWanted = true
        flush()
    }

    /// Lists the first chunks of the output in `Loop.buffers`, up to the number that one write
    /// takes.
    private func gather() -> (count: Int, total: Int) {
        var count = 0
        var total = 0
        var next = unsafe firstChunk
        while let chunk = unsafe next, count < Loop.buffersPerWrite {
            let length = unsafe chunk.pointee.end - chunk.pointee.start
            if length > 0 {
                let base = unsafe (chunk.bytes + chunk.pointee.start)
                    .assumingMemoryBound(to: CChar.self)
                unsafe loop.buffers[count] = unsafe uv_buf_t(base: base, len: length)
                count += 1
                total += length
            }
            unsafe next = unsafe chunk.pointee.next
        }
        assert(total <= unsent, "chunks have more output than is counted")
        return (count, total)
    }

    /// Removes output that the kernel has accepted, and releases empty chunks.
    private func consume(_ byteCount: Int) {
        precondition(byteCount <= unsent, "the kernel has taken more than there was")
        var rest = byteCount
        while let chunk = unsafe firstChunk {
            let length = unsafe chunk.pointee.end - chunk.pointee.start
            if rest < length {
                unsafe chunk.pointee.start += rest
                break
            }
            rest -= length
            unsafe firstChunk = unsafe chunk.pointee.next
            if unsafe firstChunk == nil { unsafe lastChunk = nil }
            unsafe loop.chunks.give(chunk, erases: erasesMemory)
        }
        unsent -= byteCount
        loop.unsent -= byteCount
        assert(loop.unsent >= 0, "the connections together have less output than one of them")
        loop.sentByteCount &+= UInt64(byteCount)
        if wasAboveThreshold && outputByteCount <= drainThreshold {
            wasAboveThreshold = false
            performLater(.reportDrained)
        }
    }

    /// Moves output that has to wait to chunks of its own size, where it fills little of its chunk:
    /// a peer that does not read holds little more memory than its output has bytes.
    private func shrinkRest() {
        var before: UnsafeMutablePointer<OutputChunk>?
        var next = unsafe firstChunk
        while var chunk = unsafe next {
            unsafe next = unsafe chunk.pointee.next
            let count = unsafe chunk.pointee.end - chunk.pointee.start
            let free = unsafe chunk.pointee.capacity - count
            if count > 0 && free > max(Self.smallChunk, count / Self.spareShare) {
                let small = unsafe loop.chunks.takeSmall(max(Self.smallChunk, count))
                unsafe small.bytes.copyMemory(
                    from: chunk.bytes + chunk.pointee.start,
                    byteCount: count
                )
                unsafe small.pointee.end = count
                unsafe small.pointee.next = unsafe next
                if let before = unsafe before {
                    unsafe before.pointee.next = unsafe small
                } else {
                    unsafe firstChunk = unsafe small
                }
                if unsafe next == nil { unsafe lastChunk = unsafe small }
                unsafe loop.chunks.give(chunk, erases: erasesMemory)
                unsafe chunk = unsafe small
            }
            unsafe before = unsafe chunk
        }
    }

    /// The bytes that a new chunk may reserve for later output: so much that there are few chunks.
    private var spareByteCount: Int {
        min(OutputChunk.byteCount - OutputChunk.headerBytes, outputByteCount / Self.spareShare)
    }

    /// The part of its output by which a chunk may exceed it, and a new one the output before it.
    private static var spareShare: Int { 10 }
    /// The capacity in bytes of the smallest chunk for output that the kernel does not accept.
    private static var smallChunk: Int { 512 }

    /// Starts the request that writes the rest when the kernel accepts more.
    private func writeRest() {
        assert(inFlight == 0, "one request writes at a time")
        shrinkRest()
        let (count, total) = gather()
        assert(total > 0, "nothing is left to be written")
        unsafe writeRequest.pointee.data = nil
        let status = unsafe uv_write(
            writeRequest,
            handle.stream,
            loop.buffers,
            UInt32(count)
        ) { request, status in
            let connection = unsafe object(
                TCPConnection.self,
                data: request!.pointee.handle.pointee.data
            )
            connection.loop.meter.begin(.write)
            connection.writeEnded(status)
            connection.loop.meter.end()
        }
        if status < 0 {
            fail(UVError(code: status))
            return
        }
        inFlight = total
    }

    /// libuv's write callback: the write request has ended.
    private func writeEnded(_ status: CInt) {
        assert(inFlight > 0, "no request was under way")
        let written = inFlight
        inFlight = 0
        if isClosing { return }
        if status < 0 {
            fail(UVError(code: status))
            return
        }
        consume(written)
        flush()
    }

    /// Requests a call of the owner's `connectionDrained` once the output is at most `threshold`
    /// bytes. If it is already, the call comes in the next iteration of the loop.
    package func reportDrained(at threshold: Int) {
        assert(threshold >= 0, "output never shrinks to \(threshold) bytes")
        drainThreshold = threshold
        wasAboveThreshold = outputByteCount > threshold
        if !wasAboveThreshold { performLater(.reportDrained) }
    }

    /// Remembers that output was above the threshold. Output only grows between flushes, so a test
    /// before each flush suffices.
    private func recordThreshold() {
        if outputByteCount > drainThreshold { wasAboveThreshold = true }
    }

    /// Ends this side's output, once.
    private func shutdown() {
        assert(!isClosing, "the handle may be freed already")
        if unsafe shutdownRequest != nil { return }
        let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
        unsafe shutdownRequest = unsafe request
        // Its status does not matter: a peer that is gone needs no end, and reading reports that it
        // is gone.
        _ = unsafe uv_shutdown(request, handle.stream) { _, _ in }
    }
}
