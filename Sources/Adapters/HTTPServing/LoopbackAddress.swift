/// A `ListeningAddress` that only this machine can reach.
package struct LoopbackAddress: Equatable, Sendable, CustomStringConvertible {
    /// The same address.
    package let listening: ListeningAddress

    /// The port; 0 lets the system choose one.
    package var port: UInt16 { listening.port }

    /// `127.0.0.1:7411` or `[::1]:7411`.
    package var description: String { listening.description }

    /// Accepts `localhost` (here always 127.0.0.1), 127.0.0.0/8 and ::1; nil for any other host.
    ///
    /// With port 0, the system chooses one.
    package init?(host: String, port: UInt16) {
        guard let listening = ListeningAddress(host: host, port: port), listening.isLoopback else {
            return nil
        }
        self.listening = listening
    }
}
