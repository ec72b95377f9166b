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

    /// Answers a client whose handshake has failed, if it speaks HTTP without TLS.
    package func answerWithoutTLS(after error: TLSError) {
        if error.code != .notTLS { return }
        AnswerWriter.tlsRequired.withByteView { appendUnencrypted($0) }
        flush()
    }
}
