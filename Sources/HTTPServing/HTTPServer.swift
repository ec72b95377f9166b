internal import CMicroHTTPD
internal import Glibc
internal import Threading

/// An HTTP server on this machine: libmicrohttpd with one thread of its own.
///
/// It has no TLS and asks nobody for a token, and so takes loopback addresses only.
@safe
package final class HTTPServer: @unchecked Sendable {
    // Unchecked: `connections` belongs to the server's thread; `daemon` and `thread` are used by
    // whoever begins and stops it, all else is constant.

    private var daemon: OpaquePointer?
    private var thread: JoinableThread?
    private let handler: any HTTPHandler
    private let limits: HTTPServerLimits
    private var connections: OpenConnections
    private let door: ServerDoor
    /// What is listened on, with the port that was picked.
    package private(set) var address: LoopbackAddress

    /// Binds, listens and serves.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: LoopbackAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        self.handler = handler
        self.limits = limits
        self.address = address
        connections = OpenConnections(limit: limits.connections)
        do throws(SystemFailure) {
            door = try ServerDoor()
        } catch {
            throw HTTPServerError(address: address, code: error.code)
        }
        guard let daemon = unsafe startDaemon() else {
            throw HTTPServerError(address: address, code: errno)
        }
        unsafe self.daemon = unsafe daemon
        self.address = unsafe address.with(port: daemon_port(daemon))
        let turns = unsafe DaemonTurns(daemon: daemon, door: door)
        thread = JoinableThread { turns.run() }
    }

    private func startDaemon() -> OpaquePointer? {
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
        // Unretained: `stop` ends all that calls back before this object goes.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe address.withSockaddr { sockaddr in
            unsafe start_daemon(sockaddr, daemonLimits, callbacks, context)
        }
    }

    deinit { stop() }

    /// Closes all connections and ends the thread; requests that wait for their answer get none.
    ///
    /// Not to be called by the handler. Stopping twice is no error.
    package func stop() {
        guard let daemon = unsafe daemon else { return }
        door.stop()
        thread?.join()
        // libmicrohttpd must not be stopped while a connection is suspended.
        connections.proceed()
        unsafe MHD_stop_daemon(daemon)
        unsafe self.daemon = nil
    }

    // MARK: - On the server's thread

    fileprivate func noteOpened(_ socket: CInt) -> UInt { connections.opened(socket) }

    fileprivate func noteClosed(_ number: UInt) { connections.closed(number) }

    fileprivate func makeExchange() -> HTTPExchange {
        HTTPExchange(door, unsentLimit: limits.unsentEventBytes)
    }

    /// Has a request answered, and later on again when there is something to send.
    fileprivate func answer(
        _ exchange: HTTPExchange,
        on connection: OpaquePointer,
        mayWait: Bool,
        _ request: @autoclosure () -> HTTPRequest
    ) -> MHD_Result {
        if unsafe exchange.ask(on: connection) {
            unsafe connections.began(exchange, on: UInt(bitPattern: connection_context(connection)))
            handler.respond(to: request(), with: HTTPResponder(exchange))
            if !mayWait { exchange.answer(HTTPExchange.unanswered) }
        }
        return unsafe exchange.answer(on: connection)
    }

    fileprivate func complete(_ exchange: HTTPExchange, on connection: OpaquePointer) {
        exchange.complete()
        unsafe connections.ended(on: UInt(bitPattern: connection_context(connection)))
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
    let door: ServerDoor

    func run() {
        while true {
            if unsafe wait_for_daemon(daemon, door.bell) {
                guard let called = door.take() else { return }
                for exchange in called { exchange.proceed() }
            }
            unsafe MHD_run(daemon)
        }
    }
}

/// A server's address cannot be bound.
package struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
    package let address: LoopbackAddress
    /// Of the system.
    package let code: CInt

    /// Why, as the system says it.
    package var reason: String { unsafe String(cString: strerror(code)) }

    package var description: String { "cannot listen on \(address): \(reason)" }
}

/// Is called when the headers of a request have been read, again when all of it has, and whenever
/// its connection was resumed before it was answered: `own` holds nil the first time, and the
/// exchange then.
///
/// Returns `NO` to close the connection.
private func answerRequest(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ body: UnsafePointer<CChar>?,
    _ bodyByteCount: UnsafeMutablePointer<Int>?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
    let isRead = unsafe strcmp(method!, "GET") == 0 || strcmp(method!, "HEAD") == 0
    let exchange: HTTPExchange
    if let known = unsafe own!.pointee {
        exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    } else {
        exchange = server.makeExchange()
        unsafe own!.pointee = Unmanaged.passRetained(exchange).toOpaque()
        // Answered before its end, a request would end its connection.
        if isRead { return .YES }
    }
    // What is only read has no body. Any other method is answered before its body is read.
    if unsafe bodyByteCount!.pointee > 0 { return .NO }
    return unsafe server.answer(
        exchange,
        on: connection!,
        mayWait: isRead,
        HTTPRequest(
            method: String(cString: method!),
            path: String(cString: path!),
            arguments: arguments(of: connection!)
        )
    )
}

/// Is called once for every request that `answerRequest` has been called for.
private func completeRequest(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let known = unsafe own!.pointee else { return }
    unsafe own!.pointee = nil
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
    unsafe server.complete(exchange, on: connection!)
}

/// Is called when a connection has been accepted, and when it is closed; `own` keeps its number.
private func noteConnection(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        let number = unsafe server.noteOpened(connection_socket(connection!))
        unsafe own!.pointee = UnsafeMutableRawPointer(bitPattern: number)
    } else {
        unsafe server.noteClosed(UInt(bitPattern: own!.pointee))
    }
}

// MARK: - The query

/// Where the arguments of a query are gathered.
private final class ArgumentList {
    var arguments: [(name: String, value: String)] = []
}

private func arguments(of connection: OpaquePointer) -> [(name: String, value: String)] {
    // Most requests have none.
    if unsafe MHD_get_connection_values(connection, .GET_ARGUMENT_KIND, nil, nil) == 0 { return [] }
    let list = ArgumentList()
    unsafe MHD_get_connection_values(
        connection,
        .GET_ARGUMENT_KIND,
        { context, _, name, value in
            let list = unsafe Unmanaged<ArgumentList>.fromOpaque(context!).takeUnretainedValue()
            let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
            unsafe list.arguments.append((String(cString: name!), value))
            return .YES
        },
        Unmanaged.passUnretained(list).toOpaque()
    )
    return list.arguments
}
