internal import Basics
package import Foundation
internal import Glibc
internal import Platform

/// Reads and writes the files of reports.
package enum ReportFile {
    /// Writes a report; see below.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ text: String, to path: String) throws(ReportProblem) {
        try write(Data(text.utf8), to: path)
    }

    /// Checks, before a long run, that a report can be written: `-` is standard output, nil no
    /// report. This creates nothing, so a run that is killed leaves no empty report.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func check(_ path: String?) throws(ReportProblem) {
        guard let path, path != "-" else { return }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw .unwritable(path, error: EISDIR)
        }
        if unsafe access(path, W_OK) == 0 { return }
        var reason = errno
        if reason == ENOENT {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            if unsafe access(folder, W_OK | X_OK) == 0 { return }
            reason = errno
        }
        throw .unwritable(path, error: reason)
    }

    /// Writes a report, in place of what a file contains; `-` is standard output, nil means no
    /// report.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ data: Data, to path: String?) throws(ReportProblem) {
        guard let path else { return }
        if path == "-" { return FileHandle.standardOutput.write(data) }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if file < 0 { throw .unwritable(path, error: errno) }
        defer { close(file) }
        if ![UInt8](data).withByteView({ writeAll($0, to: file) }) {
            throw .unwritable(path, error: errno)
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
    package init(_ description: String) { self.description = description }

    /// A file that cannot be written, with the system's error number.
    static func unwritable(_ path: String, error: CInt) -> ReportProblem {
        ReportProblem("\(path) cannot be written: \(unsafe String(cString: strerror(error)))")
    }
}
