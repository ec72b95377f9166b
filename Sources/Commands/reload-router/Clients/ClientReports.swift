import CommandSupport
import ReloadRouterClient

/// Writes the error that ended a command to standard error.
func report(_ command: String, error: any Error, options: ClientOptions) {
    var hint = ""
    if case .refused(let code, _, _) = error as? ClientError {
        hint = MissingToken.hint(code: code, isGiven: options.hasToken)
    }
    writeStandardError("reload-router \(command): \(error)\(hint)\n")
}

/// Makes a handler that writes to standard error when a connection that reconnects by itself is
/// lost.
func reportChange(_ command: String) -> @Sendable (ConnectionChange) -> Void {
    { change in
        guard case .lost(let error) = change else { return }
        writeStandardError("reload-router \(command): \(error); connecting again\n")
    }
}
