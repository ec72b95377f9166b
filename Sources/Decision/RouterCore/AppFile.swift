package import DataStructures
package import ReloadModel
internal import StrictJSON

/// Why an app file was refused: where, and what would be right.
package struct AppFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1.
    package let column: Int
    /// The member that is wrong, such as `apps[0].kinds[2].match.character[0]`; empty for the file.
    package let path: String
    /// One sentence.
    package let message: String
    /// If it is a rule that is wrong, which way: a code of `protocol/patterns.md`.
    package let code: String?

    package var description: String {
        let place = "line \(line), column \(column)\(path.isEmpty ? "" : ", " + path)"
        return place + (code.map { ": " + $0 } ?? "") + ": " + message
    }
}

/// The app file: which apps there are, who may speak for them, and their kinds' rules.
///
/// Strict, because a slip in it would go unnoticed until a widget stays stale: unknown members,
/// wrong types and empty rules are refused, with line and column.
package enum AppFile {
    /// Reads an app file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - isStored: whether it comes from a store or a recording; see `checkIdentifier`.
    /// - Returns: what it says.
    /// - Throws: what is wrong first.
    package static func parse(
        _ bytes: ByteView,
        isStored: Bool = false
    ) throws(AppFileError) -> AppCatalog {
        let parser = AppFileParser(bytes, isStored: isStored)
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(bytes, using: &scanner)
        } catch {
            throw parser.error(at: error.offset, "", error.sentence)
        }
        return try parser.catalog()
    }
}
