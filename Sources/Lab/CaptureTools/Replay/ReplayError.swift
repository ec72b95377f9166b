package import StoreFormat

/// An error that keeps a replay from beginning, or ends it.
package typealias ReplayError = CodedError<ReplayErrorCode>

/// The kinds of these errors.
package enum ReplayErrorCode: String, Equatable, Sendable, CaseIterable {
    /// The capture, or the part of it that was asked for, has no pushes.
    case empty = "replay-empty"
    /// The capture has no app file, or a broken one.
    case apps = "replay-apps"
    /// The router refuses a session, and would again.
    case refused = "replay-refused"
    /// The router cannot be reached, or violates the protocol.
    case router = "replay-router"
    /// A file cannot be read or written, or is no report.
    case file = "replay-file"
}
