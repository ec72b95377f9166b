internal import AdminAPI
package import Basics
package import Cryptography
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import RouterCore

/// TLS: handshakes that are taken or fail, and what is renewed.
extension Server {
    /// Charges a step of a handshake for what it has cost.
    package func connection(_ connection: TCPConnection, tookHandshakeStep duration: Nanoseconds) {
        if let session = connection.security, session.phase == .established {
            if session.isResumed {
                metrics.loop.handshakes.resumed &+= 1
            } else {
                metrics.loop.handshakes.full &+= 1
            }
        }
        let slot = connection.peerSlot
        if !slot.isNone { core.payer = .groupOf(slot) }
        reading.chargeHandshake(duration)
    }

    /// Charges messages of TLS itself. Their answers are output that no frame has caused: a peer
    /// that does not read them is not read from either.
    package func connection(_ connection: TCPConnection, gotSecurityMessages count: Int) {
        core.pay(connection.peerSlot)
        core.router.charge(count * WorkCost.newKeys)
        output.limit(connection)
    }

    /// Counts and logs a handshake that has failed, for this reason. A peer that does not speak TLS
    /// gets an ERROR that it can read.
    func handshakeFailed(_ connection: TCPConnection, because error: TLSError) {
        metrics.loop.refused.handshake &+= 1
        core.logger.notice(
            "TLS handshake failed",
            metadata: ["peer": "\(connection.remoteAddress)", "error": "\(error)"]
        )
        if error.code != .notTLS { return }
        let refusal = ProtocolError(.tlsRequired, message: "this port speaks TLS; connect with TLS")
        encodeFrame(.error, seq: 0, body: refusal.encoded).withByteView {
            connection.appendUnencrypted($0)
        }
        connection.flush()
    }

    /// Uses other certificates for the sessions that begin from now on. If the authorities of
    /// clients differ, ends the sessions whose clients the former ones alone vouch for.
    ///
    /// - Throws: `TLSError`; the certificates are as before then.
    package func replaceCertificates(_ new: ServerSecurity) throws(TLSError) {
        guard let context = reading.security, try context.replace(new) else { return }
        let error = ProtocolError(
            .tokenRevoked,
            message: "no authority of this router vouches for the client's certificate any more"
        )
        for slot in peers.slots {
            guard let connection = peers[slot].connection, peers[slot].lingerUntil == .zero,
                let session = connection.security
            else { continue }
            if session.phase == .handshake {
                // It would be accepted by the former authorities.
                release(connection)
            } else if !context.vouches(for: session) {
                core.router.end(slot, with: error, now: core.now)
            }
        }
        core.scheduleTick()
    }

    /// When the first certificate of the server expires; nil if it speaks without TLS.
    package var certificateExpiry: WallTime? { reading.security?.firstExpiry }
}
