internal import Basics
internal import Credentials
internal import HTTPMessages
internal import LibuvLoop

/// A connection of an `HTTPServer`, and the request on it: one at a time. What its client sends
/// before the answer is not read.
///
///     handshake ─► head ─► body ─► waiting ─► answering ─► head …
///                                     └─────► streaming ─┘ └──► ending ─► closed
///
/// Belongs to the server's thread.
final class HTTPConnection: ServedConnection {
    /// How far it has come.
    enum Phase {
        /// The sides agree on keys.
        case handshake
        /// Between requests, or while a head arrives.
        case head
        /// The body of a request arrives.
        case body(IncomingRequest)
        /// The handler has the request; nothing is read.
        case waiting(HTTPExchange)
        /// The client has still to read a part of the answer's body; nothing is read.
        case answering
        /// The answer is a stream of events; nothing is read.
        case streaming(HTTPExchange)
        /// The last answer was given; what arrives is discarded.
        case ending
        case closed
    }

    /// What identifies a connection, on any thread.
    struct ID: Sendable {
        let slot: UInt32
        let number: UInt64
    }

    let tcp: TCPConnection
    let network: PeerNetwork
    /// The client's address as text.
    let client: String
    /// Numbers rise in the order in which the connections were opened.
    let number: UInt64
    let reader: RequestReader
    var phase: Phase
    var stage = ConnectionStage.open
    /// What the client has proved to be; nil for none.
    var certificate: ShownCertificate?
    /// Whether its last request was one that `HTTPHandler.trusts`.
    var isTrusted = false
    /// Whether it ends after the present answer, whatever the client wants.
    var mustEnd = false
    /// Whether it has had an answer, and is kept for more.
    var isKept = false
    /// Whether the client has ended its side.
    var hasHungUp = false
    /// The bytes of its request's body that are kept.
    var bodyByteCount = 0
    /// The rest of an answer's body.
    private var rest: ArraySlice<UInt8> = []
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
        limits: RequestLimits,
        at now: MonotonicTime
    ) {
        self.tcp = tcp
        network = address.network
        client = Self.text(address)
        self.number = number
        reader = RequestReader(limits)
        phase = tcp.security == nil ? .head : .handshake
        lastActivity = now
    }

    /// An address as text, an IPv4 address as such.
    private static func text(_ address: SocketAddress) -> String {
        let text = address.description
        let mapped = "[::ffff:"
        guard text.hasPrefix(mapped), text.contains(".") else { return text }
        return String(text.dropFirst(mapped.count).filter { $0 != "]" })
    }

    /// What identifies it.
    var id: ID { ID(slot: tcp.slot, number: number) }

    /// Whether no request is under way on it, but perhaps a head that arrives.
    var isIdle: Bool {
        if case .head = phase { true } else { false }
    }

    /// Whether it has had an answer, which its client has read, and no head has begun to arrive.
    var isBetweenRequests: Bool { isIdle && isKept && headBegin == nil && tcp.outputByteCount == 0 }

    /// Whether the client is sending a body that is kept.
    var isReadingBody: Bool {
        if case .body = phase { bodyByteCount > 0 } else { false }
    }

    /// Whether a request is with the handler.
    func has(_ exchange: HTTPExchange) -> Bool {
        switch phase {
        case .waiting(let own), .streaming(let own): own === exchange
        default: false
        }
    }

    // MARK: - The answer's body

    /// Keeps the body of an answer, to be sent in parts.
    func keep(_ body: [UInt8]) { rest = body[...] }

    /// Removes and returns the next bytes of the answer's body; empty at its end.
    func takeRest(_ most: Int) -> ArraySlice<UInt8> {
        defer {
            rest = rest.dropFirst(most)
            if rest.isEmpty { rest = [] }
        }
        return rest.prefix(most)
    }

    /// Whether the client has read some of its output since the last call.
    func hasProgress() -> Bool {
        let latest = Output(
            written: tcp.writtenByteCount,
            unsent: tcp.outputByteCount,
            queued: tcp.queuedByteCount
        )
        defer { output = latest }
        return latest != output
    }
}
