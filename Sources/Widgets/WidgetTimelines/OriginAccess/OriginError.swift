/// Why an `OriginSession` got no data from the server.
public enum OriginError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No simulated device runs the code, or its fleet has no server.
    case noOrigin
    /// The device has no connection.
    case offline
    /// The server cannot be reached, or did not answer in time.
    case unreachable(String)
    /// The server answered with a status other than 200; for 429 and 503, also after retries.
    case refused(status: Int)

    /// The error as one sentence fragment.
    public var description: String {
        switch self {
        case .noOrigin: "there is no origin to ask"
        case .offline: "the device is offline"
        case .unreachable(let reason): "the origin cannot be reached: \(reason)"
        case .refused(let status): "the origin answered with status \(status)"
        }
    }
}
