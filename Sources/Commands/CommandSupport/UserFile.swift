import Glibc
import Platform

/// Where a user's own files are (XDG Base Directory Specification 0.8).
package enum UserFile {
    /// The path of a file of this program: in the folder that a variable of the environment names,
    /// or else in a folder of the user's home; nil if the environment names neither.
    package static func path(
        _ name: String,
        in variable: String,
        orHome folder: String
    ) -> String? {
        if let own = environmentVariable(variable), own.hasPrefix("/") {
            return "\(own)/reload-router/\(name)"
        }
        guard let home = environmentVariable("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/\(folder)/reload-router/\(name)"
    }

    /// The path that a file is written to: where links at its place lead, so that they stay links,
    /// also if there is nothing yet.
    static func target(of path: String) -> String {
        var path = path
        // As many links as the system follows.
        for _ in 0..<40 {
            guard let target = linkTarget(path) else { break }
            let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    /// Makes the folders of a file that do not exist, for their owner alone.
    package static func makeFolders(to path: String) {
        var end = path.index(after: path.startIndex)
        while let slash = path[end...].firstIndex(of: "/") {
            unsafe mkdir(String(path[..<slash]), 0o700)
            end = path.index(after: slash)
        }
    }
}
