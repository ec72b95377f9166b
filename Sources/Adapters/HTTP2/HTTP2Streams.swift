internal import Basics

/// What a session keeps of its streams, and the events of which its owner has not asked yet.
///
///     open ──► the peer's message comes ──► closed ──► event ──► asked for: lent ──► free
///
/// A stream is known by its slot, which a later stream uses again with its memory. What nghttp2
/// calls back is one call here.
struct HTTP2Streams {
    /// One stream.
    private struct Stream {
        /// What nghttp2 calls it.
        var id: Int32 = 0
        var number: UInt64 = 0
        /// When a client has sent the request.
        var sentAt = MonotonicTime.zero
        /// What the peer sends.
        var message = HTTP2Message()
        /// The body that is sent to the peer, and how much of it was.
        var body: [UInt8] = []
        var sentCount = 0
        /// True once the peer's message is complete.
        var isComplete = false
        /// True if an answer was given to the peer's request.
        var isAnswered = false
        /// True from the beginning of the stream to its end.
        var isOpen = false
        /// True once the stream is closed, until its slot is free.
        var isClosed = false
        /// True while an event about the stream waits to be asked for.
        var isQueued = false

        /// Copies the body that is to be sent.
        mutating func setBody(_ bytes: ByteView) {
            body.removeAll(keepingCapacity: true)
            unsafe body.append(
                contentsOf: UnsafeRawBufferPointer(start: bytes.address, count: bytes.count)
            )
        }

        /// Makes it ready for another stream, and keeps its memory.
        mutating func clear() {
            message.removeAll()
            body.removeAll(keepingCapacity: true)
            sentCount = 0
            isComplete = false
            isAnswered = false
            isClosed = false
        }
    }

    private let side: HTTP2Session.Side
    private var streams: ContiguousArray<Stream> = []
    private var free: [Int] = []
    private var events = FIFO<HTTP2Event>()
    /// The slot whose message the last event was about; it is free from the next event on.
    private var lentSlot: Int?
    /// The number of streams that are open, or wait to be.
    private(set) var openCount = 0

    init(_ side: HTTP2Session.Side) { self.side = side }

    /// The most streams that were open at once.
    var slotCount: Int { streams.count }

    // MARK: - Beginning

    /// Takes a slot for a stream that is being opened: `number` is what a client's owner calls the
    /// request, `id` what nghttp2 calls the stream, if it knows it yet; otherwise 0.
    mutating func open(_ number: UInt64, id: Int32 = 0) -> Int {
        let slot: Int
        if let last = free.popLast() {
            slot = last
        } else {
            slot = streams.count
            streams.append(Stream())
        }
        streams[slot].id = id
        streams[slot].number = number
        streams[slot].isOpen = true
        openCount += 1
        return slot
    }

    /// Frees the slot of a stream that could not be opened.
    mutating func giveBack(_ slot: Int) {
        streams[slot].isOpen = false
        openCount -= 1
        release(slot)
    }

    /// A client's request has a stream.
    mutating func sent(_ slot: Int, on id: Int32, body: ByteView, at time: MonotonicTime) {
        streams[slot].id = id
        streams[slot].sentAt = time
        streams[slot].setBody(body)
    }

    /// The streams of requests that were sent before a time and are open.
    func open(sentBefore time: MonotonicTime) -> [HTTP2Exchange] {
        streams.indices
            .filter { streams[$0].isOpen && streams[$0].sentAt < time }
            .map { exchange($0) }
    }

    // MARK: - What comes

    /// Adds a field to the message that comes; returns false if its head would be longer than
    /// `limit`.
    mutating func append(
        _ name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        to slot: Int,
        limit: Int
    ) -> Bool {
        unsafe streams[slot].message.append(name, value: value, limit: limit)
    }

    /// Adds a piece to the body that comes. Returns false if a request's body would be longer than
    /// `limit`. Of an answer, whose head has said what has become of the request, the rest is
    /// dropped.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>, to slot: Int, limit: Int) -> Bool {
        unsafe streams[slot].message.append(piece, limit: limit) || side == .client
    }

    /// The peer's message is complete.
    mutating func completed(_ slot: Int) {
        streams[slot].isComplete = true
        if side == .server { queue(.message(exchange(slot)), about: slot) }
    }

    /// A stream is closed; `ending` says how it has ended, if no answer has come, and is nil if
    /// nothing was wrong.
    mutating func closed(_ slot: Int, ending: HTTP2Ending?) {
        if !streams[slot].isOpen { return }
        streams[slot].isOpen = false
        streams[slot].isClosed = true
        openCount -= 1
        assert(openCount >= 0, "more streams are closed than were open")
        if side == .client {
            queueEnd(of: slot, ending: ending)
        } else if !streams[slot].isAnswered && !streams[slot].isQueued {
            queue(.ended(exchange(slot), ending ?? .unknown(code: 0)), about: slot)
        } else if !streams[slot].isQueued && lentSlot != slot {
            release(slot)
        }
    }

    /// Ends all streams; each is reported as ended.
    mutating func endAll(as ending: HTTP2Ending) {
        for slot in streams.indices where streams[slot].isOpen {
            streams[slot].isOpen = false
            streams[slot].isClosed = true
            openCount -= 1
            if side == .client {
                queueEnd(of: slot, ending: ending)
            } else {
                queue(.ended(exchange(slot), ending), about: slot)
            }
        }
    }

    /// Reports a client's stream. A head that says that the request was accepted is an answer, even
    /// if the rest of it never comes.
    private mutating func queueEnd(of slot: Int, ending: HTTP2Ending?) {
        let isWhole = streams[slot].isComplete && ending == nil
        if isWhole || (200..<300).contains(streams[slot].message.status) {
            queue(.message(exchange(slot)), about: slot)
        } else {
            queue(.ended(exchange(slot), ending ?? .unknown(code: 0)), about: slot)
        }
    }

    // MARK: - What is sent

    /// Sets the body of the answer to a request; traps if there was one.
    mutating func answer(_ slot: Int, body: ByteView) {
        precondition(!streams[slot].isAnswered, "a request is answered twice")
        streams[slot].isAnswered = true
        streams[slot].setBody(body)
    }

    /// Copies as much as fits of what is left of the body that is sent.
    mutating func takeBody(
        of slot: Int,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool) {
        let start = streams[slot].sentCount
        let left = streams[slot].body.count - start
        let count = min(left, bytes.count)
        unsafe bytes.copyBytes(from: streams[slot].body[start..<start + count])
        streams[slot].sentCount += count
        return (count, count == left)
    }

    // MARK: - Events

    /// Adds an event that is about no stream.
    mutating func post(_ event: HTTP2Event) { events.append(event) }

    /// The next event; nil if there is none.
    mutating func nextEvent() -> HTTP2Event? {
        releaseLent()
        while let event = events.popFirst() {
            switch event {
            case .message(let exchange), .ended(let exchange, _):
                streams[exchange.slot].isQueued = false
                lentSlot = exchange.slot
                if side == .server, case .message = event, streams[exchange.slot].isClosed {
                    // Its client has not waited for the answer.
                    releaseLent()
                    continue
                }
            default: break
            }
            return event
        }
        return nil
    }

    /// The peer's message on a stream.
    func message(of slot: Int) -> HTTP2Message { streams[slot].message }

    private mutating func queue(_ event: HTTP2Event, about slot: Int) {
        streams[slot].isQueued = true
        events.append(event)
    }

    private mutating func releaseLent() {
        guard let slot = lentSlot else { return }
        lentSlot = nil
        if streams[slot].isClosed && !streams[slot].isQueued { release(slot) }
    }

    private mutating func release(_ slot: Int) {
        streams[slot].clear()
        free.append(slot)
    }

    private func exchange(_ slot: Int) -> HTTP2Exchange {
        HTTP2Exchange(stream: streams[slot].id, number: streams[slot].number, slot: slot)
    }
}
