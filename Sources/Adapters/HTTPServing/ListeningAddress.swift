internal import Glibc

/// An address of this machine to listen on, with a port. Hosts must be numeric addresses; names are
/// not looked up.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    private enum Host: Equatable {
        /// An IPv4 address in network order.
        case four(UInt32)
        /// The 16 bytes of an IPv6 address, in network order.
        case six([UInt8])
    }

    private let host: Host
    /// The port; 0 lets the system choose one.
    package private(set) var port: UInt16

    /// Accepts an IPv4 or IPv6 address, `localhost` (here always 127.0.0.1), and `*` (here `::`,
    /// all addresses of both kinds); nil for any other host.
    ///
    /// With port 0, the system chooses one.
    package init?(host: String, port: UInt16) {
        self.port = port
        var four = in_addr()
        var six = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four) == 1 {
            self.host = .four(four.s_addr)
        } else if unsafe inet_pton(AF_INET6, host == "*" ? "::" : host, &six) == 1 {
            self.host = .six(six)
        } else {
            return nil
        }
    }

    /// The same host with another port.
    package func with(port: UInt16) -> ListeningAddress {
        var copy = self
        copy.port = port
        return copy
    }

    /// True if only this machine can reach it: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        switch host {
        case .four(let address): UInt32(bigEndian: address) >> 24 == 127
        case .six(let address): address.last == 1 && address.dropLast().allSatisfy { $0 == 0 }
        }
    }

    /// True if it is every address of this machine, of IPv6 and of IPv4.
    package var isEveryAddress: Bool {
        if case .six(let address) = host { address.allSatisfy { $0 == 0 } } else { false }
    }

    /// `127.0.0.1` or `::1`.
    package var hostText: String {
        switch host {
        case .four(let address):
            unsafe withUnsafeBytes(of: address) { bytes in
                unsafe bytes.map(String.init).joined(separator: ".")
            }
        case .six(let address): Self.text(of: address)
        }
    }

    /// `127.0.0.1:7411` or `[::1]:7411`.
    package var description: String {
        if case .six = host { "[\(hostText)]:\(port)" } else { "\(hostText):\(port)" }
    }

    private static func text(of address: [UInt8]) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let written = unsafe inet_ntop(AF_INET6, address, text.baseAddress, 64)
            return unsafe written.map { unsafe String(cString: $0) } ?? ""
        }
    }
}
