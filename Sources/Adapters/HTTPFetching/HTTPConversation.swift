package import Basics
package import Cryptography
package import HTTPMessages
package import LibuvLoop

/// Sends requests to an HTTP server, one at a time.
///
///     ask ──► next tick ──► look the host up ──► connect, to one address after the other ──► send
///                   └───────────────── if a connection is kept ────────────────────────────►│
///     completion ◄── AnswerReader ◄──────────────────── bytes ◄──────────────────────────────┘
///
/// Unless it keeps connections, each request has one of its own. The conversation belongs to the
/// loop's thread, and must be closed before the loop.
package final class HTTPConversation {
    /// Limits on time and memory; a request that exceeds one fails.
    package struct Limits: Sendable {
        /// The longest body of an answer, in bytes; a longer one fails with `tooLarge`.
        package var bodyBytes = 8 << 20
        /// Time limit of each step: looking up the host, and receiving the whole answer.
        package var timeout = Milliseconds.seconds(10)
        /// The longest wait for a connection while there are further addresses to try.
        package var connectTimeout = Milliseconds.seconds(1)
        /// The longest wait for a connection to the last address.
        package var lastConnectTimeout = Milliseconds.seconds(2)

        /// Makes the default limits.
        package init() {}
    }

    /// A request that has no outcome yet.
    private struct Request {
        let bytes: [UInt8]
        let completion: FetchCompletion
        let reader: AnswerReader
        /// The addresses not yet tried; nil before the first attempt.
        var untried: ArraySlice<SocketAddress>?
        /// Whether the request was sent on a connection; then no other address is tried.
        var isSent = false
        /// True while nothing has come for a request that was sent on a kept connection: the server
        /// may have ended that without having seen it, and it is sent once more.
        var mayBeLost = false
    }

    private let loop: Loop
    /// The server's host and port.
    package let server: Endpoint
    private let keepsConnection: Bool
    /// What TLS sessions with the server begin with; nil for no TLS.
    private let security: TLSClientContext?
    private let limits: Limits
    private var request: Request?
    private var connection: TCPConnection?
    /// The host's addresses. Emptied after a failure, so that the next request looks them up again.
    private var addresses: [SocketAddress] = []
    /// The lookup for the present request; nil unless one is under way.
    private var lookup: AddressLookup?
    /// Begins a request in the tick after `ask`, and then limits the lookup, each connection
    /// attempt and the wait for the answer. Nil once the client is closed.
    private var timer: LoopTimer?

    /// Makes a client of a server. TLS sessions begin with `security`, in which the server's
    /// certificate must be for its host; nil for no TLS. `keepsConnection` says whether a
    /// connection serves the next request, too, if the server agrees.
    package init(
        _ loop: Loop,
        server: Endpoint,
        security: TLSClientContext? = nil,
        keepsConnection: Bool = false,
        limits: Limits = Limits()
    ) throws(UVError) {
        self.loop = loop
        self.server = server
        self.keepsConnection = keepsConnection
        self.security = security
        self.limits = limits
        timer = try LoopTimer(loop, owner: self)
    }

    /// Sends a request. The conversation must not be closed, and the request before must have
    /// completed.
    ///
    /// `completion` is called exactly once, in a later tick of the loop; by `close` if that comes
    /// first.
    package func ask(
        _ call: HTTPCall,
        completion: @escaping (Result<HTTPAnswer, HTTPFetchError>) -> Void
    ) {
        precondition(request == nil && timer != nil, "it is closed, or being asked")
        request = Request(
            bytes: call.bytes(to: host, isLast: !keepsConnection),
            completion: completion,
            reader: AnswerReader(bodyLimit: limits.bodyBytes)
        )
        startTimer(.zero)
    }

    /// Closes the conversation; a request under way completes with the error `closed`.
    ///
    /// Closing twice is no error. A lookup of the host's name that is under way keeps the loop
    /// running until the system's resolver returns.
    package func close() {
        timer?.close()
        timer = nil
        finish(.failure(.closed))
    }

    /// What requests call the server: without the usual port, which some servers do not expect.
    private var host: String {
        let (name, usual) = (server.description, security == nil ? ":80" : ":443")
        return name.hasSuffix(usual) ? String(name.dropLast(usual.count)) : name
    }

    private func startTimer(_ length: Milliseconds) {
        do throws(UVError) {
            try timer?.start(after: length)
        } catch {
            preconditionFailure("a loop takes any time: \(error)")
        }
    }

    // MARK: - Connecting

    /// Looks up the server's addresses if need be, and starts connecting.
    private func begin() throws(UVError) {
        assert(request != nil, "there is no request to begin")
        if let connection {
            request?.untried = []
            request?.mayBeLost = true
            return send(over: connection)
        }
        if addresses.isEmpty {
            guard
                let known = SocketAddress.withoutLookup(host: server.host, port: server.port)
            else { return try startLookup() }
            addresses = known
        }
        request?.untried = addresses[...]
        try connect()
    }

    private func startLookup() throws(UVError) {
        assert(lookup == nil, "a lookup is under way already")
        startTimer(limits.timeout)
        lookup = try AddressLookup(loop, host: server.host, port: server.port, owner: self)
    }

    /// Connects to the first address that has not been tried; throws if the last one fails at once.
    private func connect() throws(UVError) {
        assert(connection == nil, "the connection before is still open")
        while let address = request?.untried?.popFirst() {
            let isLast = request?.untried?.isEmpty ?? true
            let longest = isLast ? limits.lastConnectTimeout : limits.connectTimeout
            startTimer(min(longest, limits.timeout))
            let session: TLSSession?
            do throws(TLSError) {
                session = try security?.session(with: server.host)
            } catch {
                return finish(.failure(.security("\(error)")))
            }
            do throws(UVError) {
                connection = try TCPConnection.connect(
                    loop,
                    to: address,
                    security: session,
                    owner: self
                )
                return
            } catch {
                if isLast { throw error }
            }
        }
    }

    /// Tries the next address; false if the request has been sent, or if there is none.
    private func tryNext() -> Bool {
        guard let request, !request.isSent, request.untried?.isEmpty == false else { return false }
        disconnect()
        do throws(UVError) { try connect() } catch { fail(error) }
        return true
    }

    private func send(over connection: TCPConnection) {
        request?.isSent = true
        startTimer(limits.timeout)
        request?.bytes.withByteView { connection.append($0) }
        connection.flush()
    }

    private func disconnect() {
        connection?.close()
        connection = nil
    }

    private func finish(
        _ outcome: Result<HTTPAnswer, HTTPFetchError>,
        keepsConnection: Bool = false
    ) {
        lookup?.close()
        lookup = nil
        if !keepsConnection { disconnect() }
        timer?.stop()
        let ended = request
        request = nil
        ended?.completion(outcome)
    }

    /// Ends the request with an error of the network.
    private func fail(_ error: UVError) {
        // The host may have other addresses by now.
        addresses = []
        finish(.failure(.unreachable("\(error)")))
    }
}

extension HTTPConversation: TimerOwner, LookupOwner, ConnectionOwner {
    /// Begins the request, or ends the step that has taken too long.
    package func timerFired(_ timer: LoopTimer) {
        if lookup != nil {
            finish(.failure(.unreachable("\(server.host) was not looked up in time")))
        } else if request?.untried == nil {
            do throws(UVError) { try begin() } catch { fail(error) }
        } else if !tryNext() {
            addresses = []
            let isSent = request?.isSent ?? true
            finish(.failure(isSent ? .timedOut : .unreachable("no connection in time")))
        }
    }

    /// Connects to the addresses found, or fails the request.
    package func lookup(
        _ lookup: AddressLookup,
        found addresses: Result<[SocketAddress], UVError>
    ) {
        self.lookup = nil
        do throws(UVError) {
            self.addresses = try addresses.get()
            try begin()
        } catch {
            fail(error)
        }
    }

    /// Sends the request over the connection.
    package func connectionOpened(_ connection: TCPConnection) {
        guard connection === self.connection, let request else { return }
        assert(!request.isSent, "the request was sent on another connection")
        send(over: connection)
        do throws(UVError) { try connection.startReading() } catch { fail(error) }
    }

    /// Reads the answer. All bytes are consumed.
    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        // A part of a record of TLS, or a message of TLS itself, brings no bytes, which the reader
        // would take for the end of the connection.
        if connection !== self.connection || bytes.count == 0 { return bytes.count }
        request?.mayBeLost = false
        // What was not asked for is no answer to the next request, even if that waits to be sent.
        if request?.untried == nil { disconnect() } else { read(bytes) }
        return bytes.count
    }

    /// Completes an answer that ends with its connection; else tries the next address, or fails.
    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        if connection !== self.connection { return connection.close() }
        // A request that waits to be sent begins on another connection.
        guard let request, request.untried != nil else { return disconnect() }
        if request.mayBeLost {
            disconnect()
            self.request?.mayBeLost = false
            self.request?.isSent = false
            do throws(UVError) { try begin() } catch { fail(error) }
            return
        }
        if let failure = connection.securityError {
            addresses = []
            return finish(.failure(.security("\(failure)")))
        }
        guard let error else {
            if let session = connection.security, session.phase != .endedByPeer {
                // Without TLS's own end, a stranger in between may have cut the answer.
                return finish(.failure(.broken("the connection was cut")))
            }
            // The end of the connection completes an answer without a length.
            read(.empty)
            if connection !== self.connection { return }
            return finish(.failure(.broken("the connection ended before the whole answer")))
        }
        if !tryNext() { fail(error) }
    }

    /// Does nothing: a request is sent in one piece.
    package func connectionDrained(_ connection: TCPConnection) {}

    /// Does nothing: the outcome was reported before the connection was closed.
    package func connectionClosed(_ connection: TCPConnection) {}

    private func read(_ bytes: ByteView) {
        guard let reader = request?.reader else { return }
        do throws(AnswerProblem) {
            try reader.read(bytes)
            guard let answer = reader.answer else { return }
            finish(
                .success(answer),
                keepsConnection: keepsConnection && reader.keepsConnection
            )
        } catch {
            switch error {
            case .tooLarge: finish(.failure(.tooLarge))
            case .invalid(let reason): finish(.failure(.broken(reason)))
            }
        }
    }
}
