internal import Foundation

/// Reports as files.
package enum ReportFile {
    /// Puts a report in the place of a file, whole or not at all.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ReportProblem("\(path) cannot be written")
        }
    }

    /// Reads a report.
    ///
    /// - Throws: `ReportProblem` if it cannot be read.
    package static func read(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ReportProblem("\(path) cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Why something cannot be reported, as a sentence.
package struct ReportProblem: Error, CustomStringConvertible, Equatable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
