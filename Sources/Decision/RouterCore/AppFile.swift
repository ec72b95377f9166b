package import DataStructures
package import ReloadModel
internal import StrictJSON

/// Why an app file was refused: where the mistake is, and what would be right.
package struct AppFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line of the mistake, from 1.
    package let line: Int
    /// The column of the mistake, from 1, in Unicode scalars.
    package let column: Int
    /// The member that is wrong, such as `apps[0].kinds[2].match.character[0]`; empty if it is the
    /// whole file.
    package let path: String
    /// What is wrong, as a clause without its full stop.
    package let message: String
    /// The code of `protocol/patterns.md` for a mistake in a rule; nil for other mistakes.
    package let code: String?

    /// Place, code and message on one line, for a terminal or a log.
    package var description: String {
        let location = "line \(line), column \(column)\(path.isEmpty ? "" : ", " + path)"
        return location + (code.map { ": " + $0 } ?? "") + ": " + message
    }
}

/// The app file: the apps, the tokens of their clients, and their kinds with rules and policies.
///
/// The parser is strict, because a mistake would go unnoticed until a widget stays stale: unknown
/// members, wrong types and empty rules are refused, with line and column.
package enum AppFile {
    /// Reads an app file.
    ///
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - isStored: whether it comes from a store or a recording; see `checkIdentifier`.
    /// - Returns: what the file declares.
    /// - Throws: the first mistake.
    package static func parse(
        _ bytes: ByteView,
        isStored: Bool = false
    ) throws(AppFileError) -> AppCatalog {
        let parser = AppFileParser(bytes, isStored: isStored)
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(bytes, using: &scanner)
        } catch {
            throw parser.error(at: error.offset, path: "", message: error.sentence)
        }
        return try parser.catalog()
    }
}
