package import Basics
internal import HTTPMessages

/// The limits of an `HTTPListener`, and of the `HTTPServer` that it belongs to.
///
/// They bound its memory: `connections` times the sum of twice `connectionMemory`, one answer, a
/// piece of a body and `unsentEventBytes`; plus twice `allBodiesBytes`, because a body is joined
/// when it is whole; with TLS, 50 KB more for each session.
package struct HTTPServerLimits: Sendable {
    /// The most connections at a time; see `OpenConnections` for which one is closed when there are
    /// more.
    ///
    /// An eighth of them, at least two, is reserved for connections that are not trusted
    /// (`HTTPHandler.trusts`).
    package var connections = 64
    /// The bytes for the request line and the headers of a connection, and of a read between
    /// requests; longer ones are refused with 414 or 431.
    package var connectionMemory = 16 << 10
    /// The most bytes of the path and the query together; a longer one is refused with 414.
    package var targetBytes = 8 << 10
    /// The silence after which a connection is closed, except while it waits for its answer or has
    /// a stream of events. It is looked for once in a second.
    package var silence = Milliseconds.seconds(10)
    /// The same for a connection whose last request was answered: the next one may take longer, so
    /// that a balancer closes it first, and sends no request on one that is being closed.
    package var idle = Milliseconds.seconds(75)
    /// The longest time in which a head arrives, however many bytes come at a time; then its
    /// connection is closed.
    package var headTime = Milliseconds.seconds(30)
    /// How long the client of a stream may leave all of its output unread; then its connection is
    /// closed.
    package var stallTime = Milliseconds.seconds(30)
    /// The most bytes of events that the reader of a stream has not read; beyond it, its connection
    /// is closed.
    package var unsentEventBytes = 1 << 20
    /// The requests of one connection in one read after which others come first.
    package var requestsPerRead: UInt32 = 8
    /// The most output that a client may leave unread and still be read from: more than is written
    /// at a time, so that only what TLS answers by itself leads there. Beyond it, it is closed.
    package var unreadBytes = 128 << 10

    /// The most bytes of the bodies of all requests that are being read or wait for their answer.
    ///
    /// Beyond it, the oldest of the other connections that are sending a body is closed, a trusted
    /// one only for another one. If there is no other, the body is discarded, and its request is
    /// answered all the same.
    package var allBodiesBytes = 64 << 20
    /// The most bytes of a discarded body that are still read, so that the client reads the answer;
    /// beyond it, its connection is closed.
    package var discardedBytes = 16 << 20
    /// The most bytes of a read of a body, or of a handshake.
    package var bodyReadBytes = 64 << 10
    /// The pieces of a body in one read after which others come first: a chunk may have one byte.
    package var piecesPerRead = 1_024

    /// The most clients whose TLS handshake is not complete. Beyond it, one of them is closed: the
    /// oldest of the network that has the most. If it is nil, they count as `connections`.
    package var handshakes: Int? = 128
    /// How long a handshake may take.
    package var handshakeTime = Milliseconds.seconds(10)
    /// What all handshakes of one iteration of the loop may cost; the others continue in the next
    /// one, after the input of the clients whose handshake is complete.
    package var handshakeWork = Nanoseconds(rawValue: 5_000_000)
    /// The most clients that are accepted at a time; the others wait for `HTTPListener.beginTick`.
    package var acceptedPerTick = 16
    /// How long a connection that has had its last answer waits for its client to read the rest and
    /// close, too; begins again when some of the rest was read.
    package var endingTime = Milliseconds.seconds(10)
    /// The most of such connections; beyond it, one of them is closed as with `handshakes`. If it
    /// is nil, they count as `connections`.
    package var endings: Int? = 32
    /// How long the end of the server may wait for the clients to read their last answers.
    package var stopTime = Milliseconds.seconds(1)

    /// The nice value of the server's thread, 0 to 19; see `JoinableThread`.
    package var niceness = 0

    /// The default limits.
    package init() {}

    /// The most bytes of an answer or of events that wait for their client at a time.
    var partBytes: Int { 64 << 10 }

    /// The limits of a request's head.
    var requests: RequestLimits {
        var limits = RequestLimits()
        limits.headBytes = connectionMemory
        limits.targetBytes = targetBytes
        return limits
    }
}
