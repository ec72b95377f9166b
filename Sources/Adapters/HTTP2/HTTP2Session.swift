package import Basics
internal import CNGHTTP2

/// One side of an HTTP/2 connection (RFC 9113): requests and answers in, bytes out, and the other
/// way round.
///
///     network ──► receive ──► nextEvent          request, answer ──► takeOutput ──► network
///                    └──────── SETTINGS, PING, WINDOW_UPDATE ─────────────▲
///
/// It does no input or output itself, and has no clock. Events are asked for, so that no owner is
/// called from inside of a call that it makes.
@safe
package final class HTTP2Session {
    /// Which side it is.
    package enum Side: Equatable, Sendable { case client, server }

    /// Which side it is.
    package let side: Side
    let limits: HTTP2Limits
    let context = UnsafeMutablePointer<http2_context>.allocate(capacity: 1)
    let session: OpaquePointer
    var streams: HTTP2Streams
    /// The memory of fields for nghttp2.
    var fields: [nghttp2_nv] = unsafe []
    /// The output that is passed on together.
    private var output: [UInt8] = []
    /// True while output is passed on, and the session may not be used.
    private var isLent = false
    /// True once the peer has said that it goes away.
    package internal(set) var isGoingAway = false

    /// The number of streams that are open, or wait to be.
    package var openCount: Int { streams.openCount }

    /// The most streams that were open at once.
    var slotCount: Int { streams.slotCount }

    /// The bytes that are passed on together: those of one record of TLS.
    private static var outputBytes: Int { 16 << 10 }

    /// Begins a session, whose first output are its settings. Throws `exhausted` without memory.
    package init(_ side: Side, limits: HTTP2Limits = HTTP2Limits()) throws(HTTP2Error) {
        self.side = side
        self.limits = limits
        streams = HTTP2Streams(side)
        unsafe context.initialize(to: http2_context(callbacks: Self.callbacks, context: nil))
        let session = unsafe http2_begin(
            context,
            side == .server,
            UInt32(limits.streams),
            UInt32(limits.headBytes),
            UInt32(limits.streamsBeforeSettings)
        )
        guard let session = unsafe session else {
            unsafe context.deallocate()
            throw HTTP2Error(code: .exhausted, message: "there is no memory for a session")
        }
        unsafe self.session = unsafe session
        // Unretained: nghttp2 calls back only during calls of this object.
        unsafe context.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        output.reserveCapacity(Self.outputBytes)
    }

    deinit {
        unsafe nghttp2_session_del(session)
        unsafe context.deallocate()
    }

    // MARK: - The network

    /// Takes bytes that the network has brought; what they mean are events then, and perhaps
    /// output.
    ///
    /// If they break the rules of HTTP/2, the next output says so to the peer, and then `isOver`
    /// is true.
    ///
    /// - Throws: `peer` if they are no HTTP/2 at all; the session is over then.
    package func receive(_ bytes: ByteView) throws(HTTP2Error) {
        requireUnlent()
        if bytes.count == 0 { return }
        let count = unsafe nghttp2_session_mem_recv(
            session,
            bytes.address.assumingMemoryBound(to: UInt8.self),
            bytes.count
        )
        if count >= 0 { return }
        let reason = unsafe String(cString: nghttp2_strerror(Int32(count)))
        throw HTTP2Error(code: .peer, message: "the peer breaks the rules of HTTP/2: \(reason)")
    }

    /// Passes on what is to be sent, in pieces of up to 16 KiB. Throws `exhausted` without memory;
    /// the session is over then.
    package func takeOutput(_ body: (ByteView) -> Void) throws(HTTP2Error) {
        requireUnlent()
        while true {
            var bytes: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &bytes)
            if count < 0 {
                throw HTTP2Error(code: .exhausted, message: "there is no memory for output")
            }
            guard count > 0, let bytes = unsafe bytes else { break }
            if output.count + count > Self.outputBytes { passOn(body) }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
        passOn(body)
    }

    /// Traps while output is passed on: nghttp2 has lent memory that a call would change.
    func requireUnlent() { precondition(!isLent, "a session is used while output is passed on") }

    private func passOn(_ body: (ByteView) -> Void) {
        if output.isEmpty { return }
        isLent = true
        output.withByteView(body)
        isLent = false
        output.removeAll(keepingCapacity: true)
    }

    /// True once neither side has anything left to say, or the peer has broken the rules: the
    /// connection is to be closed.
    package var isOver: Bool {
        unsafe nghttp2_session_want_read(session) == 0
            && nghttp2_session_want_write(session) == 0
    }

    // MARK: - Events

    /// The next event; nil if there is none.
    ///
    /// The message of the event before must not be looked at any more.
    package func nextEvent() -> HTTP2Event? { streams.nextEvent() }

    /// The message of an exchange, valid until the next event is asked for; on a server until the
    /// request is answered.
    package func message(of exchange: HTTP2Exchange) -> HTTP2Message {
        streams.message(of: exchange.slot)
    }

    // MARK: - Slots

    /// What nghttp2 keeps for the stream of a slot.
    func userData(of slot: Int) -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(bitPattern: slot + 1)
    }

    /// The slot of a stream; nil if nghttp2 knows no such stream.
    func slot(of stream: Int32) -> Int? {
        let data = unsafe nghttp2_session_get_stream_user_data(session, stream)
        return unsafe data.map { Int(bitPattern: $0) - 1 }
    }
}
