package import Basics
internal import COpenSSL
package import Credentials

/// One side of a TLS session: turns what the network brings into the peer's bytes, and own bytes
/// into what the network is to carry.
///
///     network ──► receive ──► plaintext          plaintext ──► send ──► takeOutput ──► network
///                    └──────── answers of the handshake ────────────────────▲
///
/// It does no input or output itself. All sessions of a context belong to one thread.
@safe
package final class TLSSession {
    /// How far the session is.
    package enum Phase: Equatable, Sendable {
        /// The sides agree on keys; `send` must not be called.
        case handshake
        /// Bytes can be exchanged.
        case established
        /// The peer has ended the session, in the way that TLS wants it.
        case endedByPeer
        /// The session has failed, and never works again.
        case failed
    }

    private let pointer: OpaquePointer
    private let memory: TLSMemory
    /// Keeps alive what OpenSSL refers to: the certificates and keys.
    private let context: AnyObject
    /// How far the session is.
    package private(set) var phase = Phase.handshake
    /// The bytes received during the handshake.
    private var handshakeByteCount = 0
    /// The number of messages of TLS itself that the last `receive` on an established session has
    /// brought, and of their answers; the last one of its input may be missing.
    package private(set) var ownMessageCount = 0

    /// Owns a session of OpenSSL from now on, and keeps alive what that refers to. Throws
    /// `internalFailure` without memory.
    init(owning session: OpaquePointer, memory: TLSMemory, context: AnyObject) throws(TLSError) {
        unsafe pointer = unsafe session
        self.memory = memory
        self.context = context
        unsafe try memory.connect(session)
    }

    deinit {
        // Without this, OpenSSL would forbid to resume a session whose connection was cut.
        if phase != .failed { unsafe SSL_set_shutdown(pointer, SSL_SENT_SHUTDOWN) }
        unsafe SSL_free(pointer)
    }

    // MARK: - Receiving

    /// Whether the peer's bytes are overwritten in OpenSSL's buffers as soon as `receive` has
    /// returned them. That costs time for each record.
    package var erasesReadBytes = false {
        didSet { unsafe tls_erase_read_bytes(pointer, erasesReadBytes) }
    }

    /// Begins the handshake of a client, whose first message is the session's output then.
    func begin() throws(TLSError) {
        memory.requireUnlent()
        _ = try advance()
    }

    /// Takes all bytes that the network has brought.
    ///
    /// - Parameters:
    ///   - bytes: the bytes; not empty.
    ///   - plaintext: memory for the peer's bytes.
    ///   - capacity: the size of that memory; at least `bytes.count + TLSLimits.recordBytes`, which
    ///     is enough for all that the bytes can contain.
    /// - Returns: the number of the peer's bytes, 0 or more. There may be output then: answers of
    ///   the handshake, or an alert.
    /// - Throws: why the session has failed. There may be output then: an alert that says so.
    package func receive(
        _ bytes: ByteView,
        into plaintext: UnsafeMutableRawPointer,
        capacity: Int
    ) throws(TLSError) -> Int {
        assert(capacity >= bytes.count + TLSLimits.recordBytes, "the peer's bytes may not fit")
        memory.requireUnlent()
        ownMessageCount = 0
        if phase == .failed || phase == .endedByPeer { return 0 }
        if phase == .handshake {
            // The bytes of this read do not count yet: after the handshake's end, they may have
            // bytes of the established session.
            if handshakeByteCount > TLSLimits.handshakeBytes {
                phase = .failed
                throw TLSError(
                    .handshake,
                    message: "the handshake has more than \(TLSLimits.handshakeBytes) bytes"
                )
            }
            handshakeByteCount += bytes.count
        }
        let result = memory.withInput(bytes) { () -> Result<Int, TLSError> in
            do throws(TLSError) {
                if phase == .handshake, try !advance() { return .success(0) }
                return .success(unsafe try readAll(into: plaintext, capacity: capacity))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Continues the handshake; returns whether it is complete.
    private func advance() throws(TLSError) -> Bool {
        ERR_clear_error()
        let status = unsafe SSL_do_handshake(pointer)
        if status == 1 {
            phase = .established
            return true
        }
        if unsafe SSL_get_error(pointer, status) == SSL_ERROR_WANT_READ { return false }
        throw fail()
    }

    /// Reads until the input is used up.
    private func readAll(
        into plaintext: UnsafeMutableRawPointer,
        capacity: Int
    ) throws(TLSError) -> Int {
        var count = 0
        ERR_clear_error()
        while true {
            precondition(count < capacity, "the peer's bytes do not fit")
            var length = 0
            let status = unsafe SSL_read_ex(pointer, plaintext + count, capacity - count, &length)
            if status == 1 {
                count += length
                continue
            }
            switch unsafe SSL_get_error(pointer, status) {
            case SSL_ERROR_WANT_READ:
                if memory.unreadByteCount == 0 { return count }
                try countOwnMessage()
            case SSL_ERROR_ZERO_RETURN:
                phase = .endedByPeer
                return count
            default: throw fail()
            }
        }
    }

    /// Counts a message of TLS itself, after which more input is left.
    private func countOwnMessage() throws(TLSError) {
        ownMessageCount += 1
        if ownMessageCount <= TLSLimits.messagesPerReceive { return }
        phase = .failed
        throw TLSError(
            .session,
            message: "more than \(TLSLimits.messagesPerReceive) messages of TLS itself came at once"
        )
    }

    /// The error that has ended the session.
    private func fail() -> TLSError {
        let isHandshake = phase == .handshake
        phase = .failed
        let error = ERR_peek_last_error()
        if isHandshake && is_not_tls(error) {
            ERR_clear_error()
            return TLSError(.notTLS, message: "the peer does not speak TLS")
        }
        if is_refused_certificate(error) {
            let verification = unsafe SSL_get_verify_result(pointer)
            let reason = unsafe String(cString: X509_verify_cert_error_string(verification))
            ERR_clear_error()
            return TLSError(.certificate, message: "the peer's certificate is refused: \(reason)")
        }
        return .last(isHandshake ? .handshake : .session)
    }

    // MARK: - Sending

    /// Encrypts bytes for the peer; they are the session's output then. Throws `internalFailure`
    /// without memory; the session has failed then.
    package func send(_ bytes: ByteView) throws(TLSError) {
        memory.requireUnlent()
        precondition(phase != .handshake, "bytes are sent before the handshake is complete")
        if phase == .failed || bytes.count == 0 { return }
        var count = 0
        ERR_clear_error()
        let status = unsafe SSL_write_ex(pointer, bytes.address, bytes.count, &count)
        if status != 1 {
            phase = .failed
            throw .last(.internalFailure)
        }
        assert(count == bytes.count, "a memory takes everything")
    }

    /// Announces to the peer that no more bytes follow; that is the session's output then. Does
    /// nothing unless the session is established.
    package func end() {
        memory.requireUnlent()
        if phase != .established && phase != .endedByPeer { return }
        ERR_clear_error()
        _ = unsafe SSL_shutdown(pointer)
    }

    /// Passes the output on, which is valid until `body` returns, and forgets it. Must be called
    /// after each of the methods that may leave output, before another session's method is called;
    /// `body` must call no session.
    package func takeOutput(_ body: (ByteView) -> Void) { memory.takeOutput(body) }

    // MARK: - What was agreed

    /// The version of TLS, such as `TLSv1.3`.
    package var version: String { unsafe String(cString: SSL_get_version(pointer)) }

    /// The certificate that the peer has proved to have, and that was verified; nil for none.
    package var peerCertificate: Certificate? {
        guard phase == .established || phase == .endedByPeer,
            let pointer = unsafe SSL_get1_peer_certificate(pointer)
        else { return nil }
        return unsafe Certificate(owning: pointer)
    }

    /// Whether the authorities of a server's context vouch for the peer's certificate. In a session
    /// that resumes another, the certificates between both are not known.
    func isVouchedFor(in context: OpaquePointer) -> Bool {
        defer { ERR_clear_error() }
        return unsafe tls_vouches_for_client(context, pointer)
    }

    /// What `peerCertificate` says of the peer; nil for none.
    package var shownCertificate: ShownCertificate? {
        guard let shown = peerCertificate else { return nil }
        return ShownCertificate(
            names: shown.names.compactMap { CertificateName($0) },
            notAfter: shown.notAfter
        )
    }

    /// Whether the session resumes an earlier one, so that no certificate was sent.
    package var isResumed: Bool { unsafe SSL_session_reused(pointer) == 1 }
}
