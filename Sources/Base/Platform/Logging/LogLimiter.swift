package import Basics
package import Logging
internal import Synchronization

/// A `LogRateLimiter` shared by loggers on all threads, which also writes its summaries.
package final class LogLimiter: Sendable {
    private let limiter = Mutex(LogRateLimiter())
    /// The handler that writes admitted messages and summaries.
    let output: any LogHandler
    private let now: @Sendable () -> MonotonicTime

    /// A limiter that has counted nothing yet.
    ///
    /// - Parameters:
    ///   - output: writes admitted messages and summaries.
    ///   - now: returns the present time.
    package init(_ output: any LogHandler, now: @escaping @Sendable () -> MonotonicTime) {
        self.output = output
        self.now = now
    }

    /// The number of messages dropped since the start.
    package var suppressedCount: UInt64 { limiter.withLock { $0.suppressedCount } }

    /// Writes the summaries of seconds that are over.
    ///
    /// - Parameter isLast: true if the process ends, so that seconds which are not over are
    ///   summarised too.
    package func report(isLast: Bool = false) {
        let time = now()
        write(limiter.withLock { $0.endSeconds(at: time, isLast: isLast) })
    }

    /// Counts a message, after writing the summaries of earlier seconds.
    ///
    /// - Returns: true if the message is to be written.
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
