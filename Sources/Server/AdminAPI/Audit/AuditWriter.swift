internal import Basics
internal import Platform

/// The work of the thread of `AuditLog`.
final class AuditWriter: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor, and `file` and `syslog` on the thread alone.

    /// What a line is, and what is called once it is on the disk, or the first try has failed.
    enum Kind {
        /// It must be written at once or not at all.
        case intent(@Sendable (AdminProblem?) -> Void)
        /// It is tried again until it is written.
        case result(@Sendable () -> Void)
    }

    private struct Pending {
        let object: @Sendable () -> [UInt8]
        /// What is called; nil once it was.
        var kind: Kind?
        /// Whether it is dropped if it cannot be written.
        let isIntent: Bool
        /// Whether it says that the log could not be written for a while.
        var isGap = false
    }

    /// Reads the clock.
    let now: @Sendable () -> WallTime
    private let monitor = Monitor()
    private var pending: [Pending] = []
    private var counts = AuditCounts()
    private var failure: String?
    /// When the log is next tried without a line, while nothing is written.
    private var nextProbe = MonotonicTime.now + AuditLog.probePause
    private var sendingFailure: String?
    private var isStopping = false
    private var hasEnded = false
    private let file: AuditFile
    private let syslog: AuditSyslog?
    private let onFailure: @Sendable (AuditFailure) -> Void

    init(
        _ file: AuditFile,
        syslog: AuditSyslog?,
        now: @escaping @Sendable () -> WallTime,
        onFailure: @escaping @Sendable (AuditFailure) -> Void
    ) {
        self.file = file
        self.syslog = syslog
        self.now = now
        self.onFailure = onFailure
    }

    /// Whether the log cannot be written, as far as is known.
    var isFailing: Bool { monitor.locked { failure != nil } }

    /// Why no command may begin now; nil if one may try. After a failure, the next command finds
    /// out whether the log can be written again, unless lines wait that will.
    var problem: AdminProblem? {
        monitor.locked {
            if isStopping { return .draining }
            if let failure, pending.contains(where: { !$0.isGap }) { return Self.problem(failure) }
            if pending.count >= AuditLog.pendingLimit {
                return .busy("\(AuditLog.pendingLimit) commands wait for the audit log")
            }
            return nil
        }
    }

    private static func problem(_ reason: String) -> AdminProblem {
        AdminProblem(
            503,
            code: "audit-log-failing",
            detail: "the audit log cannot be written: \(reason); nothing is done without it"
        )
    }

    func append(_ object: @escaping @Sendable () -> [UInt8], kind: Kind) {
        var isIntent = false
        if case .intent = kind { isIntent = true }
        let isLate = monitor.locked {
            if !hasEnded { pending.append(Pending(object: object, kind: kind, isIntent: isIntent)) }
            return hasEnded
        }
        if isLate { Self.call(kind, problem: .draining) }
        monitor.wake()
    }

    func count(_ request: AuditCounts.Request) {
        let (now, time) = (now(), MonotonicTime.now)
        monitor.locked { counts.add(request, now: now, time: time) }
        monitor.wake()
    }

    /// Whether something is counted in the present minute of an operator already.
    func counts(_ kind: AuditCounts.Kind, for admitted: AdmittedOperator) -> Bool {
        monitor.locked { counts.has(kind, for: admitted) }
    }

    private static func call(_ kind: Kind, problem: AdminProblem?) {
        switch kind {
        case .intent(let then): then(problem)
        case .result(let whenTried): whenTried()
        }
    }

    /// Makes `run` return, once what is pending has been tried. Returns whether this is the first
    /// call.
    func stop() -> Bool {
        let isFirst = monitor.locked {
            defer { isStopping = true }
            return !isStopping
        }
        monitor.wake()
        return isFirst
    }

    // MARK: - The thread

    /// Writes lines until `stop`.
    func run() {
        while let objects = waitForLines() {
            do throws(AuditLogError) {
                if objects.isEmpty {
                    try file.probe()
                } else {
                    let lines = try file.append(objects.map { $0() })
                    if file.isCut { onFailure(.cut) }
                    finish(objects.count, reason: nil)
                    send(lines)
                }
            } catch {
                finish(objects.count, reason: error.reason)
            }
        }
        refusePending()
    }

    /// Calls those who wait for lines that are not written any more, so that none waits for ever
    /// and no command begins.
    private func refusePending() {
        var left: [Kind] = []
        var problem = AdminProblem.draining
        monitor.locked {
            left = pending.compactMap(\.kind)
            pending = []
            if let failure { problem = Self.problem(failure) }
        }
        for kind in left { Self.call(kind, problem: problem) }
    }

    /// Waits until there is something to write; nil once the thread must end, and nothing if it is
    /// time to try whether something could be written.
    private func waitForLines() -> [@Sendable () -> [UInt8]]? {
        monitor.locked {
            // A command that begins finds out at once.
            if failure != nil && !pending.isEmpty && !pending.contains(where: \.isIntent) {
                let end = MonotonicTime.now + AuditLog.retryPause
                while !isStopping && !pending.contains(where: \.isIntent)
                    && MonotonicTime.now < end
                { monitor.wait(until: end) }
            }
            takeCounts()
            while pending.isEmpty && !isStopping {
                monitor.wait(until: min(counts.due ?? .max, nextProbe))
                takeCounts()
                if pending.isEmpty && !isStopping && MonotonicTime.now >= nextProbe {
                    nextProbe = MonotonicTime.now + AuditLog.probePause
                    return []
                }
            }
            // What cannot be written at the end is lost; the log of the router says so.
            if pending.isEmpty || (isStopping && failure != nil) {
                hasEnded = true
                return nil
            }
            return pending.map(\.object)
        }
    }

    /// Queues the counts that are due, or all at the end.
    private func takeCounts() {
        let end = isStopping ? MonotonicTime.max : .now
        for object in counts.take(until: end, now: now()) {
            pending.append(Pending(object: { object }, kind: nil, isIntent: false))
        }
    }

    /// Queues the line that says, once the log can be written again, since when it could not be.
    /// It is tried again and again, so that it also finds out when that is.
    private func addGap(since begin: WallTime, reason: String) {
        let clock = self.now
        let object: @Sendable () -> [UInt8] = {
            JSONWriter.object { json in
                json.member("at", value: clock().rfc3339Milliseconds)
                json.member("operator", value: "(router)")
                json.member("command", value: "audit-log")
                json.member("state", value: "failed")
                json.member("since", value: begin.rfc3339Milliseconds)
                json.member("problem", value: reason)
            }
        }
        pending.append(Pending(object: object, kind: nil, isIntent: false, isGap: true))
    }

    /// Takes note of a try to write the first lines.
    private func finish(_ count: Int, reason: String?) {
        var tried: [Kind] = []
        let now = now()
        let isNew = monitor.locked {
            if failure == nil, let reason, !isStopping { addGap(since: now, reason: reason) }
            defer { failure = reason }
            tried = pending.prefix(count).compactMap(\.kind)
            if reason == nil {
                pending.removeFirst(count)
            } else {
                for index in 0..<count { pending[index].kind = nil }
                var number = 0
                pending.removeAll { entry in
                    defer { number += 1 }
                    return number < count && entry.isIntent
                }
            }
            return (failure == nil) != (reason == nil)
        }
        if isNew { onFailure(.writing(reason)) }
        for kind in tried { Self.call(kind, problem: reason.map(Self.problem)) }
    }

    /// Sends lines that are on the disk to syslog.
    private func send(_ lines: [[UInt8]]) {
        guard let syslog else { return }
        var reason: String?
        for line in lines { reason = syslog.send(line, now: now()) ?? reason }
        if (reason == nil) != (sendingFailure == nil) { onFailure(.sending(reason)) }
        sendingFailure = reason
    }
}
