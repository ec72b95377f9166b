internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Times

/// An HTTP server: libmicrohttpd with one thread of its own.
///
/// It has no TLS, which `SecureHTTPServing` adds, and checks no tokens. On an address that other
/// machines can reach, the handler must check who asks.
@safe
package final class HTTPServer: @unchecked Sendable {
    // Unchecked: only the owner uses `daemon` and `thread`; everything else is constant.

    private var daemon: OpaquePointer?
    private var thread: JoinableThread?
    /// The state of the callbacks. They have no reference to this object, so that the server's
    /// thread never releases the last one and then waits for itself.
    private let service: HTTPService
    /// The address listened on, with the port that the system chose if 0 was asked for.
    package let address: ListeningAddress

    /// Binds, listens and serves on a loopback address.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package convenience init(
        _ address: LoopbackAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(address.listening, limits: limits, handler: handler)
    }

    /// Binds, listens and serves on any address of this machine; `handler` must then check who
    /// asks.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package convenience init(
        _ address: ListeningAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(address, listens: true, limits: limits, handler: handler)
    }

    /// Serves the connections that another listener accepts at an address, and that `adopt` gets;
    /// listens nowhere itself.
    ///
    /// - Throws: `HTTPServerError` if the system lacks descriptors or memory.
    package convenience init(
        adoptingFrom address: ListeningAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(address, listens: false, limits: limits, handler: handler)
    }

    private init(
        _ address: ListeningAddress,
        listens: Bool,
        limits: HTTPServerLimits,
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        let service: HTTPService
        do throws(SystemFailure) {
            service = HTTPService(limits, handler: handler, mailbox: try HTTPMailbox())
        } catch {
            throw HTTPServerError(address: address, code: error.code)
        }
        let daemon = unsafe Self.startDaemon(
            listens ? address : nil,
            limits: limits,
            service: service
        )
        guard let daemon = unsafe daemon else {
            throw HTTPServerError(address: address, code: errno)
        }
        self.service = service
        unsafe self.daemon = unsafe daemon
        self.address = unsafe listens ? address.with(port: daemon_port(daemon)) : address
        let ticks = unsafe DaemonLoop(daemon: daemon, service: service)
        thread = JoinableThread(niceness: limits.niceness) { ticks.run() }
    }

    private static func startDaemon(
        _ address: ListeningAddress?,
        limits: HTTPServerLimits,
        service: HTTPService
    ) -> OpaquePointer? {
        let daemonLimits = daemon_limits(
            connections: CUnsignedInt(limits.connections),
            memory: limits.connectionMemory,
            timeout: CUnsignedInt(limits.silence.wholeSeconds)
        )
        let callbacks = unsafe daemon_callbacks(
            answer: answerRequest,
            complete: completeRequest,
            notify: connectionChanged
        )
        // Unretained: after `stop`, libmicrohttpd calls back no more.
        let context = unsafe Unmanaged.passUnretained(service).toOpaque()
        guard let address else {
            return unsafe start_daemon(nil, daemonLimits, callbacks, context)
        }
        return unsafe address.withSockaddr { sockaddr in
            unsafe start_daemon(sockaddr, daemonLimits, callbacks, context)
        }
    }

    /// Serves a connection that was accepted elsewhere, from any thread. If all slots are taken,
    /// another connection is displaced for it, as for one that the server accepts itself; after
    /// `stop`, the connection is closed.
    package func adopt(_ connection: AcceptedConnection) {
        service.mailbox.leave(connection)
    }

    deinit { stop() }

    /// Closes all connections and ends the thread. Requests without an answer get none; answers
    /// given before leave if the system accepts them at once.
    ///
    /// The handler must not call this. A second call does nothing.
    package func stop() {
        guard let daemon = unsafe daemon else { return }
        service.mailbox.stop()
        thread?.join()
        // libmicrohttpd must not be stopped while a connection is suspended.
        service.connections.proceed()
        unsafe MHD_stop_daemon(daemon)
        unsafe self.daemon = nil
    }
}

/// The work of the server's thread.
///
/// libmicrohttpd's own loop stalls when exactly as many connections are ready as it asks the system
/// for at a time (128 in 0.9.75). So the waiting is done here, and libmicrohttpd only looks at what
/// is ready.
@safe
private struct DaemonLoop: @unchecked Sendable {
    // Unchecked: the daemon is stopped only after `run` has returned.

    let daemon: OpaquePointer
    let service: HTTPService

    func run() {
        var accepted: [AcceptedConnection] = []
        while true {
            var isStopping = false
            if unsafe wait_for_daemon(daemon, service.mailbox.bell) {
                let content = service.mailbox.take()
                for exchange in content.exchanges { exchange.proceed() }
                accepted += content.accepted
                isStopping = content.isStopping
            }
            // Once more at the end, so that answers given before the stop are sent.
            look()
            if isStopping { return }
            // One without a slot waits until the connection that is displaced for it is closed,
            // which ends a later wait.
            let count = adopt(accepted[...])
            accepted.removeFirst(count)
        }
    }

    /// Adopts connections until all slots are taken; returns how many were adopted.
    private func adopt(_ accepted: ArraySlice<AcceptedConnection>) -> Int {
        var count = 0
        for connection in accepted {
            if service.connections.isFull { look() }
            if service.connections.isFull { break }
            unsafe service.adopt(connection, in: daemon)
            count += 1
        }
        return count
    }

    /// Lets libmicrohttpd work once, and again as long as that closes connections.
    private func look() {
        repeat {
            service.hasClosed = false
            unsafe MHD_run(daemon)
            // When its limit of connections was reached, it accepts new ones only at its next run.
        } while service.hasClosed
    }
}

/// A server's address could not be bound.
package struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address that could not be bound.
    package let address: ListeningAddress
    /// The system's error number.
    package let code: CInt

    /// The failure to bind an address.
    package init(address: ListeningAddress, code: CInt) {
        self.address = address
        self.code = code
    }

    /// The system's text for `code`.
    package var reason: String { unsafe String(cString: strerror(code)) }

    /// The address and the reason, as a sentence.
    package var description: String { "cannot listen on \(address): \(reason)" }
}
