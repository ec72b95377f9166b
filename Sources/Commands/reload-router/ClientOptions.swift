import ArgumentParser
import Glibc
import ReloadRouterClient

/// Where `push` and `device` connect, and as whom.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The router's address.", valueName: "host:port"))
    var to = "localhost:7410"

    @Option(help: ArgumentHelp("The app to speak for.", valueName: "app"))
    var app: String

    @Option(
        help: ArgumentHelp(
            "The app's token for this role. (default: $RELOAD_ROUTER_TOKEN, which other users of "
                + "this computer do not see)",
            valueName: "token"
        )
    )
    var token: String?

    func validate() throws {
        if RouterAddress(to) == nil {
            throw ValidationError("--to is \(to); it must be HOST:PORT, such as localhost:7410")
        }
    }

    /// The token of the command line, else of the environment.
    var effectiveToken: String? {
        if let token { return token }
        guard let value = unsafe getenv("RELOAD_ROUTER_TOKEN") else { return nil }
        return unsafe String(cString: value)
    }
}

/// Exit statuses that scripts may rely on.
enum ExitStatus {
    /// Something was refused.
    static let refused = ExitCode(1)
    /// The router cannot be reached, or ended the session.
    static let disconnected = ExitCode(2)
    /// What was to be judged cannot be.
    static let notJudged = ExitCode(2)
}

/// Writes what ended a command to standard error.
func report(_ command: String, _ error: ClientError) {
    writeStandardError("reload-router \(command): \(error)\n")
}

/// Says on standard error what happens to a connection that reconnects by itself.
func reportChange(_ command: String) -> @Sendable (ConnectionChange) -> Void {
    { change in
        guard case .lost(let error) = change else { return }
        writeStandardError("reload-router \(command): \(error); connecting again\n")
    }
}
