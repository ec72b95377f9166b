internal import Basics
internal import FrameCodec

extension ClientError {
    /// The error for a body that the router should not have sent.
    init(_ error: ProtocolError) {
        self = .protocolBroken("\(error.code.rawValue): \(error.message)")
    }
}

extension Rejection {
    /// The rejection of a frame by its REJECT.
    init(_ refusal: RefusalMessage, of seq: UInt64) {
        self.init(
            seq: seq,
            code: refusal.code,
            retry: Retry(refusal),
            message: refusal.message
        )
    }
}

extension Rejection {
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

extension Retry {
    /// What an ERROR or REJECT says.
    init(_ refusal: RefusalMessage) { self.init(refusal.retry) }

    fileprivate init(_ advice: RetryAdvice) {
        switch advice {
        case .no: self = .no
        case .later: self = .later
        case .reconnect: self = .reconnect
        }
    }
}
