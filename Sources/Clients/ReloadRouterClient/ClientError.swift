/// Why a publisher or a device client could not do what it was called for.
public enum ClientError: Error, Equatable, Sendable {
    /// The text is not `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    case addressInvalid(String)
    /// The router cannot be reached, or the connection broke; the text is the system's reason.
    case unreachable(String)
    /// A certificate, a key or an authority that the client was given is not usable; the text says
    /// why.
    case certificateInvalid(String)
    /// The router ended the session, with this code and message in its ERROR frame.
    case refused(code: String, message: String)
    /// The router refused one frame; the session continues.
    case rejected(Rejection)
    /// A body is longer than the router accepts.
    case tooLong(byteCount: Int, limit: Int)
    /// A body violates the protocol; the text says what is wrong, and where.
    case bodyInvalid(String)
    /// A limit of `ClientLimits` is reached; the text says which.
    case limitReached(String)
    /// The peer violates the protocol; it is probably not a router.
    case protocolBroken(String)
    /// The client was closed.
    case closed
    /// The waiting task was cancelled.
    case cancelled

    /// Whether another attempt may succeed: true for faults of the network, time-outs of the router
    /// and a router with too many connections; false if the router would refuse this client again
    /// for the same reason.
    ///
    /// `session-replaced` is final too: otherwise two clients of one name would replace each
    /// other's session for ever.
    public var isTemporary: Bool {
        switch self {
        case .unreachable: true
        case .refused(let code, _): Self.temporaryCodes.contains(code)
        case .addressInvalid, .certificateInvalid, .rejected, .tooLong, .bodyInvalid, .limitReached,
            .protocolBroken,
            .closed, .cancelled:
            false
        }
    }

    private static let temporaryCodes = [
        "hello-timeout", "frame-timeout", "ping-timeout", "too-many-connections",
    ]
}

extension ClientError: CustomStringConvertible {
    /// One sentence for people to read.
    public var description: String {
        switch self {
        case .addressInvalid(let text): "\(text) is not an address such as localhost:7410"
        case .unreachable(let reason): reason
        case .certificateInvalid(let reason): "TLS: \(reason)"
        case .refused(let code, let message): "the router ended the session: \(code): \(message)"
        case .rejected(let rejection): rejection.description
        case .tooLong(let byteCount, let limit):
            "the body has \(byteCount) bytes; the router takes \(limit)"
        case .bodyInvalid(let message): message
        case .limitReached(let limit): "the client's limit is reached: \(limit)"
        case .protocolBroken(let message): "the peer violates the protocol: \(message)"
        case .closed: "the client is closed"
        case .cancelled: "the task was cancelled"
        }
    }
}

/// The router's refusal of one frame; the session continues.
public struct Rejection: Equatable, Sendable, CustomStringConvertible {
    /// The frame's sequence number; for a push, the number that `Publisher.push` returned.
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

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

/// A change of a client's connection, which the client reconnects by itself.
public enum ConnectionChange: Equatable, Sendable {
    /// The router has accepted the session.
    case established
    /// The connection is lost; the client will try to reconnect.
    case lost(ClientError)
    /// The client will make no further attempt.
    case ended(ClientError)
}
