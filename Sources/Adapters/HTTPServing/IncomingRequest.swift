/// A request while it is read.
///
///     head ──► body: kept up to the limit ──► taken
///                  └─► refused, and passed over ──► taken
///
/// Belongs to the server's thread.
final class IncomingRequest: @unchecked Sendable {
    // Unchecked: nothing here is used on another thread.

    private let head: HTTPRequest
    private var kept: [UInt8] = []
    /// Why nothing is kept; nil if all of it is.
    private var refusal: HTTPBody?
    /// Bytes that have come, kept or not.
    private var receivedCount = 0
    /// Of the body, in bytes; nil if it is not read.
    private let limit: Int?
    /// Its connection is to be closed, to make room.
    private(set) var isEnded = false

    /// - Parameters:
    ///   - head: the request without its body.
    ///   - limit: of the body, in bytes; nil if it is not read.
    init(_ head: HTTPRequest, bodyLimit limit: Int?) {
        self.head = head
        self.limit = limit
    }

    enum Judgement {
        case read
        /// And close its connection then.
        case answerAtOnce
    }

    /// Whether to read the body of a request whose head has come.
    ///
    /// A body that is not kept is passed over all the same, so that a client which sends all of it
    /// before it listens gets its answer.
    func judge(passedOverLimit: Int) -> Judgement {
        // A read has no body; answered before its end, it would end its connection.
        guard let limit else { return head.isRead ? .read : .answerAtOnce }
        guard let announced = head.announcedByteCount, announced > limit else { return .read }
        refuse(.tooLarge)
        let isLong = announced > max(limit, passedOverLimit)
        return isLong || head.waitsForLeave ? .answerAtOnce : .read
    }

    /// What is to become of bytes of the body.
    enum Use {
        case keep
        case passOver
        /// The connection is to be closed.
        case close
    }

    /// Bytes of the body have come.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - passedOverLimit: how many are read at most if they are not kept.
    /// - Returns: what is to become of them.
    func received(_ count: Int, passedOverLimit: Int) -> Use {
        guard let limit, !isEnded else { return .close }
        receivedCount += count
        if receivedCount > limit, refusal == nil { refuse(.tooLarge) }
        if refusal == nil { return .keep }
        return receivedCount > max(limit, passedOverLimit) ? .close : .passOver
    }

    func keep(_ bytes: UnsafeRawBufferPointer) {
        unsafe kept.append(contentsOf: bytes)
    }

    /// Keeps nothing of the body.
    func refuse(_ reason: HTTPBody) {
        refusal = reason
        kept = []
    }

    /// Has the connection closed at the next byte that comes.
    func end() {
        isEnded = true
        kept = []
    }

    /// The request with what has come of its body; to be called once.
    func take() -> HTTPRequest {
        var request = head
        request.body = refusal ?? .whole(kept)
        kept = []
        return request
    }
}
