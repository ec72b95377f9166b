package import Basics
internal import COpenSSL

/// How a server proves itself to clients with TLS.
package struct ServerSecurity: Sendable {
    /// Certificates and keys; the first one serves clients that name no server, or an unknown one.
    package var identities: [Identity]
    /// The oldest version of TLS that is accepted.
    package var minimum: TLSVersion
    /// The PEM file of those whose certificates clients may prove themselves by; nil to ask clients
    /// for none.
    package var clientAuthorities: [UInt8]?

    /// Makes a server prove itself by one identity or more.
    package init(
        _ identities: [Identity],
        minimum: TLSVersion = .tls13,
        clientAuthorities: [UInt8]? = nil
    ) {
        self.identities = identities
        self.minimum = minimum
        self.clientAuthorities = clientAuthorities
    }
}

/// What the TLS sessions of a server have in common: certificates, versions, keys for tickets.
///
/// It belongs to the thread of its sessions.
@safe
package final class TLSServerContext {
    private let memory = TLSMemory()
    /// What the certificates were made of.
    private var security: ServerSecurity
    private let tickets = TicketKeys()
    /// When the next key for tickets is due; nil before the first session.
    private var ticketKeyEnd: MonotonicTime?
    private let protocols: ProtocolList
    private var certificates: CertificateSet

    /// - Parameters:
    ///   - security: how the server proves itself. A client whose certificate is from another
    ///     authority than these is refused, and one without a certificate is not.
    ///   - protocols: the names of the application protocols (ALPN), 1 to 32 bytes each; a client
    ///     that offers others only is refused.
    /// - Throws: `file`, or `internalFailure`.
    package init(_ security: ServerSecurity, protocols: [String]) throws(TLSError) {
        self.security = security
        self.protocols = ProtocolList(protocols)
        try tickets.rotate()
        certificates = try CertificateSet(security, protocols: self.protocols, tickets: tickets)
    }

    /// Replaces the certificates, and the authorities of clients, for the sessions that begin from
    /// now on; the others continue, and tickets stay valid unless the authorities differ. The
    /// oldest version of TLS stays what it was.
    ///
    /// - Returns: whether the authorities differ, so that sessions that began under the former ones
    ///   are to be ended: those in their handshake, and those that these do not vouch for.
    /// - Throws: `file` or `internalFailure`; everything is as before then.
    @discardableResult
    package func replace(_ security: ServerSecurity) throws(TLSError) -> Bool {
        var security = security
        security.minimum = self.security.minimum
        certificates = try CertificateSet(security, protocols: protocols, tickets: tickets)
        // A ticket lets in a client without another look at its certificate.
        let differ = security.clientAuthorities != self.security.clientAuthorities
        if differ { try tickets.replaceAll() }
        self.security = security
        return differ
    }

    /// Whether a session may continue under the present authorities of clients: one without a
    /// certificate may.
    package func vouches(for session: TLSSession) -> Bool {
        if session.peerCertificate == nil { return true }
        guard security.clientAuthorities != nil, let context = unsafe certificates.contexts[0]
        else { return false }
        return unsafe session.isVouchedFor(in: context)
    }

    /// When the first of the certificates expires.
    package var firstExpiry: WallTime { certificates.firstExpiry }

    /// Begins a session with a client.
    ///
    /// - Parameter now: the present. A key for tickets makes them for half of
    ///   `TLSLimits.ticketSeconds`, and opens them for twice that time more.
    /// - Returns: the session.
    /// - Throws: `internalFailure`.
    package func session(at now: MonotonicTime) throws(TLSError) -> TLSSession {
        let period = Milliseconds.seconds(Int64(TLSLimits.ticketSeconds / 2))
        var end = ticketKeyEnd ?? now + period
        // For each period that has passed, even without clients, a key goes; there are three.
        for _ in 0..<3 where now >= end {
            // Without a new one, the present one stays for another while.
            try? tickets.rotate()
            end += period
        }
        ticketKeyEnd = now >= end ? now + period : end
        guard let session = unsafe SSL_new(certificates.contexts[0]) else {
            throw .last(.internalFailure)
        }
        unsafe SSL_set_accept_state(session)
        return unsafe try TLSSession(owning: session, memory: memory, context: certificates)
    }
}

/// The contexts of a server's certificates, and what OpenSSL's callbacks need of them. Each session
/// keeps alive the set under which it began.
@safe
private final class CertificateSet {
    let contexts: UnsafeMutablePointer<OpaquePointer?>
    let firstExpiry: WallTime
    private let list: UnsafeMutablePointer<tls_certificates>
    private let count: Int
    /// Kept alive, because OpenSSL refers to them.
    private let protocols: ProtocolList
    private let tickets: TicketKeys

    init(
        _ security: ServerSecurity,
        protocols: ProtocolList,
        tickets: TicketKeys
    ) throws(TLSError) {
        let identities = security.identities
        precondition(!identities.isEmpty, "a server has a certificate")
        // Before memory is allocated, which `deinit` frees only once every property has its value.
        firstExpiry = try Self.firstExpiry(of: identities)
        count = identities.count
        self.protocols = protocols
        self.tickets = tickets
        unsafe contexts = .allocate(capacity: count)
        unsafe contexts.initialize(repeating: nil, count: count)
        unsafe list = .allocate(capacity: 1)
        unsafe list.initialize(to: tls_certificates(count: count, contexts: contexts))
        for (index, identity) in identities.enumerated() {
            guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
                throw .last(.internalFailure)
            }
            unsafe contexts[index] = unsafe context
            if unsafe !tls_prepare(context, security.minimum.number) {
                throw .last(.internalFailure)
            }
            unsafe try identity.use(in: context)
            if let clientAuthorities = security.clientAuthorities {
                unsafe try Certificate.trust(clientAuthorities, in: context)
                // One that sends none is accepted.
                unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            }
            unsafe SSL_CTX_set_alpn_select_cb(context, tls_choose_protocol, protocols.pointer)
            unsafe tls_set_tickets(context, tickets.pointer, TLSLimits.ticketSeconds)
            unsafe tls_set_certificate_choice(context, list)
        }
    }

    private static func firstExpiry(of identities: [Identity]) throws(TLSError) -> WallTime {
        var expiry = WallTime.max
        for identity in identities {
            for certificate in try Certificate.all(inPEM: identity.chain) {
                expiry = min(expiry, certificate.notAfter)
            }
        }
        return expiry
    }

    deinit {
        for index in 0..<count { unsafe SSL_CTX_free(contexts[index]) }
        unsafe contexts.deallocate()
        unsafe list.deallocate()
    }
}

/// The keys for tickets, which outlive the certificates.
@safe
private final class TicketKeys {
    let pointer = UnsafeMutablePointer<tls_ticket_keys>.allocate(capacity: 1)

    init() { unsafe pointer.initialize(to: tls_ticket_keys()) }

    deinit {
        unsafe OPENSSL_cleanse(pointer, MemoryLayout<tls_ticket_keys>.size)
        unsafe pointer.deallocate()
    }

    /// Makes a new key, and forgets all others: no ticket made before is valid.
    func replaceAll() throws(TLSError) {
        unsafe OPENSSL_cleanse(pointer, MemoryLayout<tls_ticket_keys>.size)
        try rotate()
    }

    func rotate() throws(TLSError) {
        if unsafe !tls_rotate_tickets(pointer) { throw .last(.internalFailure) }
    }
}

/// The names of application protocols, as OpenSSL wants them.
@safe
final class ProtocolList {
    let pointer = UnsafeMutablePointer<tls_protocols>.allocate(capacity: 1)

    init(_ names: [String]) {
        unsafe pointer.initialize(to: tls_protocols())
        var bytes: [UInt8] = []
        for name in names { bytes += [UInt8(name.utf8.count)] + Array(name.utf8) }
        precondition(bytes.count <= 64, "the protocols' names have \(bytes.count) bytes")
        unsafe withUnsafeMutableBytes(of: &pointer.pointee.bytes) {
            unsafe $0.copyBytes(from: bytes)
        }
        unsafe pointer.pointee.count = CUnsignedInt(bytes.count)
    }

    deinit { unsafe pointer.deallocate() }
}
