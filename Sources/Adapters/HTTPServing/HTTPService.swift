internal import CMicroHTTPD
internal import Credentials
internal import DataStructures
internal import Glibc
internal import Times

/// The state of the server's thread, and its side of libmicrohttpd's callbacks.
final class HTTPService: @unchecked Sendable {
    // Unchecked: the vars belong to the server's thread, and after its end to the thread that
    // joined it.

    private let limits: HTTPServerLimits
    private let handler: any HTTPHandler
    /// Where other threads leave exchanges to be resumed.
    let mailbox: HTTPMailbox
    fileprivate(set) var connections: OpenConnections
    /// The number of displaced connections that were reported to the handler.
    private var displacedCount = 0
    /// True if a connection was closed since this was last set to false.
    var hasClosed = false
    /// What the client of the connection that is being adopted has proved to be; nil for none.
    private var adoptedCertificate: ShownCertificate?

    init(_ limits: HTTPServerLimits, handler: any HTTPHandler, mailbox: HTTPMailbox) {
        self.limits = limits
        self.handler = handler
        self.mailbox = mailbox
        connections = OpenConnections(limit: limits.connections)
    }

    /// Serves a connection that was accepted elsewhere; there must be a free slot.
    func adopt(_ accepted: AcceptedConnection, in daemon: OpaquePointer) {
        assert(!connections.isFull, "libmicrohttpd would close the connection")
        adoptedCertificate = accepted.certificate
        defer { adoptedCertificate = nil }
        // Without memory, libmicrohttpd closes the socket, and its client sees that.
        _ = unsafe accepted.address.withUnsafeBytes { address in
            unsafe adopt_connection(
                daemon,
                accepted.takeSocket(),
                address.baseAddress!,
                address.count
            )
        }
    }

    /// Records that a connection was accepted or adopted; returns its number.
    fileprivate func opened(_ connection: OpaquePointer) -> UInt {
        let number = unsafe connections.opened(connection, certificate: adoptedCertificate)
        reportDisplaced()
        return number
    }

    /// Starts an exchange for a request whose head has arrived.
    fileprivate func begin(_ head: HTTPRequest, on connection: OpaquePointer) -> HTTPExchange {
        var head = head
        head.certificate = unsafe connections.certificate(of: number(of: connection))
        unsafe limit_silence(connection, CUnsignedInt(limits.silence.wholeSeconds))
        let incoming = IncomingRequest(head, bodyLimit: handler.bodyLimit(of: head))
        let exchange = HTTPExchange(
            incoming,
            mailbox: mailbox,
            unsentLimit: limits.unsentEventBytes
        )
        unsafe connections.began(
            exchange,
            on: number(of: connection),
            isTrusted: handler.trusts(head)
        )
        reportDisplaced()
        return exchange
    }

    /// Answers a request whose body is not to be read, or continues reading.
    ///
    /// - Returns: `NO` to close the connection.
    fileprivate func judge(_ exchange: HTTPExchange, on connection: OpaquePointer) -> MHD_Result {
        switch exchange.incoming.judge(discardLimit: limits.discardedBytes) {
        case .read: .YES
        case .answerAtOnce: unsafe answer(exchange, on: connection, mayWait: false)
        }
    }

    /// Keeps or discards a part of a body that has arrived.
    ///
    /// - Returns: `NO` to close the connection.
    fileprivate func read(
        _ bytes: UnsafeRawBufferPointer,
        of exchange: HTTPExchange,
        on connection: OpaquePointer
    ) -> MHD_Result {
        let number = unsafe number(of: connection)
        let incoming = exchange.incoming
        switch incoming.received(bytes.count, discardLimit: limits.discardedBytes) {
        case .close: return .NO
        case .discard: connections.releaseBody(of: number)
        case .keep:
            if connections.keepBody(bytes.count, of: number, limit: limits.allBodiesBytes) {
                unsafe incoming.keep(bytes)
            } else {
                incoming.refuse(.noRoom)
                connections.releaseBody(of: number)
            }
        }
        return .YES
    }

    /// Passes a complete request to the handler the first time, and then sends what there is of its
    /// answer. If `mayWait` is false, a request that is not answered at once is answered with 500.
    fileprivate func answer(
        _ exchange: HTTPExchange,
        on connection: OpaquePointer,
        mayWait: Bool = true
    ) -> MHD_Result {
        if unsafe exchange.ask(on: connection) {
            unsafe connections.readBody(of: number(of: connection))
            var request = exchange.incoming.take()
            handler.respond(to: request, with: HTTPResponder(exchange))
            request.eraseBody()
            if !mayWait { _ = exchange.answer { HTTPExchange.unanswered } }
        }
        return unsafe exchange.answer(on: connection)
    }

    /// Reports to the handler the connections closed to make room since its last report.
    fileprivate func reportDisplaced() {
        assert(connections.displacedCount >= displacedCount, "more was reported than was displaced")
        if connections.displacedCount == displacedCount { return }
        handler.displaced(connections.displacedCount - displacedCount)
        displacedCount = connections.displacedCount
    }

    /// The connection's number in `connections`, which `connectionChanged` has attached to it.
    private func number(of connection: OpaquePointer) -> UInt {
        let number = unsafe UInt(bitPattern: connection_context(connection))
        assert(number != 0, "the connection has no number")
        return number
    }

    /// Ends the exchange of a request with which libmicrohttpd has finished.
    fileprivate func complete(_ exchange: HTTPExchange, on connection: OpaquePointer) {
        exchange.complete()
        unsafe limit_silence(connection, CUnsignedInt(limits.idle.wholeSeconds))
        unsafe connections.ended(on: number(of: connection))
    }
}

/// libmicrohttpd's request callback. It is called when the head of a request has been read, for
/// each part of its body, at the end of the body, and each time its connection is resumed without
/// an answer. `own` points to nil the first time, and then to the exchange.
///
/// Returns `NO` to close the connection.
func answerRequest(
    _ context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    body: UnsafePointer<CChar>?,
    bodyByteCount: UnsafeMutablePointer<Int>?,
    own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    let connection = unsafe connection!
    guard let known = unsafe own!.pointee else {
        var head = unsafe HTTPRequest(
            method: String(cString: method!),
            target: String(cString: path!),
            isOld: strcmp(version!, "HTTP/1.0") == 0,
            fields: fields(.HEADER_KIND, of: connection),
            arguments: fields(.GET_ARGUMENT_KIND, of: connection).map {
                HTTPField(name: percentDecoded($0.name), value: percentDecoded($0.value))
            }
        )
        head.client = unsafe clientAddress(of: connection)
        let exchange = unsafe service.begin(head, on: connection)
        unsafe own!.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return unsafe service.judge(exchange, on: connection)
    }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    if unsafe bodyByteCount!.pointee == 0 {
        return unsafe service.answer(exchange, on: connection)
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: body, count: bodyByteCount!.pointee)
    unsafe bodyByteCount!.pointee = 0
    defer {
        // It may have keys, and libmicrohttpd does not look at it any more.
        let memory = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
        unsafe eraseMemory(memory, byteCount: bytes.count)
    }
    return unsafe service.read(bytes, of: exchange, on: connection)
}

/// libmicrohttpd's completion callback: called once for every request that `answerRequest` was
/// called for.
func completeRequest(
    _ context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let known = unsafe own!.pointee else { return }
    unsafe own!.pointee = nil
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    unsafe service.complete(exchange, on: connection!)
}

/// libmicrohttpd's connection callback: called when a connection was accepted, and when it is
/// closed. `own` keeps its number.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    change: MHD_ConnectionNotificationCode
) {
    let service = unsafe Unmanaged<HTTPService>.fromOpaque(context!).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        unsafe own!.pointee = unsafe UnsafeMutableRawPointer(
            bitPattern: service.opened(connection!)
        )
    } else {
        unsafe service.connections.closed(UInt(bitPattern: own!.pointee))
        service.hasClosed = true
    }
}

/// The address of a connection's client, with its port.
private func clientAddress(of connection: OpaquePointer) -> String {
    var text = [CChar](repeating: 0, count: Int(client_host_size))
    let port = unsafe client_host(connection, &text)
    if port == 0 { return "" }
    let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
}

// MARK: - The query and the headers

/// Collects names and values from libmicrohttpd's callback.
private final class FieldList {
    var fields: [HTTPField] = []
}

/// The query's arguments, or the headers, of a request. To be called once for each kind: those that
/// may be a client's token are then no longer in libmicrohttpd's memory.
private func fields(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [HTTPField] {
    // Most requests have no query.
    if unsafe MHD_get_connection_values(connection, kind, nil, nil) == 0 { return [] }
    let list = FieldList()
    unsafe MHD_get_connection_values(
        connection,
        kind,
        { context, _, name, value in
            let list = unsafe Unmanaged<FieldList>.fromOpaque(context!).takeUnretainedValue()
            let name = unsafe String(cString: name!)
            let secret = unsafe value.map { unsafe takeValue($0, isSecret: mayBeToken(name)) }
            list.fields.append(HTTPField(name: name, value: secret ?? Secret([])))
            return .YES
        },
        Unmanaged.passUnretained(list).toOpaque()
    )
    return list.fields
}

/// Whether the field of a request by this name can have a token.
private func mayBeToken(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "authorization" || name == "token"
}

/// Copies a value from libmicrohttpd's memory, and overwrites it there if it is a secret.
private func takeValue(_ value: UnsafePointer<CChar>, isSecret: Bool) -> Secret {
    let count = unsafe strlen(value)
    let secret = unsafe Secret(ByteView(base: value, count: count))
    // libmicrohttpd has these headers for its callers alone, in memory of the connection that it
    // does not overwrite itself when that ends.
    if isSecret { unsafe eraseMemory(UnsafeMutableRawPointer(mutating: value), byteCount: count) }
    return secret
}
