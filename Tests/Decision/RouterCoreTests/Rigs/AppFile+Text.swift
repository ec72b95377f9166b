import Basics

@testable import RouterCore

extension AppFile {
    static func parse(_ text: String) throws(AppFileError) -> AppCatalog {
        try file(text).catalog
    }

    /// Reads a file that is a text.
    static func file(_ text: String) throws(AppFileError) -> AppFile {
        try Array(text.utf8).withByteView { bytes throws(AppFileError) in try parse(bytes) }
    }

    /// Why a text is refused; nil if it is not.
    static func error(_ text: String) -> AppFileError? {
        do throws(AppFileError) {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }
}
