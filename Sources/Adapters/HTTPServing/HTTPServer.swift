package import Cryptography
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
    private let purpose: HTTPServerPurpose
    /// The address listened on, with the port that the system chose if 0 was asked for.
    package let address: ListeningAddress

    /// Binds, listens and serves on any address of this machine, with TLS if there is `security`;
    /// `handler` must then check who asks. `onRefusal` is called with the address of each client
    /// whose handshake has failed, and the reason; on the server's thread.
    package init(
        _ address: ListeningAddress,
        security: ServerSecurity? = nil,
        limits: HTTPServerLimits = HTTPServerLimits(),
        purpose: HTTPServerPurpose = HTTPServerPurpose(),
        handler: any HTTPHandler,
        onRefusal: @escaping @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in }
    ) throws(HTTPServerError) {
        let mailbox = HTTPMailbox()
        let loop: Loop
        do throws(UVError) {
            loop = try Loop()
        } catch {
            throw purpose.error(error, at: address)
        }
        let service: HTTPService
        do throws(HTTPServerError) {
            let http = try HTTPListener(
                loop,
                limits: limits,
                purpose: purpose,
                security: security,
                onRefusal: onRefusal
            )
            service = try HTTPService(http, address: address, handler: handler, mailbox: mailbox)
        } catch {
            // Closes what was opened before.
            try? loop.run()
            throw error
        }
        self.mailbox = mailbox
        self.purpose = purpose
        self.address = address.with(port: service.port)
        let work = ServiceThread(service: service)
        thread = JoinableThread(niceness: limits.niceness) { work.service.run() }
    }

    deinit { stop() }

    /// Uses other certificates, and other authorities of clients, for the sessions that begin from
    /// soon on; the others continue, unless their clients' authority has gone. Does nothing without
    /// TLS. Throws why they are not usable; everything is as before then.
    package func replace(_ security: ServerSecurity) throws(HTTPServerError) {
        // A trial on this thread, because the server's own context belongs to its thread.
        _ = try purpose.context(security)
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
