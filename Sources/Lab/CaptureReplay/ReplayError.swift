/// What keeps a replay from beginning, or ended it: a stable code and one sentence.
package struct ReplayError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Equatable, Sendable, CaseIterable {
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

    package let code: Code
    /// One sentence.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }
}
