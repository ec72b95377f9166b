/// How much one read may bring, so that a turn of the loop ends in time however many connections
/// have much to say, and whatever their frames cost.
///
/// Doubled behind a turn that was short although a read was cut off, halved behind one that was too
/// long; what is left of that one brings the least.
struct ReadShare {
    /// A turn that has taken longer than this, in ns, is too long.
    static var longTurn: UInt64 { 20_000_000 }
    /// One that has taken less is short.
    static var shortTurn: UInt64 { 10_000_000 }
    static var least: Int { 4 << 10 }
    /// The clock is read again when so many bytes more have come.
    static var stride: Int { 64 << 10 }

    private let most: Int
    private var share: Int
    /// When about the turn's first `stride` had come; nil before that.
    private var begin: UInt64?
    private var elapsed: UInt64 = 0
    private var byteCount = 0
    private var hasFullRead = false

    init(most: Int) {
        self.most = most
        share = most
    }

    private var isLong: Bool { elapsed > Self.longTurn }

    /// Bytes that the next read may bring.
    var limit: Int { isLong ? Self.least : share }

    /// A read has brought so many bytes, and they have been dealt with.
    mutating func note(_ count: Int, isFull: Bool, now: () -> UInt64) {
        if isFull { hasFullRead = true }
        byteCount += count
        if byteCount < Self.stride { return }
        byteCount = 0
        let time = now()
        if let begin { elapsed = time - begin } else { begin = time }
    }

    /// All have been read from that had something to say.
    mutating func endTurn() {
        if isLong {
            share = max(Self.least, share / 2)
        } else if hasFullRead && elapsed < Self.shortTurn {
            share = min(most, share * 2)
        }
        begin = nil
        elapsed = 0
        byteCount = 0
        hasFullRead = false
    }
}
