package import Foundation

/// Reads and writes the files of reports.
package enum ReportFile {
    /// Replaces a file by a report, atomically.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ReportProblem("\(path) cannot be written")
        }
    }

    /// Checks, before a long run, that a report can be written. An existing file stays as it is, a
    /// missing one is created empty.
    ///
    /// - Parameter path: `-` is standard output; nil means no report.
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func check(_ path: String?) throws(ReportProblem) {
        guard let path, path != "-" else { return }
        guard let handle = unsafe fopen(path, "a") else {
            let reason = unsafe String(cString: strerror(errno))
            throw ReportProblem("\(path) cannot be written: \(reason)")
        }
        unsafe fclose(handle)
    }

    /// Writes a report, not atomically.
    ///
    /// - Parameters:
    ///   - data: the report.
    ///   - path: `-` is standard output; nil means no report.
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ data: Data, to path: String?) throws(ReportProblem) {
        guard let path else { return }
        if path == "-" { return FileHandle.standardOutput.write(data) }
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw ReportProblem("\(path) cannot be written: \(error.localizedDescription)")
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

/// An error of reading or writing a report, as a sentence.
package struct ReportProblem: Error, CustomStringConvertible, Equatable {
    /// The error as a sentence without a full stop.
    package let description: String

    /// Makes an error from its sentence.
    package init(_ description: String) {
        self.description = description
    }
}
