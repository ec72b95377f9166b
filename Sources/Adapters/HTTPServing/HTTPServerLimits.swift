package import Basics
internal import HTTPMessages

/// The limits of an `HTTPServer`.
///
/// They bound its memory: `connections` times the sum of twice `connectionMemory`, one answer, and
/// `unsentEventBytes`; plus twice `allBodiesBytes`, because a body's array grows by doubling; with
/// TLS, 50 KB more for each session.
package struct HTTPServerLimits: Sendable {
    /// The most connections at a time; see `OpenConnections` for which one is closed when there are
    /// more.
    ///
    /// An eighth of them, at least two, is reserved for connections that are not trusted
    /// (`HTTPHandler.trusts`).
    package var connections = 64
    /// The bytes for the request line and the headers of a connection; longer ones are refused with
    /// 414 or 431. Half of them may be the path and the query.
    package var connectionMemory = 16 << 10
    /// The silence after which a connection is closed, except while it waits for its answer or has
    /// a stream of events. It is looked for once in a second.
    package var silence = Milliseconds.seconds(10)
    /// The same for a connection between two requests.
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

    /// The most bytes of the bodies of all requests that are being read or wait for their answer.
    ///
    /// Beyond it, the oldest of the other connections that are sending a body is closed. If there
    /// is no other, the body is discarded, and its request is answered all the same
    /// (`HTTPBody.noRoom`).
    package var allBodiesBytes = 64 << 20
    /// The most bytes of a discarded body that are still read, so that the client reads the answer;
    /// beyond it, its connection is closed.
    package var discardedBytes = 16 << 20

    /// The most clients whose TLS handshake is not complete. Beyond it, one of them is closed: the
    /// oldest of the network that has the most.
    package var handshakes = 128
    /// How long a handshake may take.
    package var handshakeTime = Milliseconds.seconds(10)
    /// What all handshakes of one iteration of the loop may cost; the others continue in the next
    /// one, after the input of the clients whose handshake is complete.
    package var handshakeWork = Nanoseconds(rawValue: 5_000_000)
    /// The most clients that are accepted in one iteration of the loop.
    package var acceptedPerTick = 16
    /// How long a connection that has had its last answer waits for its client to read the rest and
    /// close, too; begins again when some of the rest was read.
    package var endingTime = Milliseconds.seconds(10)
    /// The most of such connections; beyond it, one of them is closed as with `handshakes`.
    package var endings = 32
    /// How long the end of the server may wait for the clients to read their last answers.
    package var stopTime = Milliseconds.seconds(1)

    /// The nice value of the server's thread, 0 to 19; see `JoinableThread`.
    package var niceness = 0

    /// The default limits.
    package init() {}

    /// The most bytes of a read of a body, or of a handshake.
    var bodyReadBytes: Int { 64 << 10 }
    /// The most bytes of an answer or of events that wait for their client at a time.
    var partBytes: Int { 64 << 10 }
    /// The most output that a client may leave unread and still be read from: more than a part and
    /// two heads, so that only what TLS answers by itself leads there.
    var unreadBytes: Int { 2 * partBytes }
    /// The requests of one connection in one read after which others come first.
    var requestsPerRead: Int { 8 }

    /// The limits of a request's head.
    var requests: RequestLimits {
        var limits = RequestLimits()
        limits.headBytes = connectionMemory
        limits.targetBytes = connectionMemory / 2
        return limits
    }
}
