/// What a callback of the loop does: what libuv has called for, or what its owner then says it is
/// about (`LoopMeter.enter`).
package enum LoopWork: Int, CaseIterable, Sendable {
    /// Accepting a connection.
    case accept
    /// Opening a connection to a peer.
    case connect
    /// A step of a TLS handshake.
    case handshake
    /// Input of a connection: its read, its frames, and the work that these cause at once.
    case read
    /// Input of a publisher or a device over HTTP.
    case http
    /// Answers of APNs.
    case apns
    /// Output that the kernel accepts again.
    case write
    /// The end of a connection.
    case close
    /// What other libraries do when their sockets are ready.
    case poll
    /// The tick: a step of the router, and its output.
    case tick
    /// Requests of operators, and the status that they read.
    case admin
    /// Periodic work.
    case timer
    /// Messages of other threads.
    case wakeup
    /// A signal, such as SIGHUP with all that it makes the process read again.
    case signal
    /// The addresses of a host.
    case lookup

    /// The value of a metric's label.
    package var label: String { "\(self)" }
}
