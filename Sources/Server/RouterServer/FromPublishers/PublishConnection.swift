internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import HTTPMessages
internal import HTTPServing
internal import LibuvLoop
internal import RouterCore

/// A connection of the listener for publishers, and the request on it: one at a time.
///
///     head ─► judging? ─► body ──────► answering ─► head …
///       └──────────────► discarding ─────▲    └───► ending
final class PublishConnection: ServedConnection {
    /// How far the request has come.
    enum Phase {
        /// Between requests, or while a head arrives.
        case head
        /// A signature is being verified; nothing is read.
        indirect case judging(PublishTarget)
        /// The body of an admitted request arrives, and is kept.
        indirect case body(PublishTarget)
        /// The body of a refused request arrives, and is discarded.
        indirect case discarding(PublishAnswer)
        /// Its pushes or its report are with the router; nothing is read.
        case answering
        /// The last answer was given; what arrives is discarded.
        case ending
        case closed
    }

    let tcp: TCPConnection
    let network: PeerNetwork
    /// Numbers rise in the order in which the connections were opened.
    let number: UInt64
    var stage = ConnectionStage.open
    let reader = RequestReader()
    var phase = Phase.head
    /// Counts its requests.
    var serial: UInt32 = 0
    /// The route's path of the present request.
    var route = ""
    /// The kept part of the body, and the number of all bytes of it that have arrived.
    var body = BodyPieces()
    var bodyCount = 0
    /// The longest body of the present request.
    var bodyLimit = 0
    /// Whether another thread reads its body.
    var awaitsReading = false
    /// The bytes of the body that count towards the limit of all bodies.
    var bodyByteCount = 0
    /// What let in the last request.
    var judged: PublisherGate.Judged?
    /// The client's certificate; nil before the first request. It may be none.
    private var shown: ShownCertificate??
    /// Whether its last request was one of a publisher or of a gateway.
    var isTrusted = false
    /// Whether it ends after the present answer, whatever the client wants.
    var mustEnd = false
    /// Whether the client has ended its side.
    var hasHungUp = false
    /// When bytes last came, or the last answer was given.
    var lastActivity: MonotonicTime
    /// Since when an incomplete head has been arriving; nil if there is none.
    var headBegin: MonotonicTime?
    /// What it may spend of the loop's work, and with which others it shares that.
    var work = WorkAccount()
    var group: WorkGroup

    init(_ tcp: TCPConnection, of network: PeerNetwork, number: UInt64, at now: MonotonicTime) {
        self.tcp = tcp
        self.network = network
        group = WorkGroup(of: network)
        self.number = number
        lastActivity = now
    }

    /// What identifies the present request.
    var requestID: PublishRequestID {
        PublishRequestID(slot: tcp.slot, number: number, serial: serial)
    }

    /// What the client has proved to have.
    var certificate: ShownCertificate? {
        if let shown { return shown }
        let found = tcp.security?.shownCertificate
        shown = .some(found)
        return found
    }

    /// Whether no request is under way on it, not even one whose head arrives.
    var isIdle: Bool {
        if case .head = phase { headBegin == nil } else { false }
    }

    /// Whether the client is sending a body that is kept.
    var isReadingBody: Bool {
        if case .body = phase { bodyByteCount > 0 } else { false }
    }

    /// Forgets the body of its request.
    func dropBody() {
        body = BodyPieces()
        bodyCount = 0
    }

    /// Whether it waits for the router or for a signature, and not for its client.
    var isWaiting: Bool {
        switch phase {
        case .judging, .answering: true
        default: false
        }
    }
}

/// A request of a publisher: its connection, and which one of the connection's it is.
struct PublishRequestID: Sendable {
    let slot: UInt32
    let number: UInt64
    let serial: UInt32
}

extension OpenConnections<PublishConnection> {
    /// The connection on which a request is still under way; nil if it has ended.
    subscript(request: PublishRequestID) -> PublishConnection? {
        guard let found = self[request.slot], found.number == request.number,
            found.serial == request.serial
        else { return nil }
        return found
    }
}
