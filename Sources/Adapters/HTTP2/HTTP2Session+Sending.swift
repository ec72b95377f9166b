package import Basics
internal import CNGHTTP2

/// What a session says to its peer.
extension HTTP2Session {
    /// The most streams that the peer allows at once.
    package var peerStreams: Int { unsafe Int(http2_peer_streams(session)) }

    /// Sends a request, which its owner calls by a number, with a copy of the body; its answer, or
    /// its end without one, is an event later. Throws `exhausted` if the session takes no more
    /// requests.
    package func request(
        _ number: UInt64,
        fields: HTTP2Fields,
        body: ByteView,
        now: MonotonicTime
    ) throws(HTTP2Error) {
        requireUnlent()
        precondition(side == .client, "a server sends no requests")
        if isGoingAway {
            throw HTTP2Error(code: .exhausted, message: "the server takes no more requests")
        }
        let slot = streams.open(number)
        let stream = unsafe withFields(of: fields) { start, count in
            unsafe http2_request(session, start, count, body.count > 0, userData(of: slot))
        }
        if stream < 0 {
            streams.giveBack(slot)
            throw HTTP2Error(code: .exhausted, message: "the session takes no more requests")
        }
        streams.sent(slot, on: stream, body: body, at: now)
    }

    /// Resets the streams of requests that were sent before a time and have no answer yet; each is
    /// reported as ended. Returns how many there were.
    package func cancel(sentBefore time: MonotonicTime) -> Int {
        let late = streams.open(sentBefore: time)
        for exchange in late { cancel(exchange) }
        return late.count
    }

    /// Ends all streams, because the connection is lost; each is reported as ended. Without an
    /// ending, it is not known what the peer has done with the requests.
    package func endAll(as ending: HTTP2Ending? = nil) {
        streams.endAll(as: ending ?? .unknown(code: NGHTTP2_CONNECT_ERROR.rawValue))
    }

    /// Answers a request; nothing is sent if its client has not waited. Throws `exhausted` without
    /// memory.
    package func answer(
        _ exchange: HTTP2Exchange,
        fields: HTTP2Fields,
        body: ByteView
    ) throws(HTTP2Error) {
        requireUnlent()
        precondition(side == .server, "a client answers no requests")
        guard let slot = slot(of: exchange.stream), slot == exchange.slot else { return }
        streams.answer(slot, body: body)
        let status = unsafe withFields(of: fields) { start, count in
            unsafe http2_answer(session, exchange.stream, start, count, body.count > 0)
        }
        if status != 0 {
            throw HTTP2Error(code: .exhausted, message: "there is no memory for an answer")
        }
    }

    /// Asks the peer for a sign of life; `pong` is the event of its answer.
    package func ping() {
        requireUnlent()
        unsafe _ = nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Resets a stream, because its answer does not come.
    package func cancel(_ exchange: HTTP2Exchange) {
        requireUnlent()
        unsafe _ = nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            exchange.stream,
            NGHTTP2_CANCEL.rawValue
        )
    }

    /// Says to the peer that this side goes away. On a server, streams that are open are answered
    /// still.
    ///
    /// - Parameters:
    ///   - code: why, by RFC 9113, section 7; 0 if nothing is wrong.
    ///   - lastStream: the last stream that is answered; nil for the last one that has come.
    ///   - text: what else there is to say.
    package func goAway(code: UInt32 = 0, lastStream: Int32? = nil, text: [UInt8] = []) {
        requireUnlent()
        let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
        unsafe _ = nghttp2_submit_goaway(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            last,
            code,
            text,
            text.count
        )
    }

    /// Announces another number of streams that a client may open at once.
    package func allow(streams: Int) {
        requireUnlent()
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(streams)
        )
        unsafe _ = nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
    }

    /// Gives nghttp2 the fields of a head, which it copies.
    private func withFields<Result>(
        of list: HTTP2Fields,
        body: (UnsafePointer<nghttp2_nv>, Int) -> Result
    ) -> Result {
        precondition(!list.entries.isEmpty, "a message has a head")
        return unsafe list.bytes.withUnsafeBufferPointer { bytes in
            unsafe fields.removeAll(keepingCapacity: true)
            let base = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress!)
            for entry in list.entries {
                unsafe fields.append(
                    nghttp2_nv(
                        name: base + entry.nameStart,
                        value: base + entry.valueStart,
                        namelen: entry.nameCount,
                        valuelen: entry.valueCount,
                        flags: UInt8(
                            entry.isLiteral
                                ? NGHTTP2_NV_FLAG_NO_INDEX.rawValue : NGHTTP2_NV_FLAG_NONE.rawValue
                        )
                    )
                )
            }
            return unsafe fields.withUnsafeBufferPointer { unsafe body($0.baseAddress!, $0.count) }
        }
    }
}
