package import ArgumentParser
import LibuvLoop

/// The address and the credentials with which a client command connects to a router.
package struct ClientOptions: ParsableArguments {
    /// The router's address: `HOST:PORT`, `HOST` or `PORT`.
    @Option(
        help: ArgumentHelp(
            "The router's address; a port alone is one of this machine.",
            valueName: "host:port"
        )
    )
    package var to = "localhost:7410"

    /// The name of the app to speak for.
    @Option(help: ArgumentHelp("The app to speak for.", valueName: "app"))
    package var app: String

    @Option(
        help: ArgumentHelp(
            "The app's token for this role. (default: $RELOAD_ROUTER_TOKEN, which other users of "
                + "this computer do not see)",
            valueName: "token"
        )
    )
    /// The token given on the command line; see `effectiveToken`.
    package var token: String?

    /// Makes options that the argument parser fills in.
    package init() {}

    /// Refuses an address that is not `HOST:PORT`.
    package func validate() throws {
        if Endpoint(to) == nil { throw ValidationError(Endpoint.problem(to, of: "--to")) }
    }

    /// The token of the command line, or else of `RELOAD_ROUTER_TOKEN`; nil if neither is set.
    package var effectiveToken: String? {
        CommandSupport.effectiveToken(token)
    }
}
