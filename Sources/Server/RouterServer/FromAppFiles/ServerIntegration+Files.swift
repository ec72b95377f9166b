package import AdminAPI
internal import Basics
package import Logging
internal import Platform

/// The files that SIGHUP reads again. Those that are refused are logged once for each attempt, and
/// stay in the status until they are read.
extension ServerIntegration {
    /// Records and logs that files were read again and are in force; `details` say what they are.
    package func fileRead(_ name: RereadFile.Name, details: Logger.Metadata = [:]) {
        with(name) { $0.read(at: $1) }
        core.logger.notice(name.readMessage, metadata: details)
    }

    /// Records and logs that files were refused, and why; the old ones stay in force.
    package func fileRefused(_ name: RereadFile.Name, because error: any Error) {
        with(name) { $0.refused(because: "\(error)", at: $1) }
        core.logger.error(name.refusedMessage, metadata: ["error": "\(error)"])
    }

    /// Records files that were read at the start; to be called before `run`.
    package func fileIsReread(_ name: RereadFile.Name) {
        with(name) { $0.read(at: $1) }
    }

    private func with(_ name: RereadFile.Name, change: (inout RereadFile, WallTime) -> Void) {
        let now = WallTime.now
        let index = files.firstIndex { $0.name == name } ?? files.endIndex
        if index == files.endIndex { files.append(RereadFile(name, readAt: now)) }
        change(&files[index], now)
    }
}

extension RereadFile.Name {
    /// That the files were read again.
    fileprivate var readMessage: Logger.Message {
        switch self {
        case .apps: "app file read again"
        case .operators: "operators read again"
        case .certificates: "certificates read again"
        }
    }

    /// That they were refused.
    fileprivate var refusedMessage: Logger.Message {
        switch self {
        case .apps: "app file refused; the old one stays"
        case .operators: "operators refused; the old ones stay"
        case .certificates: "certificates refused; the old ones stay"
        }
    }
}
