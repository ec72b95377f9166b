package import Times

/// The limits of an `HTTPServer`.
///
/// They bound its memory: `connections` times the sum of `connectionMemory`, one answer, and
/// `unsentEventBytes`; plus twice `allBodiesBytes`, because a body's array grows by doubling.
package struct HTTPServerLimits: Sendable {
    /// The most connections at a time; see `OpenConnections` for which one is closed when there are
    /// more.
    ///
    /// An eighth of them, at least two, is reserved for connections that are not trusted
    /// (`HTTPHandler.trusts`).
    package var connections = 64
    /// The bytes for the request line and the headers of a connection; longer ones are refused with
    /// 414 or 431.
    package var connectionMemory = 16 << 10
    /// The silence, in whole seconds, after which a connection is closed, except while it waits for
    /// its answer or has a stream of events.
    package var silence = Milliseconds.seconds(10)
    /// The same for a connection between two requests.
    package var idle = Milliseconds.seconds(75)
    /// The most bytes of events that the reader of a stream has not read; beyond it, its connection
    /// is closed.
    package var unsentEventBytes = 1 << 20

    /// The most bytes of the bodies of all requests that are being read or wait for their answer.
    ///
    /// Beyond it, the oldest of the other connections that are sending a body is closed. If there
    /// is no other, the body is discarded, and its request is answered all the same
    /// (`HTTPBody.noRoom`).
    package var allBodiesBytes = 64 << 20
    /// The most bytes of a discarded body that are still read, so that the client reads the answer;
    /// beyond it, its connection is closed.
    package var discardedBytes = 16 << 20

    /// The nice value of the server's thread, 0 to 19; see `JoinableThread`.
    package var niceness = 0

    /// The default limits.
    package init() {}
}
