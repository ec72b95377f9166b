/// An address could not be listened on.
package struct ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address, as `HOST:PORT`.
    package let address: String
    /// The system's reason.
    package let cause: UVError

    /// Makes the error of an address.
    package init(_ address: SocketAddress, cause: UVError) {
        self.address = address.description
        self.cause = cause
    }

    /// The address and the reason, as a sentence without a full stop.
    package var description: String {
        let isTaken = cause.name == "EADDRINUSE"
        return "cannot listen on \(address): \(cause)"
            + (isTaken ? "; another program listens there, perhaps a router that still runs" : "")
    }
}
