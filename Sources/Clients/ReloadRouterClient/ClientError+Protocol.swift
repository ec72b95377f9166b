internal import FrameCodec
internal import ReloadModel

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

extension Retry {
    /// What an ERROR or REJECT says.
    init(_ refusal: RefusalMessage) {
        switch refusal.retry {
        case .no: self = .no
        case .later: self = .later
        case .reconnect: self = .reconnect
        }
    }
}
