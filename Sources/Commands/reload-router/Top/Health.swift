import ArgumentParser
import Basics
import CommandSupport
import Glibc
import HTTPFetching
import HTTPMessages
import LibuvLoop
import Platform
import ReloadRouterClient

/// `health`: says whether the router of this machine or container is alive.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say whether the router of this machine is alive, for checks of containers.",
        discussion: """
            Asks the admin server whether the router is ready, and prints the first line of its \
            answer. A router that is not ready for another reason than a stuck event loop (it loads \
            its store, it drains, or its disk is full) counts as healthy, because a restart would \
            not help. The command finds out whether the server speaks TLS, and accepts every \
            certificate: the name in it is the one by which others reach the router.

            Exit status: 0 alive, 1 not.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The admin server's address, as --admin of serve has it. (default: RELOAD_ROUTER_ADMIN, "
                + "or else 127.0.0.1:7411)",
            valueName: "host:port"
        )
    )
    var to: String?

    /// What `Readiness` says, to strangers too, of a router that a restart would help.
    private static var stuck: String { "the loop has not answered" }

    private var address: String {
        if let to { return to }
        return environmentVariable("RELOAD_ROUTER_ADMIN") ?? "127.0.0.1:7411"
    }

    /// The address to connect to: a server at all addresses of the machine is at loopback, too.
    private func reachable() throws -> Endpoint {
        guard var endpoint = Endpoint(listening: address, defaultPort: 7_411), endpoint.port > 0
        else { throw ValidationError("\(address) is no address such as 127.0.0.1:7411") }
        switch endpoint.host {
        case "*", "0.0.0.0": endpoint.host = "127.0.0.1"
        case "::": endpoint.host = "::1"
        default: break
        }
        return endpoint
    }

    func run() throws {
        guard let reply = try answer() else {
            writeStandardError("reload-router health: no router answers at \(address)\n")
            throw ExitCode(1)
        }
        let line = reply.body.prefix { $0 != 0x0a }
        let text = String(decoding: line, as: UTF8.self)
        printLine(text)
        if text.contains(Self.stuck) { throw ExitCode(1) }
    }

    /// The answer of the server, with TLS or without; nil if none is a router's.
    ///
    /// TLS is tried first, because a server that speaks it logs a client without, and the other way
    /// round not; and last again, because the first time is limited: a server without TLS may wait
    /// for the rest of what it takes for a request.
    private func answer() throws -> HTTPAnswer? {
        let server = try AdminAddress("\(reachable())", options: SecurityOptions.parse([]))
        let question = server.question("/readyz")
        var first = AdminClient.Limits()
        first.lastConnectTimeout = .milliseconds(500)
        for (security, limits) in [
            (ClientSecurity.unverified, first), (.plaintext, AdminClient.Limits()),
            (.unverified, AdminClient.Limits()),
        ] {
            let outcome = try server.secured(by: security).outcome(of: question, limits: limits)
            if case .success(let reply) = outcome, [200, 503].contains(reply.status) {
                return reply
            }
        }
        return nil
    }
}
