/// Why what a client sends is not read as a request.
package enum RequestFailure: Equatable, Sendable {
    /// It is not HTTP, or ambiguous: such as one with two lengths.
    case malformed
    /// The request line is longer than the head may be.
    case targetTooLong
    /// The head is too long, or has too many headers.
    case headTooLong
    /// It names no host, or several.
    case host
    /// It is of another version than HTTP/1.
    case version
    /// Its body is coded in another way than in chunks alone.
    case transferCoding
    /// Not all of it has arrived in time.
    case late

    /// Judges how a body is coded (RFC 9112, section 6): in chunks alone, or not at all. Nil if
    /// nothing is against it.
    ///
    /// - Parameters:
    ///   - values: those of the headers `Transfer-Encoding`.
    ///   - isOld: whether the request is of HTTP/1.0, which has no such header.
    ///   - hasLength: whether a header states the length as well, so that two programs may find the
    ///     end at two places.
    package init?(transferCodings values: [String], isOld: Bool, hasLength: Bool) {
        if values.isEmpty { return nil }
        let codings = values.joined(separator: ",").split(separator: ",")
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty }
        // Without chunks at last, nothing says where the body ends.
        guard !isOld, !hasLength, codings.last == "chunked",
            !codings.dropLast().contains("chunked")
        else {
            self = .malformed
            return
        }
        if codings.count == 1 { return nil }
        self = .transferCoding
    }

    /// The status of the answer.
    package var status: UInt32 {
        switch self {
        case .malformed, .host: 400
        case .late: 408
        case .targetTooLong: 414
        case .headTooLong: 431
        case .version: 505
        case .transferCoding: 501
        }
    }

    /// What is wrong, as a sentence for people, without quotation marks and backslashes.
    package var detail: String {
        switch self {
        case .malformed: "this is no request that HTTP/1.1 allows"
        case .host: "the request must name one host"
        case .version: "the server speaks HTTP/1.1"
        case .transferCoding: "the only Transfer-Encoding that is read is chunked"
        case .late: "the request has not arrived in time"
        case .targetTooLong: "the request line is too long"
        case .headTooLong: "the headers are too long, or too many"
        }
    }
}
