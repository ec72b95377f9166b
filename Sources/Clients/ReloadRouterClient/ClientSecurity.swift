package import Cryptography
package import LibuvLoop

/// How a client protects its connection, and how it knows that it has reached the router.
public struct ClientSecurity: Sendable {
    private enum Mode {
        case automatic, plaintext
        case tls(TLSClientContext.Trust, Identity?)
    }

    private let mode: Mode

    /// TLS, with a router whose certificate an authority of the system has signed; but no TLS with
    /// a router on this machine's loopback addresses.
    public static var automatic: ClientSecurity { ClientSecurity(mode: .automatic) }

    /// No TLS: a stranger in between can read and change all bytes, the token among them.
    public static var plaintext: ClientSecurity { ClientSecurity(mode: .plaintext) }

    /// TLS with a router whose certificate is checked, for the host that is connected to.
    ///
    /// - Parameters:
    ///   - authorities: the certificates of the authorities that may have signed it, as the bytes
    ///     of a PEM file; nil for those of the system.
    ///   - certificate: how the client proves itself; nil if it does so by its token alone.
    /// - Returns: the way to connect. Bytes that are no certificate or key are refused when a
    ///   client connects.
    public static func tls(
        authorities: [UInt8]? = nil,
        certificate: ClientCertificate? = nil
    ) -> ClientSecurity {
        let trust = authorities.map { TLSClientContext.Trust.authorities($0) } ?? .system
        return ClientSecurity(mode: .tls(trust, certificate?.identity))
    }

    /// TLS with any peer, for trials: a stranger in between can play the router.
    public static var unverified: ClientSecurity { ClientSecurity(mode: .tls(.anybody, nil)) }

    /// What the sessions with a router begin with; nil if they have no TLS. It belongs to the
    /// thread of the connection. Throws `file`, if an authority, certificate or key is not usable.
    package func context(
        for endpoint: Endpoint,
        speaking protocolName: String = ClientSecurity.pushProtocol
    ) throws(TLSError) -> TLSClientContext? {
        if !isSecure(for: endpoint) { return nil }
        switch mode {
        case .plaintext, .automatic: return try TLSClientContext(protocols: [protocolName])
        case .tls(let trust, let identity):
            return try TLSClientContext(trust: trust, identity: identity, protocols: [protocolName])
        }
    }

    /// Whether sessions with a router have TLS.
    package func isSecure(for endpoint: Endpoint) -> Bool {
        switch mode {
        case .plaintext: false
        case .automatic: !endpoint.isLoopback
        case .tls: true
        }
    }

    /// The name of version 1 of the push protocol, as ALPN wants one.
    package static var pushProtocol: String { "rr/1" }
}

/// A client's certificate and its private key.
public struct ClientCertificate: Sendable {
    let identity: Identity

    /// - Parameters:
    ///   - chain: the certificates, the client's own first, as the bytes of a PEM file.
    ///   - key: the private key, without a passphrase, as the bytes of a PEM file.
    public init(chain: [UInt8], key: [UInt8]) { identity = Identity(chain: chain, key: key) }
}
