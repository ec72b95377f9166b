package import Basics
internal import COpenSSL

/// What the TLS sessions of a server have in common: certificates, versions, keys for tickets.
///
/// It belongs to the thread of its sessions.
@safe
package final class TLSServerContext {
    private let memory = TLSMemory()
    private let minimum: TLSVersion
    private var clientAuthorities: [UInt8]?
    private let tickets = TicketKeys()
    private let protocols: ProtocolList
    private var certificates: CertificateSet

    /// - Parameters:
    ///   - identities: one or more; the first one serves clients that name no server, or an unknown
    ///     one.
    ///   - minimum: the oldest version that is accepted.
    ///   - clientAuthorities: the PEM file of those whose certificates clients may prove themselves
    ///     by; nil to ask clients for none. A client whose certificate is from another one is
    ///     refused, and one without a certificate is not.
    ///   - protocols: the names of the application protocols (ALPN), 1 to 32 bytes each; a client
    ///     that offers others only is refused.
    /// - Throws: `file`, or `internalFailure`.
    package init(
        _ identities: [Identity],
        minimum: TLSVersion = .tls13,
        clientAuthorities: [UInt8]? = nil,
        protocols: [String]
    ) throws(TLSError) {
        self.minimum = minimum
        self.clientAuthorities = clientAuthorities
        self.protocols = ProtocolList(protocols)
        try tickets.rotate()
        certificates = try CertificateSet(
            identities,
            minimum: minimum,
            clientAuthorities: clientAuthorities,
            protocols: self.protocols,
            tickets: tickets
        )
    }

    /// A context with the settings of a server.
    ///
    /// - Throws: `file`, or `internalFailure`.
    package convenience init(
        _ security: ServerSecurity,
        protocols: [String]
    ) throws(TLSError) {
        try self.init(
            security.identities,
            minimum: security.minimum,
            clientAuthorities: security.clientAuthorities,
            protocols: protocols
        )
    }

    /// Replaces the certificates, and the authorities of clients, for the sessions that begin from
    /// now on; the others continue, and tickets stay valid unless the authorities differ.
    ///
    /// - Parameters:
    ///   - identities: as in `init`.
    ///   - clientAuthorities: as in `init`.
    /// - Returns: whether the authorities differ, so that sessions that began under the former ones
    ///   are to be ended: those in their handshake, and those that these do not vouch for.
    /// - Throws: `file` or `internalFailure`; everything is as before then.
    @discardableResult
    package func replace(
        _ identities: [Identity],
        clientAuthorities: [UInt8]? = nil
    ) throws(TLSError) -> Bool {
        certificates = try CertificateSet(
            identities,
            minimum: minimum,
            clientAuthorities: clientAuthorities,
            protocols: protocols,
            tickets: tickets
        )
        // A ticket lets in a client without another look at its certificate.
        let differ = clientAuthorities != self.clientAuthorities
        if differ { try tickets.replaceAll() }
        self.clientAuthorities = clientAuthorities
        return differ
    }

    /// Whether a session may continue under the present authorities of clients: one without a
    /// certificate may.
    package func vouches(for session: TLSSession) -> Bool {
        if session.peerCertificate == nil { return true }
        guard clientAuthorities != nil, let context = unsafe certificates.contexts[0] else {
            return false
        }
        return unsafe session.isVouchedFor(in: context)
    }

    /// Makes a new key for tickets; those made under the two keys before stay valid. To be called
    /// every half of `TLSLimits.ticketSeconds`.
    package func rotateTicketKeys() throws(TLSError) {
        try tickets.rotate()
    }

    /// When the first of the certificates expires.
    package var firstExpiry: WallTime { certificates.firstExpiry }

    /// Begins a session with a client.
    package func session() throws(TLSError) -> TLSSession {
        guard let session = unsafe SSL_new(certificates.contexts[0]) else {
            throw .last(.internalFailure)
        }
        unsafe SSL_set_accept_state(session)
        return unsafe try TLSSession(owning: session, memory: memory, context: certificates)
    }
}

@available(*, unavailable)
extension TLSServerContext: Sendable {}

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
        _ identities: [Identity],
        minimum: TLSVersion,
        clientAuthorities: [UInt8]?,
        protocols: ProtocolList,
        tickets: TicketKeys
    ) throws(TLSError) {
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
            if unsafe !tls_prepare(context, minimum.number) { throw .last(.internalFailure) }
            unsafe try identity.use(in: context)
            if let clientAuthorities {
                unsafe try Certificate.trust(clientAuthorities, in: context)
                unsafe tls_ask_for_certificate(context)
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

    init() {
        unsafe pointer.initialize(to: tls_ticket_keys())
    }

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
