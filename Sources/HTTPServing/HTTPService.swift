internal import CMicroHTTPD
internal import Glibc

/// What belongs to the server's thread, and what it does for libmicrohttpd.
final class HTTPService: @unchecked Sendable {
    // Unchecked: the vars belong to the server's thread, and when that has ended to whoever has
    // waited for it.

    private let limits: HTTPServerLimits
    private let handler: any HTTPHandler
    let door: ServerDoor
    fileprivate(set) var connections: OpenConnections
    /// A connection has been closed since this was false.
    var hasClosed = false

    init(_ limits: HTTPServerLimits, _ handler: any HTTPHandler, _ door: ServerDoor) {
        self.limits = limits
        self.handler = handler
        self.door = door
        connections = OpenConnections(limit: limits.connections)
    }

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

/// Is called when the headers of a request have been read, again when all of it has, and whenever
/// its connection was resumed before it was answered: `own` holds nil the first time, and the
/// exchange then.
///
/// Returns `NO` to close the connection.
func answerRequest(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ body: UnsafePointer<CChar>?,
    _ bodyByteCount: UnsafeMutablePointer<Int>?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    let isRead = unsafe strcmp(method!, "GET") == 0 || strcmp(method!, "HEAD") == 0
    let exchange: HTTPExchange
    if let known = unsafe own!.pointee {
        exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    } else {
        exchange = service.makeExchange()
        unsafe own!.pointee = Unmanaged.passRetained(exchange).toOpaque()
        // Answered before its end, a request would end its connection.
        if isRead { return .YES }
    }
    // What is only read has no body. Any other method is answered before its body is read.
    if unsafe bodyByteCount!.pointee > 0 { return .NO }
    return unsafe service.answer(
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
func completeRequest(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let known = unsafe own!.pointee else { return }
    unsafe own!.pointee = nil
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    unsafe service.complete(exchange, on: connection!)
}

/// Is called when a connection has been accepted, and when it is closed; `own` keeps its number.
func noteConnection(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        let number = unsafe service.connections.opened(connection_socket(connection!))
        unsafe own!.pointee = UnsafeMutableRawPointer(bitPattern: number)
    } else {
        unsafe service.connections.closed(UInt(bitPattern: own!.pointee))
        service.hasClosed = true
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
