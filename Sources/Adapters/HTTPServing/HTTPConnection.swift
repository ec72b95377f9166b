internal import Basics
package import Credentials
package import HTTPMessages
package import LibuvLoop

/// A connection of an `HTTPListener`, and the request on it: one at a time. What its client sends
/// before the answer is kept or left with the kernel.
///
///     handshake ─► head ─► judging? ─► body ──────┬─► waiting ─► answering? ─► head …
///                    └──────────────► discarding ─┘      └─────► streaming ─┘    └─► ending
///
/// Belongs to the loop's thread.
package final class HTTPConnection {
    /// How far it has come.
    package enum Phase {
        /// The sides agree on keys.
        case handshake
        /// Between requests, or while a head arrives.
        case head
        /// The owner finds out whether the request is let in; nothing is read.
        case judging
        /// The body of a request arrives, and is kept.
        case body
        /// The body of a request that is refused arrives, and is discarded.
        case discarding
        /// The owner has the request; nothing is read.
        case waiting
        /// The client has still to read a part of the answer's body; nothing is read.
        case answering
        /// The answer is a stream of events; nothing is read.
        case streaming
        /// The last answer was given; what arrives is discarded.
        case ending
        case closed
    }

    /// The limit that a connection counts towards.
    enum Stage {
        case handshake
        case open
        case ending
    }

    /// Why a body is not kept.
    package enum BodyRefusal: Sendable {
        /// It is longer than its request may have.
        case tooLarge
        /// All bodies together would be too large.
        case noRoom
    }

    /// What identifies a request, on any thread: its connection, and which one of the connection's
    /// it is.
    package struct RequestID: Sendable {
        let slot: UInt32
        /// The number of the connection.
        package let number: UInt64
        let serial: UInt32
    }

    /// What is read and written; its slot is that in `OpenConnections`.
    package let tcp: TCPConnection
    /// What the owner keeps of it.
    package let content: AnyObject
    /// Numbers rise in the order in which the connections were opened.
    package let number: UInt64
    /// Reads its requests.
    package let reader: RequestReader
    let network: PeerNetwork
    private let address: SocketAddress
    // What changes with each request is not visible to other modules: accesses to such a property
    // are checked for exclusiveness at run time.
    var phase: Phase
    var stage = Stage.open
    /// Counts its requests.
    var serial: UInt32 = 0
    /// What the client has proved to have; nil for nothing.
    var shown: ShownCertificate?
    /// Whether its last request was one that the owner trusts.
    var isTrusted = false
    /// Whether it ends after the present answer, whatever the client wants.
    var mustEnd = false
    /// Whether the client has ended its side.
    var hasHungUp = false
    /// Whether the client waits for permission before it sends a body.
    var expectsContinue = false
    /// The kept part of the present request's body, and the number of its bytes that have arrived.
    var pieces = BodyPieces()
    var bodyCount = 0
    /// The longest body of the present request.
    var bodyLimit = 0
    /// Why the body is not kept; nil if it is.
    var refusal: BodyRefusal?
    /// The bytes of the body that count towards the limit of all bodies.
    var bodyByteCount = 0
    /// When there was last progress.
    var lastActivity: MonotonicTime
    /// Since when an incomplete head has been arriving; nil if there is none.
    var headBegin: MonotonicTime?
    /// The output when `hasProgress` was last called.
    private var output = Output()

    /// Numbers of which one changes whenever the client reads some of its output.
    private struct Output: Equatable {
        var written: UInt64 = 0
        var unsent = 0
        var queued = 0
    }

    init(
        _ tcp: TCPConnection,
        from address: SocketAddress,
        number: UInt64,
        content: AnyObject,
        limits: RequestLimits,
        at now: MonotonicTime
    ) {
        self.tcp = tcp
        self.address = address
        network = address.network
        self.number = number
        self.content = content
        reader = RequestReader(limits)
        phase = tcp.security == nil ? .head : .handshake
        lastActivity = now
    }

    // MARK: - For the owner

    /// How far it has come.
    package var state: Phase { phase }
    /// What the client has proved to have, as it was verified when the connection began; nil for
    /// nothing.
    package var certificate: ShownCertificate? { shown }
    /// The longest body of the present request, in bytes.
    package var longestBody: Int { bodyLimit }
    /// Why the body of the present request was not kept; nil if it was.
    package var bodyRefusal: BodyRefusal? { refusal }
    /// What identifies the present request.
    package var requestID: RequestID {
        RequestID(slot: tcp.slot, number: number, serial: serial)
    }

    /// Whether it waits for its owner, and not for its client.
    package var isWaiting: Bool {
        switch phase {
        case .judging, .waiting: true
        default: false
        }
    }

    /// Removes and returns the body of the present request.
    package func takeBody() -> BodyPieces {
        var body = BodyPieces()
        swap(&body, &pieces)
        return body
    }

    // MARK: - For the listener

    /// The client's address as text, an IPv4 address as such.
    var client: String {
        let text = address.description
        let mapped = "[::ffff:"
        guard text.hasPrefix(mapped), text.contains(".") else { return text }
        return String(text.dropFirst(mapped.count).filter { $0 != "]" })
    }

    /// Whether no request is under way on it. Neither a part of a head nor a client that keeps its
    /// side open when its last answer has left may protect a connection from newer ones.
    var isIdle: Bool {
        switch phase {
        case .handshake, .head: true
        case .ending: tcp.outputByteCount == 0
        default: false
        }
    }

    /// Whether the client is sending a body that is kept.
    var isReadingBody: Bool {
        if case .body = phase { bodyByteCount > 0 } else { false }
    }

    /// Forgets the body of its request.
    func dropBody() {
        if bodyCount > 0 { pieces.erase() }
        bodyCount = 0
    }

    /// Whether the client has read some of its output since the last call, and there is more.
    func hasProgress() -> Bool {
        let latest = Output(
            written: tcp.writtenByteCount,
            unsent: tcp.outputByteCount,
            queued: tcp.queuedByteCount
        )
        defer { output = latest }
        return latest != output && latest.unsent > 0
    }
}
