package import ArgumentParser

/// Exit statuses that scripts may rely on.
package enum ExitStatus {
    /// Something was refused.
    package static let refused = ExitCode(1)
    /// The router cannot be reached, or ended the session.
    package static let disconnected = ExitCode(2)
    /// What was to be judged cannot be.
    package static let notJudged = ExitCode(2)
}
