internal import Basics
internal import HTTPMessages
package import HTTPServing

/// The limits of the listener for publishers over HTTP.
///
/// They bound its memory: `connections` times twice `connectionMemory`, one answer and a piece of a
/// body, `allBodiesBytes`, and thrice the longest body while it is read.
package struct PublishLimits: Sendable {
    /// The limits of its connections.
    package var http: HTTPServerLimits = {
        var limits = HTTPServerLimits()
        // A thousand publishers, besides the eighth that is reserved for connections whose client
        // has not proved to be one yet. All count, however far they have come.
        limits.connections = 1_200
        limits.handshakes = nil
        limits.endings = nil
        limits.endingTime = .seconds(2)
        limits.targetBytes = RequestLimits().targetBytes
        limits.bodyReadBytes = 128 << 10
        // Several times the longest answer.
        limits.unreadBytes = 256 << 10
        return limits
    }()
    /// The longest body in bytes that the loop reads itself, in half a millisecond at most; longer
    /// ones are read on a thread, one after the other.
    package var loopBodyBytes = 32 << 10
    /// The most bodies that wait for that thread; beyond it requests with such bodies are refused
    /// with 503 `busy`.
    package var waitingBodies = 256
    /// The requests of all connections in one tick after which others wait for the next one, so
    /// that a tick ends in about a millisecond: publishers with sessions notice how long it is.
    package var requestsPerTick = 64
    /// The connections that are resumed in one tick.
    package var resumedPerTick = 64

    /// The default limits.
    package init() {}
}
