/// The oldest version of TLS that a side accepts; newer ones are accepted too.
package enum TLSVersion: String, Sendable, CaseIterable {
    /// TLS 1.2.
    case tls12 = "1.2"
    /// TLS 1.3.
    case tls13 = "1.3"

    /// The version as `tls_prepare` takes it.
    var number: CInt { self == .tls12 ? 12 : 13 }
}

/// The limits of TLS sessions.
package enum TLSLimits {
    /// The most bytes that a peer may send before the handshake is complete. A certificate chain
    /// has about 4,000; OpenSSL itself would take more than 100,000 for the first message alone.
    package static var handshakeBytes: Int { 32 << 10 }
    /// The most bytes of output for one byte of input or more, however little that is: an
    /// incomplete record of an earlier read may be completed.
    package static var recordBytes: Int { 16 << 10 }
    /// The most messages of TLS itself in one call of `TLSSession.receive` on an established
    /// session, received or sent as answers: tickets and new keys, each of which costs as much as
    /// hundreds of frames. A peer that sends more has no other reason than that.
    package static var messagesPerReceive: Int { 32 }
    /// How long a ticket is valid, in seconds: a session that ended is resumed in that time without
    /// a signature.
    package static var ticketSeconds: Int { 7_200 }
}
