/// What has happened in an HTTP/2 session; `HTTP2Session.nextEvent` gives one after the other.
package enum HTTP2Event: Equatable {
    /// A message is complete: on a server a request, which is to be answered on this stream; on a
    /// client the answer to the request with this number.
    case message(HTTP2Exchange)
    /// A stream has ended without an answer.
    case ended(HTTP2Exchange, HTTP2Ending)
    /// The peer's settings have come: `peerStreams` may be another.
    case settings
    /// A PING was answered.
    case pong
    /// The peer takes no further streams; those above the last one have not been processed, and are
    /// reported as ended.
    case goingAway(code: UInt32, text: [UInt8])
}

/// How a stream has ended without an answer.
package enum HTTP2Ending: Equatable {
    /// The server has not looked at the request: it may be sent again.
    case notProcessed
    /// The server may have acted on the request; the code is that of RFC 9113, section 7.
    case unknown(code: UInt32)
}

/// One request and its answer.
package struct HTTP2Exchange: Equatable {
    /// The stream of the session.
    package let stream: Int32
    /// On a client, what the owner has called the request; 0 on a server.
    package let number: UInt64
    /// Where the session keeps it.
    let slot: Int
}
