/// Why a publisher or a device client could not do what it was asked to.
public enum ClientError: Error, Equatable, Sendable {
    /// The text is not `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    case addressInvalid(String)
    /// The router cannot be reached, or the connection broke: what the system says.
    case unreachable(String)
    /// The router ended the session: the code and the sentence of its ERROR frame.
    case refused(code: String, message: String)
    /// The router refused one frame and the session goes on.
    case rejected(Rejection)
    /// A body is longer than the router takes.
    case tooLong(byteCount: Int, limit: Int)
    /// A body is not what the protocol wants: what is wrong with it, and where.
    case bodyInvalid(String)
    /// One of `ClientLimits` is reached: which one.
    case limitReached(String)
    /// The peer does not keep to the protocol; it is probably no router.
    case protocolBroken(String)
    /// The client was closed.
    case closed
    /// The task that waited was cancelled.
    case cancelled

    /// Whether another attempt may go better: the network's faults and the router's time-outs, but
    /// not a refusal of what this client is.
    ///
    /// `session-replaced` is final too: two clients of one name would otherwise take the session
    /// from each other for ever.
    public var isTemporary: Bool {
        switch self {
        case .unreachable: true
        case .refused(let code, _): Self.temporaryCodes.contains(code)
        case .addressInvalid, .rejected, .tooLong, .bodyInvalid, .limitReached, .protocolBroken,
            .closed, .cancelled:
            false
        }
    }

    private static let temporaryCodes = [
        "hello-timeout", "frame-timeout", "ping-timeout", "too-many-connections",
    ]
}

extension ClientError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .addressInvalid(let text): "\(text) is not an address such as localhost:7410"
        case .unreachable(let reason): reason
        case .refused(let code, let message): "the router ended the session: \(code): \(message)"
        case .rejected(let rejection): rejection.description
        case .tooLong(let byteCount, let limit):
            "the body has \(byteCount) bytes; the router takes \(limit)"
        case .bodyInvalid(let message): message
        case .limitReached(let limit): "the client's limit is reached: \(limit)"
        case .protocolBroken(let message): "the peer does not keep to the protocol: \(message)"
        case .closed: "the client is closed"
        case .cancelled: "the task was cancelled"
        }
    }
}

/// One frame that the router refused; the session goes on.
public struct Rejection: Equatable, Sendable, CustomStringConvertible {
    /// The frame's sequence number: of a push, what `Publisher.push` returned.
    public let seq: UInt64
    /// The stable code, such as `payload-not-json`.
    public let code: String
    /// What was wrong and where, for people.
    public let message: String

    /// Makes a rejection.
    public init(seq: UInt64, code: String, message: String) {
        self.seq = seq
        self.code = code
        self.message = message
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}

/// What happens to the connection of a client, which reconnects by itself.
public enum ConnectionChange: Equatable, Sendable {
    /// The router has accepted the session.
    case established
    /// The connection is gone; the next attempt follows.
    case lost(ClientError)
    /// There will be no further attempt.
    case ended(ClientError)
}
