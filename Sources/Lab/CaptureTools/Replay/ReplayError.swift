package import StoreFormat

/// What keeps a replay from beginning, or ended it.
package typealias ReplayError = CodedError<ReplayErrorCode>

/// What is wrong with a replay.
package enum ReplayErrorCode: String, Equatable, Sendable, CaseIterable {
    /// There is nothing to replay in the capture, or not in this part of it.
    case empty = "replay-empty"
    /// The capture names no app file, or a broken one.
    case apps = "replay-apps"
    /// The router refuses a session for good.
    case refused = "replay-refused"
    /// The router cannot be reached, or does not keep to the protocol.
    case router = "replay-router"
    /// A file cannot be read or written, or is no report.
    case file = "replay-file"
}
