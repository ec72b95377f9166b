package import Times

/// The limits of a `TLSFront`, besides those of its HTTP server.
///
/// They bound its memory: each client has at most twice the sum of `unsentBytes` and `readBytes`,
/// and the session's own 50 KB.
package struct SecureHTTPLimits: Sendable {
    /// The most clients whose handshake is not complete. Beyond it, one of them is closed: the
    /// oldest of the network that has the most.
    package var handshakes = 128
    /// How long a handshake may take.
    package var handshakeTime = Milliseconds.seconds(10)
    /// What all handshakes of one iteration of the loop may cost; the others continue in the next
    /// one, after the input of the clients whose handshake is complete.
    package var handshakeWork = Nanoseconds(rawValue: 5_000_000)
    /// The most clients that are accepted in one iteration of the loop.
    package var acceptedPerTick = 16
    /// The bytes in one direction that the receiver has not read; beyond it, no more are read from
    /// the sender until half of them are left. The kernel keeps some more.
    package var unsentBytes = 64 << 10
    /// The most bytes that are read from a client at a time.
    package var readBytes = 64 << 10
    /// The most clients whose handshake is complete and that wait for the HTTP server, which has to
    /// displace others for them; beyond it, a client is closed.
    package var waiting = 32
    /// How long a client may leave all of its output unread; then its connection is closed.
    package var stallTime = Milliseconds.seconds(30)
    /// How long a connection that the HTTP server has closed waits for its client to read the rest
    /// and close, too; begins again when some of the rest was read.
    package var endingTime = Milliseconds.seconds(10)
    /// The most of such connections; beyond it, one of them is closed as with `handshakes`.
    package var endings = 32
    /// How long the end of the server may wait for the clients to read their last answers.
    package var stopTime = Milliseconds.seconds(1)

    /// The default limits.
    package init() {}

    /// The most clients whose handshake is complete, with an HTTP server of this number of
    /// connections.
    func openClients(connections: Int) -> Int { connections + waiting }

    /// The most file descriptors that a server of this number of connections has: for each client
    /// its connection, and two for the way to the HTTP server.
    package func descriptors(connections: Int) -> Int {
        handshakes + endings + 3 * openClients(connections: connections)
    }
}
