internal import ReloadModel

extension ClientError {
    /// The error for a body that the router should not have sent.
    init(_ error: ProtocolError) {
        self = .protocolBroken("\(error.code.rawValue): \(error.message)")
    }
}
