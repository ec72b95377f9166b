/// What a server keeps to.
///
/// All its memory is bounded by `connections` times the sum of `connectionMemory`, one answer, and
/// `unsentEventBytes`.
package struct HTTPServerLimits: Sendable {
    /// Connections at a time; see `OpenConnections` for what happens then.
    package var connections = 64
    /// For the request line and the headers of a connection, in bytes; more is refused with 414 or
    /// 431, and bodies are not read.
    package var connectionMemory = 16 << 10
    /// Silence that ends a connection, in seconds, unless an answer is being made or events are
    /// being sent.
    package var silenceSeconds = 10
    /// Events of a stream that its reader has not taken yet, in bytes; beyond them its connection is
    /// closed.
    package var unsentEventBytes = 1 << 20

    package init() {}
}
