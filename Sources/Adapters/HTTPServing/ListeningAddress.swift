package import LibuvLoop

/// An address of this machine to listen on, with a port. Hosts must be numeric addresses; names are
/// not looked up.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// The host in its usual spelling, such as `127.0.0.1` or `::1`.
    package let hostText: String
    /// The port; 0 lets the system choose one.
    package private(set) var port: UInt16

    /// Accepts an IPv4 or IPv6 address, `localhost` (here always 127.0.0.1), and `*` (here `::`,
    /// all addresses of both kinds); nil for any other host.
    ///
    /// With port 0, the system chooses one.
    package init?(host: String, port: UInt16) {
        let number =
            switch host {
            case "localhost": "127.0.0.1"
            case "*": "::"
            default: host
            }
        // After a per cent sign, an address names one of the machine's interfaces.
        guard !number.contains("%"),
            let address = SocketAddress.withoutLookup(host: number, port: port)?.first
        else { return nil }
        hostText = address.host
        self.port = port
    }

    /// The same host with another port.
    package func with(port: UInt16) -> ListeningAddress {
        var copy = self
        copy.port = port
        return copy
    }

    /// The same address as the system has it.
    package var socketAddress: SocketAddress {
        SocketAddress.withoutLookup(host: hostText, port: port)![0]
    }

    /// True if only this machine can reach it: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool { hostText == "::1" || hostText.hasPrefix("127.") }

    /// True if it is every address of this machine, of IPv6 and of IPv4.
    package var isEveryAddress: Bool { hostText == "::" }

    /// `127.0.0.1:7411` or `[::1]:7411`.
    package var description: String { Endpoint(host: hostText, port: port).description }
}
