internal import AdminAPI
internal import HTTPServing
internal import LibuvLoop
internal import RouterCore

/// What the listener for publishers keeps of a connection, and of the request on it.
final class PublishClient {
    let network: PeerNetwork
    /// The route's path of the present request.
    var route = ""
    /// What the present request is for; nil before it is known.
    var target: PublishTarget?
    /// The answer to the present request, if it is refused before its body has come.
    var refusal: Refusal?
    /// Whether another thread reads its body.
    var awaitsReading = false
    /// What let in the last request.
    var judged: PublisherGate.Judged?
    /// What it may spend of the loop's work, and with which others it shares that.
    var work = WorkAccount()
    var group: WorkGroup

    /// An answer that waits for the end of a request: beside the client, because it is large, and
    /// few requests have one.
    indirect enum Refusal {
        case answer(PublishAnswer)
    }

    init(of network: PeerNetwork) {
        self.network = network
        group = WorkGroup(of: network)
    }
}

extension HTTPConnection {
    /// What the listener keeps of it.
    var client: PublishClient { content as! PublishClient }
}

/// A request that is with the router, and gets its answer once.
struct PublishExchange {
    private let listener: PublishListener
    private let request: HTTPConnection.RequestID
    private let group: WorkGroup
    /// What has let it in.
    let judged: PublisherGate.Judged?

    init(_ connection: HTTPConnection, of listener: PublishListener) {
        self.listener = listener
        request = connection.requestID
        let client = connection.client
        group = client.group
        judged = client.judged
    }

    /// Who pays for the request: its connection or, once that is closed, the connection's group.
    var payer: CallbackPayer {
        listener.http.connection(of: request).map { .client($0.client) } ?? .group(group)
    }

    /// Whether the request's client is still there.
    var isAwaited: Bool { listener.http.connection(of: request)?.state == .waiting }

    /// Answers the request, unless its client has gone.
    func answer(_ answer: PublishAnswer) {
        guard let connection = listener.http.connection(of: request),
            connection.state == .waiting
        else { return }
        listener.answer(connection, with: answer)
    }
}
