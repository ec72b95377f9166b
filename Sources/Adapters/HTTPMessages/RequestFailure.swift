/// Why what a client sends is not read as a request.
package enum RequestFailure: Equatable, Sendable {
    /// It is not HTTP, or ambiguous: such as one with two lengths.
    case malformed
    /// The request line is longer than the head may be.
    case targetTooLong
    /// The head is too long, or has too many headers.
    case headTooLong
    /// It is of another version than HTTP/1.
    case version

    /// The status of the answer.
    package var status: UInt32 {
        switch self {
        case .malformed: 400
        case .targetTooLong: 414
        case .headTooLong: 431
        case .version: 505
        }
    }
}
