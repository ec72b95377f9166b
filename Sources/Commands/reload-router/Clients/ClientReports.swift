import CommandSupport
import ReloadRouterClient

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
