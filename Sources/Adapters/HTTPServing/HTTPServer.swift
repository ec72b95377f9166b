package import Cryptography
internal import Glibc
internal import LibuvLoop
internal import Platform

/// An HTTP server with or without TLS, on a loop with a thread of its own.
///
/// It checks no tokens. On an address that other machines can reach, the handler must check who
/// asks.
package final class HTTPServer: @unchecked Sendable {
    // Unchecked: only the owner uses `thread`; everything else is constant.

    private var thread: JoinableThread?
    /// What the server's thread is to do.
    private let mailbox: HTTPMailbox
    /// The address listened on, with the port that the system chose if 0 was asked for.
    package let address: ListeningAddress

    /// Binds, listens and serves on any address of this machine, without TLS; `handler` must then
    /// check who asks. Throws `HTTPServerError` if the address cannot be bound.
    package convenience init(
        _ address: ListeningAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(address, context: nil, limits: limits, handler: handler) { _, _ in }
    }

    /// Binds, listens and serves with TLS. `onRefusal` is called with the address of each client
    /// whose handshake has failed, and the reason; on the server's thread. Throws
    /// `SecureServerError`.
    package convenience init(
        _ address: ListeningAddress,
        security: ServerSecurity,
        limits: HTTPServerLimits = HTTPServerLimits(),
        handler: any HTTPHandler,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in }
    ) throws(SecureServerError) {
        let context: TLSServerContext
        do throws(TLSError) {
            context = try HTTPListener.context(security)
        } catch {
            throw .security(error)
        }
        do throws(HTTPServerError) {
            try self.init(
                address,
                context: context,
                limits: limits,
                handler: handler,
                onRefusal: onRefusal
            )
        } catch {
            throw .address(error)
        }
    }

    private init(
        _ address: ListeningAddress,
        context: TLSServerContext?,
        limits: HTTPServerLimits,
        handler: any HTTPHandler,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) throws(HTTPServerError) {
        let mailbox = HTTPMailbox()
        var opened: Loop?
        let service: HTTPService
        do throws(UVError) {
            let loop = try Loop()
            opened = loop
            service = try HTTPService(
                loop,
                address: address,
                context: context,
                limits: limits,
                handler: handler,
                mailbox: mailbox,
                onRefusal: onRefusal
            )
        } catch {
            // Closes what was opened before.
            try? opened?.run()
            throw HTTPServerError(address: address, code: -error.code)
        }
        self.mailbox = mailbox
        self.address = address.with(port: service.port)
        let work = ServiceThread(service: service)
        thread = JoinableThread(niceness: limits.niceness) { work.service.run() }
    }

    deinit { stop() }

    /// Uses other certificates, and other authorities of clients, for the sessions that begin from
    /// soon on; the others continue, unless their clients' authority has gone. Does nothing without
    /// TLS. Throws why they are not usable; everything is as before then.
    package func replace(_ security: ServerSecurity) throws(TLSError) {
        // A trial on this thread, because the server's own context belongs to its thread.
        _ = try HTTPListener.context(security)
        mailbox.replace(security)
    }

    /// Closes all connections and ends the thread. Requests without an answer get none; answers
    /// given before leave if their clients read them within `HTTPServerLimits.stopTime`.
    ///
    /// The handler must not call this. A second call does nothing.
    package func stop() {
        guard let thread else { return }
        mailbox.stop()
        thread.join()
        self.thread = nil
    }
}

/// A service on its way to its thread.
private struct ServiceThread: @unchecked Sendable {
    // Unchecked: the service is used by one thread only, once this has begun.

    let service: HTTPService
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

/// Why a server with TLS cannot serve.
package enum SecureServerError: Error, Equatable, Sendable, CustomStringConvertible {
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
