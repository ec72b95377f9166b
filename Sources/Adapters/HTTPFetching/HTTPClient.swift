internal import Basics
internal import Cryptography
package import HTTPMessages
package import LibuvLoop

/// Sends HTTP requests on a loop, and reports each outcome to a closure.
///
///     send ──► a connection that waits for a request, or a new one ──► answer ──► completion
///       └────► waiting, while there are as many requests as may be ──┘
///
/// A connection is kept for the next request to its server. Only the loop's thread may use a client
/// and its completions. A client that is released closes itself.
package final class HTTPClient {
    /// A connection, and the server that it is for.
    private struct Conversation {
        let server: HTTPAddress.Server
        let connection: HTTPConversation
    }

    private let loop: Loop
    private let limits: HTTPClientLimits
    /// The requests under way, by their connections.
    private var busy: [ObjectIdentifier: (Conversation, completion: FetchCompletion)] = [:]
    /// The connections without a request.
    private var idle: [Conversation] = []
    /// The requests that wait for a connection.
    private var waiting = FIFO<(call: HTTPCall, completion: FetchCompletion)>()
    private let failures: LateFailures
    /// What TLS sessions begin with; nil before the first one.
    private var security: TLSClientContext?
    private var isClosed = false

    /// A client without connections.
    package init(_ loop: Loop, limits: HTTPClientLimits = HTTPClientLimits()) {
        self.loop = loop
        var limits = limits
        limits.connections = max(1, limits.connections)
        self.limits = limits
        failures = LateFailures(loop)
    }

    deinit { close() }

    /// The number of requests in flight.
    package var inFlightCount: Int { busy.count }
    /// The number of requests waiting for a free connection.
    package var waitingCount: Int { waiting.count }

    // MARK: - Requests

    /// Sends a GET request to an address, with header lines `Name: value`; see `send`.
    package func get(
        _ url: String,
        headers: [String] = [],
        completion: @escaping (Result<HTTPAnswer, HTTPFetchError>) -> Void
    ) {
        send(HTTPCall(url, headers: headers), completion: completion)
    }

    /// Sends a request. Redirects are not followed: they are answers like others. `completion` is
    /// called once, on the loop's thread, in a later iteration of the loop.
    package func send(
        _ call: HTTPCall,
        completion: @escaping (Result<HTTPAnswer, HTTPFetchError>) -> Void
    ) {
        if isClosed {
            failures.add(completion, error: .closed)
        } else if busy.count < limits.connections {
            begin(call, completion: completion)
        } else if waiting.count < limits.waiting {
            waiting.append((call, completion))
        } else {
            failures.add(completion, error: .tooMany)
        }
    }

    /// Begins a request on a connection without one, or on a new one.
    private func begin(_ call: HTTPCall, completion: @escaping FetchCompletion) {
        assert(busy.count < limits.connections, "a request begins that has to wait")
        do throws(HTTPFetchError) {
            let address = try HTTPAddress(call.target)
            var call = call
            call.target = address.target
            let conversation = try conversation(with: address.server)
            let id = ObjectIdentifier(conversation.connection)
            busy[id] = (conversation, completion)
            conversation.connection.ask(call) { [weak self] outcome in
                self?.ended(id, outcome: outcome)
            }
        } catch {
            failures.add(completion, error: error)
        }
    }

    /// A connection for a request to a server; one with another server makes room for it.
    private func conversation(
        with server: HTTPAddress.Server
    ) throws(HTTPFetchError) -> Conversation {
        if let kept = idle.popLast() {
            if kept.server == server { return kept }
            kept.connection.close()
        }
        var connectionLimits = HTTPConversation.Limits()
        connectionLimits.bodyBytes = limits.bodyBytes
        connectionLimits.timeout = limits.timeout
        connectionLimits.connectTimeout = limits.timeout
        connectionLimits.lastConnectTimeout = limits.timeout
        let security = server.isSecure ? try clientSecurity() : nil
        do throws(UVError) {
            let connection = try HTTPConversation(
                loop,
                server: server.endpoint,
                security: security,
                keepsConnection: true,
                limits: connectionLimits
            )
            return Conversation(server: server, connection: connection)
        } catch {
            throw .unreachable("\(error)")
        }
    }

    private func clientSecurity() throws(HTTPFetchError) -> TLSClientContext {
        if let security { return security }
        do throws(TLSError) {
            let made = try TLSClientContext(protocols: ["http/1.1"])
            security = made
            return made
        } catch {
            throw .security("\(error)")
        }
    }

    /// A request has ended: begins what waits, and reports the outcome.
    private func ended(_ id: ObjectIdentifier, outcome: Result<HTTPAnswer, HTTPFetchError>) {
        guard let (conversation, completion) = busy.removeValue(forKey: id) else { return }
        idle.append(conversation)
        while busy.count < limits.connections, let next = waiting.popFirst() {
            begin(next.call, completion: next.completion)
        }
        completion(outcome)
    }

    /// Ends all requests with `closed`, which is reported to their completions in a later iteration
    /// of the loop. A second call does nothing.
    package func close() {
        if isClosed { return }
        isClosed = true
        let under = busy.values
        busy = [:]
        for (conversation, completion) in under {
            failures.add(completion, error: .closed)
            conversation.connection.close()
        }
        while let request = waiting.popFirst() { failures.add(request.completion, error: .closed) }
        for conversation in idle { conversation.connection.close() }
        idle = []
    }
}
