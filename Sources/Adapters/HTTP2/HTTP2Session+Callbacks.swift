internal import Basics
internal import CNGHTTP2

/// What nghttp2 calls back; it does so during calls of the session alone.
extension HTTP2Session {
    private func streamBegins(_ stream: Int32) {
        let slot = streams.open(0, id: stream)
        unsafe _ = nghttp2_session_set_stream_user_data(session, stream, userData(of: slot))
    }

    private func received(
        _ name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        on stream: Int32
    ) -> Bool {
        guard let slot = slot(of: stream) else { return true }
        if unsafe !HTTP2Message.isPossible(name, value: value) { return false }
        return unsafe streams.append(name, value: value, to: slot, limit: limits.headBytes)
    }

    private func received(_ piece: UnsafeBufferPointer<UInt8>, on stream: Int32) -> Bool {
        guard let slot = slot(of: stream) else { return true }
        return unsafe streams.append(piece, to: slot, limit: limits.bodyBytes)
    }

    private func closed(_ stream: Int32, code: UInt32) {
        guard let slot = slot(of: stream) else { return }
        let ending: HTTP2Ending? =
            switch code {
            case NGHTTP2_NO_ERROR.rawValue: nil
            case NGHTTP2_REFUSED_STREAM.rawValue where side == .client: .notProcessed
            default: .unknown(code: code)
            }
        streams.closed(slot, ending: ending)
    }

    private func peerGoesAway(_ code: UInt32, text: [UInt8]) {
        isGoingAway = true
        streams.post(.goingAway(code: code, text: text))
    }

    private func takeBody(
        _ stream: Int32,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool) {
        guard let slot = slot(of: stream) else { return (0, true) }
        return unsafe streams.takeBody(of: slot, into: bytes)
    }

    static var callbacks: http2_callbacks {
        unsafe http2_callbacks(
            begun: { unsafe HTTP2Session.of($0).streamBegins($1) },
            field: {
                unsafe HTTP2Session.of($0).received(
                    UnsafeBufferPointer(start: $2, count: $3),
                    value: UnsafeBufferPointer(start: $4, count: $5),
                    on: $1
                )
            },
            piece: {
                unsafe HTTP2Session.of($0).received(
                    UnsafeBufferPointer(start: $2, count: $3),
                    on: $1
                )
            },
            complete: {
                let session = unsafe HTTP2Session.of($0)
                if let slot = session.slot(of: $1) { session.streams.completed(slot) }
            },
            closed: { unsafe HTTP2Session.of($0).closed($1, code: $2) },
            settings: { unsafe HTTP2Session.of($0).streams.post(.settings) },
            answered_ping: { unsafe HTTP2Session.of($0).streams.post(.pong) },
            going_away: { context, last, code, text, count in
                let text = unsafe Array(UnsafeBufferPointer(start: text, count: count))
                unsafe HTTP2Session.of(context).peerGoesAway(code, text: text)
            },
            body: { context, stream, bytes, capacity, isLast in
                let memory = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
                let piece = unsafe HTTP2Session.of(context).takeBody(stream, into: memory)
                unsafe isLast!.pointee = piece.isLast
                return piece.count
            }
        )
    }

    /// The session to which a context belongs.
    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTP2Session {
        unsafe Unmanaged<HTTP2Session>.fromOpaque(context!).takeUnretainedValue()
    }
}
