package import Basics

/// A router that a load test has started for itself, in memory, and must stop.
package struct OwnRouter {
    /// The address on which the router listens, `HOST:PORT`.
    package let address: String
    /// The address of its admin server.
    package let adminAddress: String
    /// The text of the token of its admin server.
    package let adminToken: String
    /// The address of its listener for publishers and devices over HTTP; nil if it has none.
    package let publishAddress: String?
    private let server: LabServer
    /// Has the file of the token for as long as the router runs.
    private let folder: TemporaryFolder

    /// Starts a router with the text of an app file, and with further flags of `serve`. If they
    /// have `--publish`, its port must be 0.
    ///
    /// - Throws: `LabFailure` if it does not start.
    package init(apps: String, flags: [String] = []) throws {
        folder = try TemporaryFolder(in: "/tmp")
        let own = [
            "--store", "none", "--admin", "127.0.0.1:0", "--admin-token-file", folder("token"),
        ]
        server = try LabServer.router(apps: apps, flags: own + flags)
        // The router has made the file before it listens.
        adminToken = String(folder.text("token").prefix { $0 != "\n" })
        address = "127.0.0.1:\(server.port)"
        adminAddress = "127.0.0.1:\(server.adminPort)"
        publishAddress = server.publishPort == 0 ? nil : "127.0.0.1:\(server.publishPort)"
    }

    /// Returns the router's CPU time so far.
    package func cpuTime() -> Nanoseconds { server.process.cpuTime }

    /// Ends the router.
    package func stop() {
        server.process.stop()
        // Not with the last reference: a program's end waits for none.
        folder.delete()
    }
}
