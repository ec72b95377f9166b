package import HTTPServing

/// The admin HTTP server. It has a thread of its own, which never touches state of the loop.
package final class AdminServer: Sendable {
    private let server: HTTPServer

    /// The address listened on, with the port that the system chose if 0 was asked for.
    package var address: ListeningAddress { server.address }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - resources: answers the requests.
    /// - Throws: `AdminServerError` if the address cannot be bound.
    package init(
        _ address: ListeningAddress,
        resources: AdminResources
    ) throws(AdminServerError) {
        var limits = HTTPServerLimits()
        limits.niceness = AdminResources.niceness
        do throws(HTTPServerError) {
            server = try HTTPServer(address, limits: limits, handler: resources)
        } catch {
            throw AdminServerError(cause: error)
        }
    }

    /// Closes all connections and ends the thread. A second call does nothing.
    package func stop() { server.stop() }
}

/// The admin server's address could not be bound.
package struct AdminServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The HTTP server's error: the address, and the system's reason.
    package let cause: HTTPServerError

    /// A sentence that says how to choose another address.
    package var description: String {
        "cannot listen on \(cause.address) for the admin server: \(cause.reason); "
            + "--admin HOST:PORT sets another address, --admin none disables the server"
    }
}
