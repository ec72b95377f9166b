internal import CLibuv

/// An error of libuv: the system's error numbers, negated.
package struct UVError: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: CInt

    package init(code: CInt) {
        self.code = code
    }

    /// The symbol, such as `ECONNREFUSED`.
    package var name: String { unsafe String(cString: uv_err_name(code)) }
    /// The sentence that belongs to it.
    package var message: String { unsafe String(cString: uv_strerror(code)) }

    package var description: String { "\(message) (\(name))" }

    /// Throws if a call's status says that it failed.
    static func check(_ status: CInt) throws(UVError) {
        if status < 0 { throw UVError(code: status) }
    }
}
