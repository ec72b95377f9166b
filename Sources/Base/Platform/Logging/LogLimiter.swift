package import Basics
package import Logging
internal import Synchronization

/// What the loggers of all threads share: a `LogRateLimiter`, whose summaries it also writes, and
/// the lowest level that is written, which can be changed while the process runs.
package final class LogLimiter: Sendable {
    private let limiter = Mutex(LogRateLimiter())
    /// The handler that writes admitted messages and summaries.
    let output: any LogHandler
    private let now: @Sendable () -> MonotonicTime
    /// The index of `level` in `Logger.Level.allCases`.
    private let levelNumber = Atomic(0)

    /// A limiter that has counted nothing yet, whose output writes admitted messages and summaries;
    /// `level` is the lowest level that is written at first.
    package init(
        _ output: any LogHandler,
        level: Logger.Level,
        now: @escaping @Sendable () -> MonotonicTime
    ) {
        var output = output
        output.logLevel = .trace
        self.output = output
        self.now = now
        self.level = level
    }

    /// The lowest level that is written.
    var level: Logger.Level {
        get { Logger.Level.allCases[levelNumber.load(ordering: .relaxed)] }
        set {
            let number = Logger.Level.allCases.firstIndex(of: newValue) ?? 0
            levelNumber.store(number, ordering: .relaxed)
        }
    }

    /// The number of messages dropped since the start.
    package var suppressedCount: UInt64 { limiter.withLock { $0.suppressedCount } }

    /// Writes the summaries of seconds that are over; if the process ends, also those of seconds
    /// that are not.
    package func report(isLast: Bool = false) {
        let time = now()
        write(limiter.withLock { $0.endSeconds(at: time, isLast: isLast) })
    }

    /// Counts a message, after writing the summaries of earlier seconds. Returns true if the
    /// message is to be written.
    func admit(_ event: LogEvent) -> Bool {
        let time = now()
        let (summaries, isAdmitted) = limiter.withLock { limiter in
            let ended = limiter.endSeconds(at: time)
            return (ended, limiter.admit("\(event.message)", level: event.level, at: time))
        }
        write(summaries)
        return isAdmitted
    }

    /// Writes one log message for each summary.
    private func write(_ summaries: [LogRateLimiter.Summary]) {
        for summary in summaries {
            var metadata: Logger.Metadata = ["suppressed": "\(summary.count)"]
            if let text = summary.text { metadata["of"] = "\(text)" }
            output.log(
                event: LogEvent(
                    level: summary.level,
                    message: "messages were left out: too many in a second",
                    metadata: metadata,
                    source: nil,
                    file: #fileID,
                    function: #function,
                    line: #line
                )
            )
        }
    }
}
