/// An address that only this machine reaches, with a port.
package struct LoopbackAddress: Equatable, Sendable, CustomStringConvertible {
    /// The same among all addresses.
    package let listening: ListeningAddress

    package var port: UInt16 { listening.port }

    /// `127.0.0.1:7411` or `[::1]:7411`.
    package var description: String { listening.description }

    /// Takes `localhost` (which is 127.0.0.1 here), 127.0.0.0/8 and ::1; nil for any other host.
    ///
    /// The system picks the port if it is 0.
    package init?(host: String, port: UInt16) {
        guard let listening = ListeningAddress(host: host, port: port), listening.isLoopback else {
            return nil
        }
        self.listening = listening
    }
}
