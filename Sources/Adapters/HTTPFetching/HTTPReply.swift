/// A server's reply, whatever its status.
package struct HTTPReply: Equatable, Sendable {
    /// The HTTP status, such as 200.
    package let status: Int
    /// The complete body; empty if there is none.
    package let body: [UInt8]
    /// The seconds to wait before asking again, from `Retry-After`; nil if the header is missing or
    /// says 0.
    package let retryAfterSeconds: Int?

    /// A reply; `retryAfterSeconds` is nil if the server has not asked to wait.
    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Why there is no reply.
package enum HTTPFetchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No connection, or it broke; with libcurl's reason.
    case unreachable(String)
    /// No complete reply within `HTTPClientLimits.timeout`.
    case timedOut
    /// The body is longer than `HTTPClientLimits.bodyBytes`.
    case tooLarge
    /// As many requests wait as `HTTPClientLimits.waiting` allows.
    case tooMany
    /// The client was closed.
    case closed
    /// The address is malformed or of no supported protocol; with libcurl's reason.
    case addressInvalid(String)

    /// The reason as a sentence.
    package var description: String {
        switch self {
        case .unreachable(let reason): "the server is out of reach: \(reason)"
        case .timedOut: "the server has not answered in time"
        case .tooLarge: "the answer is longer than it may be"
        case .tooMany: "too many requests wait already"
        case .closed: "the client has been closed"
        case .addressInvalid(let reason): "that is not a valid address: \(reason)"
        }
    }
}
