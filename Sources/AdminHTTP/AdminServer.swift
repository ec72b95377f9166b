internal import CMicroHTTPD
internal import Glibc

/// The admin HTTP server: libmicrohttpd with one thread of its own, which never touches what belongs
/// to the loop.
///
/// All its memory is bounded: `connectionLimit` times `connectionMemory`, and one answer each.
@safe
package final class AdminServer: @unchecked Sendable {
    // Unchecked: `connections` belongs to the thread of libmicrohttpd, all else is constant.

    /// Connections at a time; see `OpenConnections` for what happens then.
    package static var connectionLimit: Int { 64 }
    /// For the request line and the headers of a connection, in bytes; more is refused with 414 or
    /// 431, and bodies are not read.
    static var connectionMemory: Int { 16 << 10 }
    /// Silence that ends a connection, in seconds.
    static var silenceLimit: CUnsignedInt { 10 }

    private var daemon: OpaquePointer?
    private let resources: AdminResources
    private var connections = OpenConnections(limit: connectionLimit)
    /// What is listened on, with the port that was picked.
    package private(set) var address: LoopbackAddress

    /// Binds, listens and serves.
    ///
    /// - Throws: `AdminServerError` if the address cannot be bound.
    package init(_ address: LoopbackAddress, _ resources: AdminResources) throws(AdminServerError) {
        self.resources = resources
        self.address = address
        let limits = daemon_limits(
            connections: CUnsignedInt(Self.connectionLimit),
            memory: Self.connectionMemory,
            timeout: Self.silenceLimit
        )
        // Unretained: `stop` ends the thread before this object goes.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe daemon = address.withSockaddr { sockaddr in
            unsafe start_daemon(sockaddr, limits, answerRequest, noteConnection, context)
        }
        guard let daemon = unsafe daemon else {
            throw AdminServerError(address: address, code: errno)
        }
        self.address = unsafe address.with(port: daemon_port(daemon))
    }

    deinit { stop() }

    /// Closes all connections and ends the thread.
    ///
    /// Stopping twice is no error.
    package func stop() {
        if let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) }
        unsafe daemon = nil
    }

    // MARK: - On the thread of libmicrohttpd

    fileprivate func noteOpened(_ socket: CInt) { connections.opened(socket) }

    fileprivate func noteClosed(_ socket: CInt) { connections.closed(socket) }

    fileprivate func answer(
        _ method: String,
        _ path: String,
        on connection: OpaquePointer
    )
        -> MHD_Result
    {
        let answer = resources.answer(method, path)
        var body = answer.body
        let response = body.withUTF8 { bytes in
            // Copied by it; the pointer is mutable for the modes that take the memory over.
            let memory = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return unsafe MHD_create_response_from_buffer(
                bytes.count,
                memory,
                .RESPMEM_MUST_COPY
            )
        }
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        unsafe _ = MHD_add_response_header(response, "Content-Type", answer.contentType)
        unsafe _ = MHD_add_response_header(response, "Cache-Control", "no-store")
        if let allow = answer.allow {
            unsafe _ = MHD_add_response_header(response, "Allow", allow)
        }
        return unsafe MHD_queue_response(connection, answer.status, response)
    }
}

/// The admin server's address cannot be bound.
package struct AdminServerError: Error, Equatable, Sendable, CustomStringConvertible {
    package let address: LoopbackAddress
    /// Of the system.
    package let code: CInt

    package var description: String {
        let reason = unsafe String(cString: strerror(code))
        return "cannot listen on \(address) for the admin server: \(reason); "
            + "--admin HOST:PORT names another address, --admin none does without"
    }
}

/// Is called when the headers of a request have been read, and again when all of it has: `request`
/// holds nil the first time, and what was left there the second time.
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
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    let method = unsafe String(cString: method!)
    if unsafe AdminResources.has(method) && request!.pointee == nil {
        // Answered before its end, a request would end its connection.
        unsafe request!.pointee = context
        return .YES
    }
    // What is only read has no body. Any other method is refused before its body is read.
    if unsafe bodyByteCount!.pointee > 0 { return .NO }
    let server = unsafe Unmanaged<AdminServer>.fromOpaque(context!).takeUnretainedValue()
    return unsafe server.answer(method, String(cString: path!), on: connection!)
}

/// Is called when a connection has been accepted, and when it is closed.
private func noteConnection(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ ownContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    let server = unsafe Unmanaged<AdminServer>.fromOpaque(context!).takeUnretainedValue()
    let socket = unsafe connection_socket(connection!)
    if change == .CONNECTION_NOTIFY_STARTED {
        server.noteOpened(socket)
    } else {
        server.noteClosed(socket)
    }
}
