/// Limits of an `HTTPServer`.
///
/// They bound its memory: `connections` times the sum of `connectionMemory`, one answer, and
/// `unsentEventBytes`; plus twice `allBodiesBytes`, because a body's array grows by doubling.
package struct HTTPServerLimits: Sendable {
    /// Connections at a time; see `OpenConnections` for which one is closed when there are more.
    ///
    /// An eighth of them, at least two, is reserved for connections that have not proved anything
    /// yet.
    package var connections = 64
    /// Bytes for the request line and the headers of a connection; longer ones are refused with 414
    /// or 431.
    package var connectionMemory = 16 << 10
    /// Seconds of silence after which a connection is closed, except while it waits for its answer
    /// or has a stream of events.
    package var silenceSeconds = 10
    /// Bytes of events that the reader of a stream has not read; beyond it, its connection is
    /// closed.
    package var unsentEventBytes = 1 << 20

    /// Bytes of the bodies of all requests that are being read or wait for their answer.
    ///
    /// Beyond it, the connection that has been sending its body for longest is closed. If there is
    /// no other, the body is discarded, and its request is answered all the same
    /// (`HTTPBody.noRoom`).
    package var allBodiesBytes = 64 << 20
    /// Bytes of a discarded body that are still read, so that the client reads the answer; beyond
    /// it, its connection is closed.
    package var passedOverBytes = 16 << 20

    /// Nice value of the server's thread, 0 to 19; see `JoinableThread`.
    package var niceness = 0

    package init() {}
}
