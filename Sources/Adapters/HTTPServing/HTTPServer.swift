internal import CMicroHTTPD
internal import Glibc
internal import Platform

/// An HTTP server: libmicrohttpd with one thread of its own.
///
/// It has no TLS, and asks nobody for a token: on an address that others reach, its handler does.
@safe
package final class HTTPServer: @unchecked Sendable {
    // Unchecked: `daemon` and `thread` are used by whoever begins and stops it, all else is constant.

    private var daemon: OpaquePointer?
    private var thread: JoinableThread?
    /// What is called back has no reference to this object: its end is its owner's, and not that of
    /// the thread which it waits for.
    private let service: HTTPService
    /// What is listened on, with the port that was picked.
    package let address: ListeningAddress

    /// Binds, listens and serves.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package convenience init(
        _ address: LoopbackAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(address.listening, limits: limits, handler: handler)
    }

    /// The same on an address that others may reach.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: ListeningAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        let service: HTTPService
        do throws(SystemFailure) {
            service = HTTPService(limits, handler, try ServerDoor())
        } catch {
            throw HTTPServerError(address: address, code: error.code)
        }
        guard let daemon = unsafe Self.startDaemon(address, limits, service) else {
            throw HTTPServerError(address: address, code: errno)
        }
        self.service = service
        unsafe self.daemon = unsafe daemon
        self.address = unsafe address.with(port: daemon_port(daemon))
        let turns = unsafe DaemonTurns(daemon: daemon, service: service)
        thread = JoinableThread(niceness: limits.niceness) { turns.run() }
    }

    private static func startDaemon(
        _ address: ListeningAddress,
        _ limits: HTTPServerLimits,
        _ service: HTTPService
    ) -> OpaquePointer? {
        let daemonLimits = daemon_limits(
            connections: CUnsignedInt(limits.connections),
            memory: limits.connectionMemory,
            timeout: CUnsignedInt(limits.silenceSeconds)
        )
        let callbacks = unsafe daemon_callbacks(
            answer: answerRequest,
            complete: completeRequest,
            notify: noteConnection
        )
        // Unretained: `stop` ends all that calls back before the service goes.
        let context = unsafe Unmanaged.passUnretained(service).toOpaque()
        return unsafe address.withSockaddr { sockaddr in
            unsafe start_daemon(sockaddr, daemonLimits, callbacks, context)
        }
    }

    deinit { stop() }

    /// Closes all connections and ends the thread; requests that wait for their answer get none, and
    /// answers that were given go out if the system takes them at once.
    ///
    /// Not to be called by the handler. Stopping twice is no error.
    package func stop() {
        guard let daemon = unsafe daemon else { return }
        service.door.stop()
        thread?.join()
        // libmicrohttpd must not be stopped while a connection is suspended.
        service.connections.proceed()
        unsafe MHD_stop_daemon(daemon)
        unsafe self.daemon = nil
    }
}

/// What the server's thread does.
///
/// libmicrohttpd's own loop would wait for more when exactly as many connections are ready as it asks
/// the system for at a time (128 in 0.9.75), and serve nobody meanwhile. So the waiting is done here,
/// and it only looks.
@safe
private struct DaemonTurns: @unchecked Sendable {
    // Unchecked: the daemon is stopped after this has ended.

    let daemon: OpaquePointer
    let service: HTTPService

    func run() {
        while true {
            var isStopping = false
            if unsafe wait_for_daemon(daemon, service.door.bell) {
                let called = service.door.take()
                for exchange in called.exchanges { exchange.proceed() }
                isStopping = called.isStopping
            }
            // Also at the end: answers that were given before go out.
            look()
            if isStopping { return }
        }
    }

    private func look() {
        repeat {
            service.hasClosed = false
            unsafe MHD_run(daemon)
            // It looks for new connections again, if all places were taken, at its next turn.
        } while service.hasClosed
    }
}

/// A server's address cannot be bound.
package struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    package let address: ListeningAddress
    /// Of the system.
    package let code: CInt

    /// Why, as the system says it.
    package var reason: String { unsafe String(cString: strerror(code)) }

    package var description: String { "cannot listen on \(address): \(reason)" }
}
