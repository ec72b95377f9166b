package import Logging
internal import Synchronization

/// A `LogRateLimiter` for loggers on any thread, and where its summaries are written.
package final class LogLimiter: Sendable {
    private let limiter = Mutex(LogRateLimiter())
    /// Where what passes is written.
    let output: any LogHandler
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - output: where what passes is written.
    ///   - now: milliseconds of a clock that never goes back.
    package init(_ output: any LogHandler, now: @escaping @Sendable () -> Int64) {
        self.output = output
        self.now = now
    }

    /// Messages that were not written, since the start.
    package var suppressedCount: UInt64 { limiter.withLock { $0.suppressedCount } }

    /// Writes what was left out of the seconds that are over.
    ///
    /// - Parameter isLast: whether the process ends, so that nothing more comes behind.
    package func report(isLast: Bool = false) {
        let time = now()
        write(limiter.withLock { $0.endSeconds(at: time, isLast: isLast) })
    }

    /// Takes a message into account, behind the summaries of what was before it.
    ///
    /// - Returns: whether it is to be written.
    func admit(_ event: LogEvent) -> Bool {
        let time = now()
        let (summaries, isAdmitted) = limiter.withLock { limiter in
            let ended = limiter.endSeconds(at: time)
            return (ended, limiter.admit("\(event.message)", event.level, at: time))
        }
        write(summaries)
        return isAdmitted
    }

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
