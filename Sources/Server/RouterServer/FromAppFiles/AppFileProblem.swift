package import RouterCore

/// Why an app file was refused.
package enum AppFileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file is not a valid app file.
    case invalid(path: String, AppFileError)
    /// The router's limits do not allow what the file declares.
    case refused(path: String, reason: String)

    /// The path and the reason, for people.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .invalid(let path, let error): "\(path): \(error)"
        case .refused(let path, let reason): "\(path): \(reason)"
        }
    }
}
