internal import Platform
internal import Times

/// The file in which every operator's command stands, one JSON object a line.
///
///     audit.jsonl ◄── appended, and on the disk before the command is answered
///     audit.jsonl.1 … .7 ◄── the former files, youngest first, once the first is full
///
/// A thread of its own writes. If the file cannot be written, what is missing is kept and tried
/// again every second, and until then further commands are refused: nothing is changed without a
/// trace. No more lines can be missing than commands can be under way.
package final class AuditLog: Sendable {
    /// The size at which a new file is begun, in bytes.
    package static var fileLimit: Int { 16 << 20 }
    /// The number of former files that are kept.
    package static var formerFiles: Int { 7 }
    /// The most lines that wait to be written; further commands are refused.
    static var pendingLimit: Int { 256 }
    /// How long to wait after a failure, before the next try.
    fileprivate static var retryPause: Milliseconds { .seconds(1) }

    private let writer: AuditWriter
    private let thread: JoinableThread

    /// Opens or makes the file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - onFailure: called on the log's thread when writing begins to fail, with the reason, and
    ///     with nil when it works again.
    /// - Throws: `AuditLogError`.
    package init(
        _ path: String,
        onFailure: @escaping @Sendable (String?) -> Void
    ) throws(AuditLogError) {
        let file = try AuditFile(path, limit: Self.fileLimit, formerFiles: Self.formerFiles)
        let writer = AuditWriter(file, onFailure: onFailure)
        self.writer = writer
        thread = JoinableThread { writer.run() }
    }

    /// Writes what is pending, and ends the thread; what is appended later is not written.
    ///
    /// To be called when no more commands come, and not on the log's thread. A second call does
    /// nothing.
    package func stop() {
        if writer.stop() { thread.join() }
    }

    /// Makes the thread end once it has written what is pending. It is not waited for: that
    /// thread may be the one that drops the last reference.
    deinit { _ = writer.stop() }

    /// Why no command may be carried out now; nil if the log can be written.
    var problem: AdminProblem? { writer.problem }

    /// Appends a record.
    ///
    /// - Parameters:
    ///   - record: what is to be written.
    ///   - whenTried: called on the log's thread, once the record is on the disk, or cannot be
    ///     written for the moment.
    func append(_ record: AuditRecord, whenTried: @escaping @Sendable () -> Void) {
        writer.append(record.line, whenTried: whenTried)
    }
}

/// The work of the thread of `AuditLog`.
private final class AuditWriter: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor, and `file` on the thread alone.

    /// A line that is to be written.
    private struct Pending {
        let line: [UInt8]
        /// Called once the line is on the disk, or the first try has failed.
        var whenTried: (@Sendable () -> Void)?
    }

    private let monitor = Monitor()
    private var pending: [Pending] = []
    private var failure: String?
    private var isStopping = false
    private let file: AuditFile
    private let onFailure: @Sendable (String?) -> Void

    init(_ file: AuditFile, onFailure: @escaping @Sendable (String?) -> Void) {
        self.file = file
        self.onFailure = onFailure
    }

    var problem: AdminProblem? {
        monitor.locked {
            if let failure {
                return AdminProblem(
                    503,
                    code: "audit-log-failing",
                    detail: "the audit log cannot be written: \(failure)"
                )
            }
            if pending.count >= AuditLog.pendingLimit {
                return .busy("\(AuditLog.pendingLimit) commands wait for the audit log")
            }
            return nil
        }
    }

    func append(_ line: [UInt8], whenTried: @escaping @Sendable () -> Void) {
        monitor.locked { pending.append(Pending(line: line, whenTried: whenTried)) }
        monitor.wake()
    }

    /// Makes `run` return, once what is pending has been tried.
    ///
    /// - Returns: whether this is the first call.
    func stop() -> Bool {
        let isFirst = monitor.locked {
            defer { isStopping = true }
            return !isStopping
        }
        monitor.wake()
        return isFirst
    }

    /// Writes lines until `stop`.
    func run() {
        while let lines = waitForLines() {
            var reason: String?
            do throws(AuditLogError) {
                try file.append(lines)
            } catch {
                reason = error.reason
            }
            finish(lines.count, reason: reason)
        }
    }

    /// Waits until there is something to write; nil once the thread must end.
    private func waitForLines() -> [[UInt8]]? {
        monitor.locked {
            if failure != nil {
                let end = MonotonicTime.now + AuditLog.retryPause
                while !isStopping && MonotonicTime.now < end { monitor.wait(until: end) }
            }
            while pending.isEmpty && !isStopping { monitor.wait() }
            // What cannot be written at the end is lost; the log of the router says so.
            if pending.isEmpty || (isStopping && failure != nil) { return nil }
            return pending.map(\.line)
        }
    }

    /// Takes note of a try to write the first lines.
    private func finish(_ count: Int, reason: String?) {
        var tried: [@Sendable () -> Void] = []
        let isNew = monitor.locked {
            defer { failure = reason }
            tried = pending.prefix(count).compactMap(\.whenTried)
            if reason == nil {
                pending.removeFirst(count)
            } else {
                for index in 0..<count { pending[index].whenTried = nil }
            }
            return (failure == nil) != (reason == nil)
        }
        if isNew { onFailure(reason) }
        for call in tried { call() }
    }
}

/// Why the audit log cannot be opened or written.
package struct AuditLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was wrong, for people.
    package let reason: String

    /// A sentence that names the file.
    package var description: String { "the audit log \(path): \(reason)" }
}
