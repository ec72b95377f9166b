/// The limits of one HTTP/2 session, and what is done at each.
package struct HTTP2Limits: Sendable {
    /// The longest head of a message: the bytes of its names and values.
    ///
    /// Beyond: the message is refused, and its stream reset.
    package var headBytes = 8 << 10
    /// The longest body of a message, in bytes.
    ///
    /// Beyond: as above.
    package var bodyBytes = 64 << 10
    /// The most streams that a client may open at once at this server.
    ///
    /// Beyond: the client knows it from the settings, and a stream that it opens nevertheless is
    /// refused.
    package var streams = 1_000
    /// The streams that a client opens at once before the server's settings have come.
    ///
    /// Beyond: requests wait in the session.
    package var streamsBeforeSettings = 1

    /// The default limits.
    package init() {}
}
