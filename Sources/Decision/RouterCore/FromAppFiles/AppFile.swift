package import Basics
package import Credentials

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
    /// Whose mistake it is, such as `app com.mygame, kind com.mygame.detail`: the path has numbers
    /// alone. Empty if neither is known.
    package var owner = ""

    /// Place, owner, code and message on one line, for a terminal or a log.
    package var description: String {
        let location = "line \(line), column \(column)\(path.isEmpty ? "" : ", " + path)"
        let name = owner.isEmpty ? "" : " (\(owner))"
        return location + name + (code.map { ": " + $0 } ?? "") + ": " + message
    }

    /// The error with the name of what has the mistake, put in front of what is known; nil adds
    /// nothing.
    func naming(_ what: String, name: String?) -> Self {
        guard let name else { return self }
        var named = self
        named.owner = "\(what) \(quotation(name))" + (owner.isEmpty ? "" : ", \(owner)")
        return named
    }
}

/// What an app file says: the apps, their kinds with rules and policies, and who may connect.
///
/// The router decides by `catalog`, which is stored; `access` concerns those alone who let clients
/// in, and is never stored.
///
/// The parser is strict, because a mistake would go unnoticed until a widget stays stale: unknown
/// members, wrong types and empty rules are refused, with line and column.
package struct AppFile: Equatable, Sendable {
    /// The apps and their kinds.
    package let catalog: AppCatalog
    /// Who may have the roles of each app, in the order of the file.
    package let access: [AppAccess]
    /// The file without its secrets, as the store keeps it and operators see it.
    package let source: [UInt8]

    /// Reads an app file.
    ///
    /// - Throws: the first mistake.
    package static func parse(_ bytes: ByteView) throws(AppFileError) -> AppFile {
        try parse(bytes, isStored: false)
    }

    /// Reads an app file that comes from a store or a recording, perhaps of an older version: who
    /// may connect is not read, and identifiers may have what `checkIdentifier` says.
    ///
    /// - Throws: the first mistake.
    package static func parseStored(_ bytes: ByteView) throws(AppFileError) -> AppCatalog {
        try parse(bytes, isStored: true).catalog
    }

    private static func parse(_ bytes: ByteView, isStored: Bool) throws(AppFileError) -> AppFile {
        let parser = AppFileParser(bytes, isStored: isStored)
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(bytes, using: &scanner)
        } catch {
            throw parser.error(at: error.offset, path: "", message: error.sentence)
        }
        return try parser.file()
    }
}
