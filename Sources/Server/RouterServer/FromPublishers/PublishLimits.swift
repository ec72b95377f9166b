package import Basics

/// The limits of the listener for publishers over HTTP.
///
/// They bound its memory: `connections` times twice `headReadBytes`, one answer and a piece of a
/// body, `allBodiesBytes`, and thrice the longest body while it is read.
package struct PublishLimits: Sendable {
    /// The most connections at a time; see `OpenConnections` for which one is closed when there
    /// are more.
    ///
    /// A thousand publishers, besides the eighth that is reserved for connections whose client has
    /// not proved to be one yet.
    package var connections = 1_200
    /// The silence after which a connection is closed, except while it waits for its answer. One
    /// that has begun a request gets 408.
    package var silence = Milliseconds.seconds(10)
    /// The same for a connection whose last request was answered: the next one may take longer, so
    /// that a balancer closes it first, and sends no request on one that is being closed.
    package var idle = Milliseconds.seconds(75)
    /// The longest time in which a head arrives, however many bytes come at a time; then its
    /// connection gets 408 and is closed.
    package var headTime = Milliseconds.seconds(30)
    /// How long a client may take to read its last answer and end its side.
    package var lingerTime = Milliseconds.seconds(2)
    /// The most bytes of the bodies of all requests that are being read or wait for their answer.
    ///
    /// Beyond it, the oldest of the other connections that are sending a body is closed. If there
    /// is no other, the body is discarded, and its request is refused with 503 `busy`.
    package var allBodiesBytes = 64 << 20
    /// The most bytes of a discarded body that are still read, so that the client reads the answer;
    /// beyond it, its connection is closed.
    package var discardedBytes = 16 << 20
    /// The longest body in bytes that the loop reads itself, in half a millisecond at most; longer
    /// ones are read on a thread, one after the other.
    package var loopBodyBytes = 32 << 10
    /// The most bodies that wait for that thread; beyond it requests with such bodies are refused
    /// with 503 `busy`.
    package var waitingBodies = 256
    /// The most bytes of a read between requests: what a client sends before it has its answer is
    /// kept.
    package var headReadBytes = 16 << 10
    /// The most bytes of a read of a body.
    package var bodyReadBytes = 128 << 10
    /// The requests of all connections in one tick after which others wait for the next one, so
    /// that a tick ends in about a millisecond: publishers with sessions notice how long it is.
    package var requestsPerTick = 64
    /// The connections that are accepted in one tick; the others wait for the next one.
    package var acceptedPerTick = 16
    /// The requests of one connection in one read after which others come first.
    package var requestsPerRead = 8
    /// The pieces of a body in one read after which others come first: a chunk may have one byte.
    package var piecesPerRead = 1_024
    /// The most output that a client may leave unread and still be read from: several times the
    /// longest answer, so that only what TLS answers by itself leads there. Beyond, it is closed.
    package var unreadBytes = 256 << 10
    /// The connections that are resumed in one tick.
    package var resumedPerTick = 64

    /// The default limits.
    package init() {}
}
