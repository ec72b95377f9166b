internal import Basics
internal import FrameCodec

/// Why a publisher or a device client could not do what it was called for.
public enum ClientError: Error, Equatable, Sendable {
    /// The text is not `HOST:PORT`, `[IPv6]:PORT` or `HOST`.
    case addressInvalid(String)
    /// The router cannot be reached, or the connection broke; the text is the system's reason.
    case unreachable(String)
    /// A certificate, a key or an authority that the client was given is not usable; the text says
    /// why.
    case certificateInvalid(String)
    /// The `TokenProvider` has thrown an error, which the text is.
    case tokenUnavailable(String)
    /// The router ended the session; its ERROR frame has this code and message, and says whether
    /// another attempt may succeed.
    case refused(code: String, retry: Retry, message: String)
    /// The router refused one frame, after which the session continues, or a question.
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

    /// Whether another attempt may succeed: true for faults of the network, and where the router
    /// says so; false if the router would refuse this client again for the same reason.
    ///
    /// `session-replaced` is final too: otherwise two clients of one name would replace each
    /// other's session for ever.
    public var isTemporary: Bool {
        switch self {
        case .unreachable, .tokenUnavailable: true
        case .refused(_, let retry, _): retry != .no
        case .addressInvalid, .certificateInvalid, .rejected, .tooLong, .bodyInvalid, .limitReached,
            .protocolBroken,
            .closed, .cancelled:
            false
        }
    }

    /// Whether another token may be let in where this one no longer is.
    var asksForNewToken: Bool {
        guard case .refused(let code, _, _) = self else { return false }
        return code == ErrorCode.tokenExpired.rawValue || code == ErrorCode.tokenRevoked.rawValue
    }

    /// Whether another attempt should wait for as long as attempts ever do: the router has no room.
    var wantsLongPause: Bool {
        if case .refused(_, .later, _) = self { return true }
        return false
    }
}

extension ClientError: CustomStringConvertible {
    /// One sentence for people to read.
    public var description: String {
        switch self {
        case .addressInvalid(let text): "\(text) is not an address such as localhost:7410"
        case .unreachable(let reason): reason
        case .certificateInvalid(let reason): "TLS: \(reason)"
        case .tokenUnavailable(let reason): "there is no token: \(reason)"
        case .refused(let code, _, let message): "the router ended the session: \(code): \(message)"
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

/// The router's refusal of one frame, after which the session continues, or of a question.
public struct Rejection: Equatable, Sendable, CustomStringConvertible {
    /// The frame's sequence number; for a push and its history, the number that `Publisher.push`
    /// returned.
    public let seq: UInt64
    /// The stable code, such as `payload-not-json`.
    public let code: String
    /// Whether the same frame or question may be accepted when it is sent again.
    public let retry: Retry
    /// What was wrong and where, for people.
    public let message: String

    /// Makes a rejection.
    public init(seq: UInt64, code: String, retry: Retry = .no, message: String) {
        self.seq = seq
        self.code = code
        self.retry = retry
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

/// Whether what the router has refused may be accepted when it is tried again, as its ERROR or
/// REJECT says.
public enum Retry: String, CaseIterable, Sendable {
    /// Something has to be changed first: the sender, its credential, or the app file.
    case no
    /// The same may be accepted later, with nothing changed.
    case later
    /// The same is accepted over a new connection.
    case reconnect

    init(_ advice: RetryAdvice) { self = Retry(rawValue: advice.rawValue) ?? .no }
}

extension ClientError {
    /// Runs code for what the router has sent; a body that it should not have sent breaks the
    /// protocol.
    static func reading<Value>(
        _ body: () throws(ProtocolError) -> Value
    ) throws(ClientError) -> Value {
        do throws(ProtocolError) {
            return try body()
        } catch {
            throw .protocolBroken("\(error.code.rawValue): \(error.message)")
        }
    }
}

extension Rejection {
    /// The rejection of a frame by its REJECT.
    init(_ refusal: RefusalMessage, of seq: UInt64) {
        self.init(
            seq: seq,
            code: refusal.code,
            retry: Retry(refusal.retry),
            message: refusal.message
        )
    }

    /// The rejection of a push whose REJECT was lost with its connection.
    init(_ push: RejectedPush) {
        self.init(
            seq: push.seq,
            code: push.code,
            retry: Retry(ErrorCode(rawValue: push.code)?.retry ?? .no),
            message: "the router refused it, and its sentence was lost with the connection"
        )
    }
}
