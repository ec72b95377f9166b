/// Why an HTTP/2 session has ended, or cannot do what was asked.
package struct HTTP2Error: Error, Equatable, CustomStringConvertible {
    /// What kind of problem it is.
    package enum Code: String, Sendable {
        /// The peer has broken the rules of HTTP/2; the session is over.
        case peer = "http2-peer"
        /// There is no memory for a session or a stream, or no stream number is left.
        case exhausted = "http2-exhausted"
    }

    /// What kind of problem it is.
    package let code: Code
    /// A sentence for people.
    package let message: String

    /// The code and the sentence.
    package var description: String { "\(code.rawValue): \(message)" }
}
