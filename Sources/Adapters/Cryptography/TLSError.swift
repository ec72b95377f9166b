internal import COpenSSL

/// Why a TLS session cannot begin or continue, or why a key or a certificate cannot be used.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed.
    package enum Code: Equatable, Sendable {
        /// The peer does not speak TLS.
        case notTLS
        /// The peer's certificate is not one to trust, for the reason in the message.
        case certificate
        /// An established session is broken: by bytes that are no record of it, or by an alert.
        case session
        /// The peer has broken the rules of TLS or refuses the session with an alert, or the sides
        /// have no version, cipher or protocol in common.
        case handshake
        /// A file with a key or a certificate is not usable.
        case file
        /// OpenSSL has failed, such as for want of memory.
        case internalFailure
    }

    /// What failed.
    package let code: Code
    /// What was wrong, as the end of a sentence.
    package let message: String

    /// The message.
    package var description: String { message }

    init(_ code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The error that OpenSSL has just reported on this thread, with its reason; the message begins
    /// with what was being done, if that is given.
    static func last(_ code: Code, doing context: String? = nil) -> TLSError {
        let reason = unsafe ERR_reason_error_string(ERR_peek_last_error())
        let text = unsafe reason.map { unsafe String(cString: $0) } ?? "OpenSSL gives no reason"
        ERR_clear_error()
        return TLSError(code, message: context.map { "\($0): \(text)" } ?? text)
    }
}
