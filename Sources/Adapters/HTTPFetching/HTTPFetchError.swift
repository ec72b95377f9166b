/// Why there is no answer.
package enum HTTPFetchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No address could be reached, or the connection broke.
    case unreachable(String)
    /// TLS with the server has failed, such as because its certificate is not one to trust.
    case security(String)
    /// A limit on time was exceeded.
    case timedOut
    /// The body is longer than it may be.
    case tooLarge
    /// The bytes received are not a complete HTTP answer.
    case broken(String)
    /// As many requests wait as `HTTPClientLimits.waiting` allows.
    case tooMany
    /// The client was closed.
    case closed
    /// The address is malformed or of no supported protocol.
    case addressInvalid(String)

    /// A sentence for people, without a full stop.
    package var description: String {
        switch self {
        case .unreachable(let reason): "the server is out of reach: \(reason)"
        case .security(let reason): "no TLS with the server: \(reason)"
        case .timedOut: "the server has not answered in time"
        case .tooLarge: "the answer is longer than it may be"
        case .broken(let reason): "what answers is not the server that was meant: \(reason)"
        case .tooMany: "too many requests wait already"
        case .closed: "the client has been closed"
        case .addressInvalid(let reason): "that is not a valid address: \(reason)"
        }
    }
}
