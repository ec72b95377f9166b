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
