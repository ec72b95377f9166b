internal import Glibc

/// An address that only this machine reaches, with a port.
package struct LoopbackAddress: Equatable, Sendable, CustomStringConvertible {
    private enum Host: Equatable {
        /// In network order.
        case four(UInt32)
        case six
    }

    private let host: Host
    package private(set) var port: UInt16

    /// Takes `localhost` (which is 127.0.0.1 here), 127.0.0.0/8 and ::1; nil for any other host.
    ///
    /// The system picks the port if it is 0.
    package init?(host: String, port: UInt16) {
        self.port = port
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four) == 1 {
            guard UInt32(bigEndian: four.s_addr) >> 24 == 127 else { return nil }
            self.host = .four(four.s_addr)
        } else if unsafe inet_pton(AF_INET6, host, &six) == 1 {
            let loopback = Array(repeating: 0, count: 15) + [1] as [UInt8]
            guard unsafe withUnsafeBytes(of: six, { unsafe $0.elementsEqual(loopback) }) else {
                return nil
            }
            self.host = .six
        } else {
            return nil
        }
    }

    package func with(port: UInt16) -> LoopbackAddress {
        var copy = self
        copy.port = port
        return copy
    }

    /// `127.0.0.1:7411` or `[::1]:7411`.
    package var description: String {
        switch host {
        case .four(let address):
            unsafe withUnsafeBytes(of: address) { bytes in
                unsafe bytes.map(String.init).joined(separator: ".")
            } + ":\(port)"
        case .six: "[::1]:\(port)"
        }
    }

    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        switch host {
        case .four(let address):
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            four.sin_addr.s_addr = address
            return unsafe withUnsafeBytes(of: four) { bytes in
                unsafe body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self))
            }
        case .six:
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            six.sin6_addr = in6addr_loopback
            return unsafe withUnsafeBytes(of: six) { bytes in
                unsafe body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self))
            }
        }
    }
}
