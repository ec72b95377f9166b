/// What a server keeps to.
///
/// All its memory is bounded by `connections` times the sum of `connectionMemory`, one answer, and
/// `unsentEventBytes`; and by twice `allBodiesBytes`, because what a body lies in grows by halves.
package struct HTTPServerLimits: Sendable {
    /// Connections at a time; see `OpenConnections` for who makes room then.
    ///
    /// An eighth of them, at least two, is for those who have not said yet who they are.
    package var connections = 64
    /// For the request line and the headers of a connection, in bytes; more is refused with 414 or
    /// 431.
    package var connectionMemory = 16 << 10
    /// Silence that ends a connection, in seconds, unless an answer is being made or events are
    /// being sent.
    package var silenceSeconds = 10
    /// Events of a stream that its reader has not taken yet, in bytes; beyond them its connection is
    /// closed.
    package var unsentEventBytes = 1 << 20

    /// Bodies of all requests that are read or wait for their answer, in bytes.
    ///
    /// Beyond: the connection is closed that has been sending its body for longest. If there is no
    /// other, the body is not kept, and its request is answered all the same (`HTTPBody.noRoom`).
    package var allBodiesBytes = 64 << 20
    /// Of a body that is not kept, in bytes, so that its sender reads the answer; beyond them its
    /// connection is closed.
    package var passedOverBytes = 16 << 20

    /// How much the server's thread gives way to others, 0 to 19; see `JoinableThread`.
    package var niceness = 0

    package init() {}
}
