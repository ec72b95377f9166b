internal import Basics
package import Foundation
internal import Glibc
internal import Platform

/// Reads and writes the files of reports.
package enum ReportFile {
    /// Replaces a file by a report: the old content or the whole report is there, and nothing
    /// between them, where a file may be made beside it.
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
        guard let old = try status(path) else {
            // The new file is made beside it.
            let folder = folder(of: resolved(path))
            if unsafe access(folder, W_OK | X_OK) != 0 { throw .unwritable(path, error: errno) }
            return
        }
        if old.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path, error: EISDIR) }
        if unsafe access(path, W_OK) != 0 { throw .unwritable(path, error: errno) }
    }

    /// Writes a report as a new file, which then takes the place, the mode and, where that is
    /// allowed, the owner of the old one. A pipe or a device is written into at once, and so is a
    /// file whose folder lets nothing be made or replaced; `-` is standard output, nil means no
    /// report.
    ///
    /// - Throws: `ReportProblem` if it cannot be written.
    package static func write(_ data: Data, to path: String?) throws(ReportProblem) {
        guard let path else { return }
        if path == "-" { return FileHandle.standardOutput.write(data) }
        let old = try status(path)
        if old.map({ $0.st_mode & S_IFMT == S_IFREG }) ?? true {
            // A link is followed, so that it stays one.
            let target = resolved(path)
            let partial = "\(target).\(getpid()).partial"
            let mode = old.map { $0.st_mode & 0o777 } ?? 0o666
            let new = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if new >= 0 {
                if let old {
                    // A process that may not give files away keeps this one.
                    _ = fchown(new, uid_t.max, old.st_gid)
                    _ = fchown(new, old.st_uid, gid_t.max)
                    fchmod(new, mode)
                }
                try put(data, into: new, path: path) { unsafe _ = unlink(partial) }
                if unsafe rename(partial, target) == 0 { return }
            }
            let reason = errno
            if new >= 0 { unsafe _ = unlink(partial) }
            if old == nil { throw .unwritable(path, error: reason) }
        }
        let descriptor = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        try put(data, into: descriptor, path: path)
    }

    /// What is at a path, links followed; nil if nothing is.
    private static func status(_ path: String) throws(ReportProblem) -> stat? {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return status }
        if errno == ENOENT { return nil }
        throw .unwritable(path, error: errno)
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
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The file that a path leads to, also if there is none yet.
    private static func resolved(_ path: String) -> String {
        if let found = unsafe realpath(path, nil) {
            defer { unsafe free(found) }
            return unsafe String(cString: found)
        }
        // Links to nothing; there are no circles, which have no status.
        var path = path
        while let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            path = next.hasPrefix("/") ? next : "\(folder(of: path))/\(next)"
        }
        return path
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
