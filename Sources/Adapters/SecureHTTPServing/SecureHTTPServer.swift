package import Cryptography
package import HTTPServing
internal import LibuvLoop
internal import Platform

/// An `HTTPServer` with TLS, on two threads of its own.
///
///     clients ══TLS══ TLSFront (OpenSSL on a loop) ── pairs of sockets ── HTTPServer
///
/// libmicrohttpd could do TLS itself, but by another library than OpenSSL, with other rules. So all
/// TLS of the process is of one kind.
package final class SecureHTTPServer: @unchecked Sendable {
    // Unchecked: only the owner uses `thread`; everything else is constant.

    private let server: HTTPServer
    private let orders: FrontOrders
    private var thread: JoinableThread?

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress { server.address }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where to listen.
    ///   - security: how the server proves itself, and which clients' certificates it verifies.
    ///   - limits: the HTTP server's limits; the threads have its niceness.
    ///   - secureLimits: the limits of handshakes and relays.
    ///   - handler: answers the requests, as without TLS.
    ///   - onRefusal: called with the address of each client whose handshake has failed, and the
    ///     reason; on the front's thread.
    /// - Throws: `SecureHTTPServerError`.
    package init(
        _ address: ListeningAddress,
        security: ServerSecurity,
        limits: HTTPServerLimits = HTTPServerLimits(),
        secureLimits: SecureHTTPLimits = SecureHTTPLimits(),
        handler: any HTTPHandler,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in }
    ) throws(SecureHTTPServerError) {
        let orders = FrontOrders()
        let front = try Self.front(
            address,
            security: security,
            connections: limits.connections,
            limits: secureLimits,
            orders: orders,
            onRefusal: onRefusal
        )
        do throws(HTTPServerError) {
            server = try HTTPServer(
                adoptingFrom: address.with(port: front.port),
                limits: limits,
                handler: handler
            )
        } catch {
            front.close()
            FrontLoop(front: front).run()
            throw .address(error)
        }
        self.orders = orders
        front.start(server)
        let ticks = FrontLoop(front: front)
        thread = JoinableThread(niceness: limits.niceness) { ticks.run() }
    }

    private static func front(
        _ address: ListeningAddress,
        security: ServerSecurity,
        connections: Int,
        limits: SecureHTTPLimits,
        orders: FrontOrders,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) throws(SecureHTTPServerError) -> TLSFront {
        let context = try context(security)
        let host = SocketAddress.withoutLookup(host: address.hostText, port: address.port)
        var opened: Loop?
        do throws(UVError) {
            let loop = try Loop()
            opened = loop
            return try TLSFront(
                loop,
                address: host![0],
                includesIPv4: address.isEveryAddress,
                context: context,
                connections: connections,
                limits: limits,
                orders: orders,
                onRefusal: onRefusal
            )
        } catch {
            // Closes what was opened before.
            try? opened?.run()
            throw .address(HTTPServerError(address: address, code: -error.code))
        }
    }

    private static func context(
        _ security: ServerSecurity
    ) throws(SecureHTTPServerError) -> TLSServerContext {
        do throws(TLSError) {
            return try TLSServerContext(security, protocols: ["http/1.1"])
        } catch {
            throw .security(error)
        }
    }

    deinit { stop() }

    /// Uses other certificates, and other authorities of clients, for the sessions that begin from
    /// soon on; the others continue.
    ///
    /// - Throws: `security` if they are not usable; everything is as before then.
    package func replace(_ security: ServerSecurity) throws(SecureHTTPServerError) {
        // A trial on this thread, because the front's own context belongs to its thread.
        _ = try Self.context(security)
        orders.replace(security)
    }

    /// Closes all connections and ends the threads. Answers given before leave if their clients
    /// read them within `SecureHTTPLimits.stopTime`.
    ///
    /// The handler must not call this. A second call does nothing.
    package func stop() {
        guard let thread else { return }
        self.thread = nil
        server.stop()
        orders.stop()
        thread.join()
    }
}

/// The work of the front's thread.
private struct FrontLoop: @unchecked Sendable {
    // Unchecked: the front is used by one thread only, once this has begun.

    let front: TLSFront

    func run() {
        do throws(UVError) {
            try front.loop.run()
            try front.loop.close()
        } catch {
            preconditionFailure("the loop of a TLS front: \(error)")
        }
    }
}

/// Why a `SecureHTTPServer` cannot serve.
package enum SecureHTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address cannot be bound, or the system lacks descriptors or memory.
    case address(HTTPServerError)
    /// A certificate or a key is not usable.
    case security(TLSError)

    /// The reason, as a sentence.
    package var description: String {
        switch self {
        case .address(let error): "\(error)"
        case .security(let error): "\(error)"
        }
    }
}
