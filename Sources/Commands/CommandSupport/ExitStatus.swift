package import ArgumentParser

/// The exit statuses of all commands, on which scripts may rely.
package enum ExitStatus {
    /// The router, or a check, refused something.
    package static let refused = ExitCode(1)
    /// No router could be reached, or the router ended the session.
    package static let disconnected = ExitCode(2)
    /// `match` could not judge a pattern or an event, because it is invalid.
    package static let notJudged = ExitCode(2)
}
