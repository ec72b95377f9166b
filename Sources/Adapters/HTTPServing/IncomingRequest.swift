internal import Basics

/// A request while it is read.
///
///     head ──► body: kept up to the limit ──► taken
///                  └─► refused, and discarded ──► taken
///
/// A body may have keys and codes, so that it is overwritten when it is dropped.
///
/// Belongs to the server's thread.
final class IncomingRequest: @unchecked Sendable {
    // Unchecked: only the server's thread uses it.

    private let head: HTTPRequest
    /// The length of the body, as the head announces it; nil if it comes in chunks.
    private let announcedCount: Int?
    /// True if the client waits for permission before it sends the body.
    let expectsContinue: Bool
    /// The body so far.
    private var kept: [UInt8] = []
    /// Why the body is discarded; nil while it is kept.
    private var refusal: HTTPBody?
    /// The number of bytes of the body that have arrived, kept or not.
    private var receivedCount = 0
    /// The longest body in bytes; nil if the body is not read.
    private let limit: Int?

    /// A request of which only the head was read. `announcedCount` is the length of the body, nil
    /// if it comes in chunks; `limit` the longest one in bytes, nil if the body is not read.
    init(
        _ request: HTTPRequest,
        announcedCount: Int?,
        expectsContinue: Bool,
        bodyLimit limit: Int?
    ) {
        self.head = request
        self.announcedCount = announcedCount
        self.expectsContinue = expectsContinue && announcedCount != 0
        self.limit = limit
    }

    /// Whether to read the body of a request.
    enum Judgement {
        case read
        /// Answer before the body has arrived, and then close the connection.
        case answerAtOnce
    }

    /// Decides whether to read the body of a request whose head has arrived.
    ///
    /// A body that is not kept is usually read all the same, and discarded, so that a client which
    /// sends all of it before it listens gets its answer.
    func judge(discardLimit: Int) -> Judgement {
        assert(receivedCount == 0 && refusal == nil, "the body is being read already")
        // A GET or HEAD has no body; answering it before its end would close its connection.
        guard let limit else { return head.isRead ? .read : .answerAtOnce }
        guard let announcedCount, announcedCount > limit else { return .read }
        refuse(.tooLarge)
        let isLong = announcedCount > max(limit, discardLimit)
        return isLong || expectsContinue ? .answerAtOnce : .read
    }

    /// What to do with bytes of the body.
    enum BodyHandling {
        case keep
        /// Read the bytes and discard them.
        case discard
        /// Close the connection.
        case close
    }

    /// Decides what to do with bytes of the body that have arrived; of one that is discarded, at
    /// most `discardLimit` bytes are read.
    func received(_ count: Int, discardLimit: Int) -> BodyHandling {
        assert(count >= 0, "a part of \(count) bytes")
        guard let limit else { return .close }
        receivedCount += count
        if receivedCount > limit, refusal == nil { refuse(.tooLarge) }
        if refusal == nil { return .keep }
        return receivedCount > max(limit, discardLimit) ? .close : .discard
    }

    /// Adds bytes to the body.
    func keep(_ bytes: UnsafeRawBufferPointer) {
        assert(refusal == nil, "a body is kept that is to be discarded")
        makeRoom(for: bytes.count)
        unsafe kept.append(contentsOf: bytes)
        assert(kept.count == receivedCount, "a part of the body was not kept")
    }

    /// Makes room for more bytes of the body, and leaves none of it in the memory before.
    private func makeRoom(for count: Int) {
        let needed = kept.count + count
        if needed <= kept.capacity { return }
        var larger: [UInt8] = []
        larger.reserveCapacity(max(needed, 2 * kept.capacity))
        larger += kept
        kept.erase()
        kept = larger
    }

    /// Discards the body: what has arrived, and what follows.
    func refuse(_ reason: HTTPBody) {
        assert(refusal == nil, "the body is refused already")
        assert(reason == .tooLarge || reason == .noRoom, "there is no reason to refuse the body")
        refusal = reason
        kept.erase()
        kept = []
    }

    /// Overwrites the body, at the end of the connection.
    func erase() {
        kept.erase()
        kept = []
    }

    /// Returns the request with its body; to be called once.
    func take() -> HTTPRequest {
        var request = head
        request.body = refusal ?? .whole(kept)
        kept = []
        return request
    }
}
