internal import LibuvLoop
internal import Times

/// One client of a `TLSFront`: its TLS connection, and the plain one to the HTTP server.
///
///     handshake ──complete──► open ──the HTTP server has closed──► ending ──► closed
///
/// A client may end its side while it waits for an answer (half-close), as without TLS. Requests
/// have operators' tokens, so no bytes stay in the memory of either connection.
final class Relay {
    enum Phase: Equatable {
        /// The sides agree on keys.
        case handshake
        /// Bytes are relayed both ways.
        case open
        /// The HTTP server has closed its side. The client has still to read the rest, and its
        /// further input is discarded.
        case ending
    }

    /// The connection to the client.
    let outside: TCPConnection
    /// The client's address.
    let address: SocketAddress
    /// The connection to the HTTP server; nil unless the phase is `open`.
    private(set) var inside: TCPConnection?
    private(set) var phase = Phase.handshake
    /// True once the client has ended its side.
    var hasClientEnded = false
    /// The time at which the relay is closed, unless there is progress before.
    private(set) var deadline: MonotonicTime
    /// The output to the client when `hasExpired` was last called.
    private var progress = Progress()

    /// Numbers of which one changes whenever the client reads some of its output.
    private struct Progress: Equatable {
        var written: UInt64 = 0
        var unsent = 0
        var queued = 0
    }

    init(_ outside: TCPConnection, from address: SocketAddress, deadline: MonotonicTime) {
        outside.holdsSecrets = true
        self.outside = outside
        self.address = address
        self.deadline = deadline
    }

    /// Begins to relay bytes.
    func open(_ inside: TCPConnection) {
        assert(phase == .handshake, "a relay is opened twice")
        inside.holdsSecrets = true
        self.inside = inside
        phase = .open
    }

    /// Records that the HTTP server has closed its side, whose connection is closed here.
    func end(at deadline: MonotonicTime) {
        assert(phase == .open, "a relay ends that is not open")
        inside?.close()
        inside = nil
        phase = .ending
        self.deadline = deadline
    }

    /// Whether the client has made no progress for too long.
    ///
    /// - Parameters:
    ///   - now: the loop's time.
    ///   - limits: how long each phase may last without progress.
    /// - Returns: true if the relay must be closed.
    func hasExpired(at now: MonotonicTime, limits: SecureHTTPLimits) -> Bool {
        let latest = Progress(
            written: outside.writtenByteCount,
            unsent: outside.outputByteCount,
            queued: outside.queuedByteCount
        )
        let hasProgress = latest != progress
        progress = latest
        switch phase {
        case .handshake: break
        case .open where hasProgress || latest.unsent == 0: deadline = now + limits.stallTime
        case .ending where hasProgress: deadline = now + limits.endingTime
        case .open, .ending: break
        }
        return now >= deadline
    }

    func close() {
        outside.close()
        inside?.close()
        inside = nil
    }
}
