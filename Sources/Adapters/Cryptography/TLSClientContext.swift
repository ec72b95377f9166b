internal import COpenSSL
internal import Glibc

/// What the TLS sessions of a client have in common: whom it trusts, and how it proves itself.
///
/// It belongs to the thread of its sessions, which should be with one server: the newest ticket
/// that a session got lets the next one resume it.
@safe
package final class TLSClientContext {
    /// The authorities whose certificates are trusted.
    package enum Trust: Equatable, Sendable {
        /// Those of the system.
        case system
        /// Those of a PEM file, which has these bytes.
        case authorities([UInt8])
        /// None, and no certificate is accepted: for a client that connects to no server.
        case nobody
        /// None, and any certificate is accepted: for trials alone, because a stranger in between
        /// can read and change all bytes.
        case anybody
    }

    private let memory = TLSMemory()
    private let context: OpaquePointer
    private let verifies: Bool
    private let resumes: Bool
    /// The newest ticket; OpenSSL writes it.
    private let ticket = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
    private let protocols: ProtocolList

    /// Makes a context of whom the client trusts, how it proves itself, if it does, and which
    /// application protocols it offers (ALPN); `resumes` says whether a session resumes an earlier
    /// one if it can. Throws `file`, if a file is not usable.
    package init(
        trust: Trust = .system,
        identity: Identity? = nil,
        minimum: TLSVersion = .tls12,
        resumes: Bool = true,
        protocols: [String]
    ) throws(TLSError) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw .last(.internalFailure)
        }
        unsafe self.context = unsafe context
        unsafe ticket.initialize(to: nil)
        self.protocols = ProtocolList(protocols)
        self.resumes = resumes
        verifies = trust != .anybody
        unsafe tls_keep_tickets(context, ticket)
        if unsafe !tls_prepare(context, minimum.number) { throw .last(.internalFailure) }
        let list = unsafe self.protocols.pointer
        let status = unsafe withUnsafeBytes(of: &list.pointee.bytes) { bytes in
            unsafe SSL_CTX_set_alpn_protos(
                context,
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                list.pointee.count
            )
        }
        if status != 0 { throw .last(.internalFailure) }
        try accept(trust)
        unsafe try identity?.use(in: context)
    }

    deinit {
        unsafe SSL_CTX_free(context)
        unsafe SSL_SESSION_free(ticket.pointee)
        unsafe ticket.deallocate()
    }

    private func accept(_ trust: Trust) throws(TLSError) {
        unsafe SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        switch trust {
        case .anybody, .nobody: return
        case .system:
            if unsafe SSL_CTX_set_default_verify_paths(context) != 1 {
                throw .last(.internalFailure)
            }
        case .authorities(let file): unsafe try Certificate.trust(file, in: context)
        }
    }

    /// Begins a session with a server, whose certificate must be for `host`: a DNS name, or an IP
    /// address as text. The session has output then. Throws `internalFailure`.
    package func session(with host: String) throws(TLSError) -> TLSSession {
        guard let session = unsafe SSL_new(context) else { throw .last(.internalFailure) }
        let found = unsafe try TLSSession(owning: session, memory: memory, context: self)
        unsafe SSL_set_connect_state(session)
        if unsafe try !name(host, in: session) {
            throw .last(.internalFailure, doing: "\(host) is no name of a server")
        }
        if resumes, let ticket = unsafe ticket.pointee, unsafe SSL_SESSION_is_resumable(ticket) == 1
        {
            unsafe SSL_set_session(session, ticket)
        }
        try found.begin()
        return found
    }

    /// Says which server is wanted, and which name its certificate must have.
    private func name(_ host: String, in session: OpaquePointer) throws(TLSError) -> Bool {
        var address = in6_addr()
        let isAddress =
            unsafe inet_pton(AF_INET, host, &address) == 1
            || inet_pton(AF_INET6, host, &address) == 1
        if isAddress {
            // A client never asks for an address by SNI.
            return unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1
        }
        return unsafe tls_ask_for(session, host) && SSL_set1_host(session, host) == 1
    }
}
