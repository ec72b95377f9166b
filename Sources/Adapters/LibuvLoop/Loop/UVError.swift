internal import CLibuv

/// An error of libuv: one of the system's error numbers, negated.
package struct UVError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The negated error number of the system, or one of libuv's own such as `UV_EOF`.
    package let code: CInt

    /// The error of a status that libuv has returned, which must be negative.
    package init(code: CInt) {
        assert(code < 0, "the status \(code) is no error")
        self.code = code
    }

    /// The error's symbol, such as `ECONNREFUSED`.
    package var name: String { unsafe String(cString: uv_err_name(code)) }
    /// The error's text.
    package var message: String { unsafe String(cString: uv_strerror(code)) }

    /// The text and the symbol.
    package var description: String { "\(message) (\(name))" }

    /// Throws if the status of a call says that it has failed.
    static func check(_ status: CInt) throws(UVError) {
        if status < 0 { throw UVError(code: status) }
    }
}

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
