internal import Basics
package import Cryptography
internal import HTTPMessages
package import LibuvLoop

/// What servers of HTTP do with connections.
extension TCPConnection {
    /// Pauses reading until the client has read its answer.
    package func pauseUntilRead() {
        pauseReading()
        reportDrained(at: 0)
    }

    /// Closes the connection at once; what the kernel does not accept of its output is dropped.
    /// With TLS, the client learns that this is the end (RFC 9112, section 9.8).
    package func closeAtOnce() {
        switch security?.phase {
        case .established, .endedByPeer: shutdownAfterFlush()
        case .handshake, .failed, nil: break
        }
        close()
    }

    /// Answers a client whose handshake has failed, if it speaks HTTP without TLS.
    package func answerWithoutTLS(after error: TLSError) {
        if error.code != .notTLS { return }
        AnswerWriter.tlsRequired.withByteView { appendUnencrypted($0) }
        flush()
    }
}
