/// Why a server did not give what it was asked for.
public enum OriginError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No device runs the code, or its fleet has no server.
    case noOrigin
    /// The device has no connection.
    case offline
    /// The server cannot be reached, or did not answer in time.
    case unreachable(String)
    /// The server answered with a status other than 200, also when it was asked again.
    case refused(status: Int)

    /// A sentence.
    public var description: String {
        switch self {
        case .noOrigin: "there is no origin to ask"
        case .offline: "the device is offline"
        case .unreachable(let reason): "the origin cannot be reached: \(reason)"
        case .refused(let status): "the origin answered with status \(status)"
        }
    }
}
