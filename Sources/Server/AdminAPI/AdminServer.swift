package import HTTPServing

/// The admin HTTP server: a thread of its own, which never touches what belongs to the loop.
package final class AdminServer: Sendable {
    private let server: HTTPServer

    /// What is listened on, with the port that was picked.
    package var address: ListeningAddress { server.address }

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: one that others reach only if `resources` ask for a token.
    ///   - resources: what there is.
    /// - Throws: `AdminServerError` if the address cannot be bound.
    package init(
        _ address: ListeningAddress,
        _ resources: AdminResources
    ) throws(AdminServerError) {
        var limits = HTTPServerLimits()
        limits.niceness = AdminResources.niceness
        do throws(HTTPServerError) {
            server = try HTTPServer(address, limits: limits, handler: resources)
        } catch {
            throw AdminServerError(cause: error)
        }
    }

    /// Closes all connections and ends the thread.
    ///
    /// Stopping twice is no error.
    package func stop() { server.stop() }
}

/// The admin server's address cannot be bound.
package struct AdminServerError: Error, Equatable, Sendable, CustomStringConvertible {
    package let cause: HTTPServerError

    package var description: String {
        "cannot listen on \(cause.address) for the admin server: \(cause.reason); "
            + "--admin HOST:PORT names another address, --admin none does without"
    }
}
