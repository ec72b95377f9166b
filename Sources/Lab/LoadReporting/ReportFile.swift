internal import Basics
package import Foundation
internal import Glibc
internal import Platform

/// Reads and writes the files of reports.
package enum ReportFile {
    /// Replaces a file by a report: the old content or the whole report is there, and nothing
    /// between them.
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
        if unsafe stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path, error: EISDIR) }
            if unsafe access(path, W_OK) != 0 { throw .unwritable(path, error: errno) }
            if status.st_mode & S_IFMT != S_IFREG { return }
        }
        // The new file is made beside it.
        if unsafe access(folder(of: path), W_OK | X_OK) != 0 {
            throw .unwritable(path, error: errno)
        }
    }

    /// Writes a report: at once into a pipe or a device, and otherwise as a new file, which then
    /// takes the place of the old one; `-` is standard output, nil means no report.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ data: Data, to path: String?) throws(ReportProblem) {
        guard let path else { return }
        if path == "-" { return FileHandle.standardOutput.write(data) }
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            return try put(data, into: descriptor, path: path)
        }
        // A link is followed, so that it stays one.
        let target = resolved(path)
        let partial = "\(target).\(getpid()).partial"
        let mode = isThere ? status.st_mode & 0o777 : 0o666
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        try put(data, into: unsafe open(partial, flags, mode), path: path) {
            unsafe _ = unlink(partial)
        }
        if unsafe rename(partial, target) != 0 {
            let reason = errno
            unsafe _ = unlink(partial)
            throw .unwritable(path, error: reason)
        }
    }

    /// Writes all bytes to a descriptor and closes it; `undo` removes what was written, if not all
    /// of it was. A negative descriptor is a file that could not be opened, with the reason in
    /// `errno`.
    private static func put(
        _ data: Data,
        into descriptor: CInt,
        path: String,
        undo: () -> Void = {}
    ) throws(ReportProblem) {
        if descriptor < 0 { throw .unwritable(path, error: errno) }
        defer { close(descriptor) }
        if [UInt8](data).withByteView({ writeAll($0, to: descriptor) }) { return }
        let reason = errno
        undo()
        throw .unwritable(path, error: reason)
    }

    private static func folder(of path: String) -> String {
        let target = resolved(path)
        guard let slash = target.lastIndex(of: "/") else { return "." }
        return slash == target.startIndex ? "/" : String(target[..<slash])
    }

    /// The file that a path leads to; the path itself if there is none.
    private static func resolved(_ path: String) -> String {
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
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
