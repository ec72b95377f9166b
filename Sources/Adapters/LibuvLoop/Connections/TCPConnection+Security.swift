package import Basics
internal import CLibuv
internal import Cryptography

/// TLS between the connection's owner, who sees plain bytes alone, and the kernel.
///
///     kernel ──► encrypted slab ──► decrypt ──► slab ──► owner
///     kernel ◄── output chunks ◄── encrypt ◄── plain chunks ◄── owner
///
/// Plain chunks are encrypted by `flush`, so that the frames of a tick share a record.
extension TCPConnection {
    /// True until the sides have agreed on keys.
    var isInHandshake: Bool { security.map { $0.phase == .handshake } ?? false }

    /// True while the connection's bytes may be secrets: memory that has held input or output is
    /// overwritten as soon as it is used, that of TLS too. Set by the owner; it costs time for each
    /// read and write.
    package var holdsSecrets: Bool {
        get { erasesMemory }
        set {
            erasesMemory = newValue
            security?.erasesReadBytes = newValue
        }
    }

    /// Decrypts what a read has brought to the slab, after the left-over bytes. Continues the
    /// handshake before that, if it is not complete. Returns the number of plain bytes; 0 if there
    /// are none, or TLS has failed.
    func decrypt(_ count: Int, in security: TLSSession) -> Int {
        let isHandshake = security.phase == .handshake
        let begin = isHandshake ? uv_hrtime() : 0
        if isHandshake { loop.meter.enter(.handshake) }
        var plainCount = 0
        do throws(TLSError) {
            plainCount = unsafe try security.receive(
                ByteView(base: loop.encryptedSlab, count: count),
                into: loop.slab + partialFrameCount,
                capacity: Loop.slabBytes - partialFrameCount
            )
        } catch {
            securityError = error
        }
        security.takeOutput { appendToWire($0) }
        if isHandshake {
            let duration = Nanoseconds(rawValue: Int64(uv_hrtime() - begin))
            unsafe owner.connection(self, tookHandshakeStep: duration)
            loop.meter.enter(.read)
            if !isClosing && security.phase == .established && isOpening { opened() }
        }
        if security.ownMessageCount > 0 {
            unsafe owner.connection(self, gotSecurityMessages: security.ownMessageCount)
        }
        // The handshake's answers do not wait for the end of the tick, nor does what has waited for
        // the handshake.
        if unsafe firstChunk != nil || isHandshake { flush() }
        return isClosing ? 0 : plainCount
    }

    /// Reports the end of a session that the peer has ended, or that has failed. If the connection
    /// is paused, the peer's end is reported once it is read again, after the input that is kept:
    /// without TLS, too, the end is noticed by reading alone.
    func endIfEnded(_ security: TLSSession) {
        switch security.phase {
        case .handshake, .established: break
        case .endedByPeer: if isReading { end(nil) }
        case .failed: end(UVError(code: UV_EPROTO.rawValue))
        }
    }

    /// Encrypts the output that waits for it, if the handshake is complete; and ends TLS after it,
    /// if the output is to end.
    func encrypt(with security: TLSSession) {
        if security.phase == .handshake || isClosing { return }
        while let chunk = unsafe firstPlainChunk {
            let count = unsafe chunk.pointee.end - chunk.pointee.start
            send(
                unsafe ByteView(base: chunk.bytes + chunk.pointee.start, count: count),
                with: security
            )
            unsafe firstPlainChunk = unsafe chunk.pointee.next
            if unsafe firstPlainChunk == nil { unsafe lastPlainChunk = nil }
            unsafe loop.chunks.give(chunk, erases: erasesMemory)
            unsent -= count
            loop.unsent -= count
        }
        if shutdownWanted && !hasEndedSecurity {
            hasEndedSecurity = true
            security.end()
            security.takeOutput { appendToWire($0) }
        }
    }

    private func send(_ bytes: ByteView, with security: TLSSession) {
        do throws(TLSError) {
            try security.send(bytes)
        } catch {
            securityError = error
            fail(UVError(code: UV_EPROTO.rawValue))
        }
        security.takeOutput { appendToWire($0) }
    }

    /// Appends bytes to the output as the kernel gets it.
    func appendToWire(_ bytes: ByteView) {
        if isClosing { return }
        var offset = 0
        while offset < bytes.count {
            let chunk = unsafe chunk(withFree: 1)
            let free = unsafe chunk.pointee.capacity - chunk.pointee.end
            let part = bytes.slice(offset, to: min(bytes.count, offset + free))
            unsafe part.copy(to: chunk.bytes + chunk.pointee.end)
            unsafe chunk.pointee.end += part.count
            offset += part.count
        }
        unsent += bytes.count
        loop.unsent += bytes.count
    }

    /// Appends bytes for a peer that has turned out not to speak TLS, and will read them as they
    /// are; what waits to be encrypted never leaves.
    package func appendUnencrypted(_ bytes: ByteView) {
        assert(security?.phase == .failed, "a peer that speaks TLS cannot read these")
        appendToWire(bytes)
    }

    /// A chunk at the end of the output to be encrypted, with a free capacity of at least
    /// `byteCount`.
    func plainChunk(withFree byteCount: Int) -> UnsafeMutablePointer<OutputChunk> {
        if let last = unsafe lastPlainChunk,
            unsafe last.pointee.capacity - last.pointee.end >= byteCount
        {
            return unsafe last
        }
        let chunk = unsafe loop.chunks.take(byteCount)
        if let last = unsafe lastPlainChunk {
            unsafe last.pointee.next = unsafe chunk
        } else {
            unsafe firstPlainChunk = unsafe chunk
        }
        unsafe lastPlainChunk = unsafe chunk
        return unsafe chunk
    }
}
