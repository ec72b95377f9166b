/// What a server has answered, whatever its status.
package struct HTTPReply: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// When to ask again, from `Retry-After`; nil if there is none, or no time to wait.
    package let retryAfterSeconds: Int?

    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Why there is no answer.
package enum HTTPFetchError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(String)
    case timedOut
    case tooLarge
    case tooMany
    case closed
    case addressInvalid(String)

    package var description: String {
        switch self {
        case .unreachable(let reason): "the server is out of reach: \(reason)"
        case .timedOut: "the server has not answered in time"
        case .tooLarge: "the answer is longer than it may be"
        case .tooMany: "too many requests wait already"
        case .closed: "the client has been closed"
        case .addressInvalid(let reason): "that is no address to ask: \(reason)"
        }
    }
}
