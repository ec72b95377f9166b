package import Basics
internal import HTTPServing
internal import Platform

/// The file in which every operator's command stands, one JSON object a line.
///
///     audit.jsonl ◄── a command that begins: on the disk before it has any effect
///                 ◄── how it ended: on the disk before it is answered
///     audit.jsonl.1 … .7 ◄── the former files, youngest first, once the first is full
///     audit.jsonl.kept ◄── what commands have changed, of former files that were dropped
///     audit.jsonl.end ◄── number and code of the last line, so that a cut-off end is noticed
///     audit.jsonl.key ◄── the secret that chains the lines, for `reload-router audit verify`
///
/// A thread of its own writes. It also tries every minute whether it could. If it cannot, no
/// command begins, and a line says so afterwards. How a command ended is kept then
/// and tried again every second, and until it is written no further command begins; no more lines
/// can be missing than commands can be under way.
package final class AuditLog: Sendable {
    /// The size at which a new file is begun, in bytes.
    package static var fileLimit: Int { 16 << 20 }
    /// The number of former files that are kept.
    package static var formerFiles: Int { 7 }
    /// The most lines that wait to be written; further commands are refused.
    static var pendingLimit: Int { 256 }
    /// How long to wait after a failure, before the next try.
    static var retryPause: Milliseconds { .seconds(1) }
    /// How long nothing is written before it is tried whether something could be.
    static var probePause: Milliseconds { .seconds(60) }

    private let writer: AuditWriter
    private let thread: JoinableThread
    private let key: AuditKey

    /// Opens or makes the file and its key. Each line is sent to `syslog`, too, unless that is nil.
    /// `onFailure` is called on the log's thread when writing or sending begins to fail, with the
    /// reason, and with nil when it works again.
    ///
    /// - Throws: `AuditLogError`.
    package init(
        _ path: String,
        syslog: AuditSyslog? = nil,
        now: @escaping @Sendable () -> WallTime,
        onFailure: @escaping @Sendable (AuditFailure) -> Void
    ) throws(AuditLogError) {
        key = try AuditKey(ofLog: path, mayBeNew: true)
        let file = try AuditFile(
            path,
            key: key,
            limit: Self.fileLimit,
            formerFiles: Self.formerFiles
        )
        let writer = AuditWriter(file, syslog: syslog, now: now, onFailure: onFailure)
        self.writer = writer
        thread = JoinableThread { writer.run() }
    }

    /// Writes what is pending and what was counted, and ends the thread; what is appended later is
    /// not written.
    ///
    /// To be called when no more commands come, and not on the log's thread. A second call does
    /// nothing.
    package func stop() {
        if writer.stop() { thread.join() }
    }

    /// Makes the thread end once it has written what is pending. It is not waited for: that
    /// thread may be the one that drops the last reference.
    deinit { _ = writer.stop() }

    /// Whether the log cannot be written, so that commands are refused.
    var isFailing: Bool { writer.isFailing }

    /// What the log says in place of a secret: the same for the same secret alone.
    package func digest(of secret: Secret) -> String { key.digest(of: secret) }

    /// Writes that a command begins. `then` is called once, on any thread: with nil once the line
    /// is on the disk, and otherwise with the reason why the command must not be carried out.
    func begin(_ record: AuditRecord, then: @escaping @Sendable (AdminProblem?) -> Void) {
        if let problem = writer.problem { return then(problem) }
        writer.append({ record.object }, kind: .intent(then))
    }

    /// Writes how a command has ended. `whenTried` is called once, on any thread, when the line is
    /// on the disk, or cannot be written for the moment.
    func end(_ record: AuditRecord, whenTried: @escaping @Sendable () -> Void) {
        writer.append({ record.object }, kind: .result(whenTried))
    }

    /// Lets something begin that is counted: writes a line if it is the first of its kind in a
    /// minute. See `begin` for `then`.
    func beginCounted(
        _ kind: AuditCounts.Kind,
        record: AuditRecord,
        then: @escaping @Sendable (AdminProblem?) -> Void
    ) {
        if writer.problem == nil && writer.counts(kind, for: record.admitted) { return then(nil) }
        begin(record) { [writer] problem in
            if problem == nil {
                writer.count(
                    AuditCounts.Request(
                        kind: kind,
                        isBegin: true,
                        admitted: record.admitted,
                        client: record.request.client
                    )
                )
            }
            then(problem)
        }
    }

    /// Counts a request that was refused before it could have any effect, or one that is only
    /// counted.
    func count(_ request: AuditCounts.Request) { writer.count(request) }

    /// Writes what was not asked for over HTTP, such as that a signal came; a problem says why it
    /// had no effect.
    package func note(_ command: String, problem: String? = nil, change: AuditedChange? = nil) {
        let now = writer.now()
        writer.append(
            {
                JSONWriter.object { json in
                    json.member("at", value: now.rfc3339Milliseconds)
                    json.member("operator", value: "(signal)")
                    json.member("command", value: command)
                    json.member("state", value: problem == nil ? "done" : "refused")
                    if let problem { json.member("problem", value: problem) }
                    AuditRecord.write(change, to: &json)
                }
            },
            kind: .result {}
        )
    }
}

/// What fails of the audit log, or works again.
package enum AuditFailure: Equatable, Sendable {
    /// Lines cannot be written, for this reason; nil if they can again.
    case writing(String?)
    /// The file ends before the last line that was written: it was cut off.
    case cut
    /// Lines cannot be sent to syslog, for this reason; nil if they can again.
    case sending(String?)
}
