import Basics
import Glibc
package import Logging
package import Platform

/// How `serve` logs: the lowest level that is written, and the format.
package struct LogSettings {
    /// The format of a log line; `auto` is text on a terminal and JSON elsewhere.
    package enum Format: String, Sendable {
        case auto
        case text
        case json
    }

    let level: Logger.Level
    let format: Format

    /// Makes the settings of a logger.
    package init(level: Logger.Level, format: Format) {
        self.level = level
        self.format = format
    }

    /// Makes a logger that writes to standard error, and the limiter that bounds how much it
    /// writes.
    package func makeLogger() -> (logger: Logger, limiter: LogLimiter) {
        let program = "reload-router"
        let isText = format == .text || (format == .auto && isatty(STDERR_FILENO) == 1)
        let output: any LogHandler =
            isText ? StreamLogHandler.standardError(label: program) : JSONLinesLogHandler()
        let limiter = LogLimiter(output, level: level) { .now }
        return (Logger(label: program) { _ in LimitedLogHandler(limiter) }, limiter)
    }
}

/// Writes each log record as one JSON object on one line of standard error.
///
///     {"time":"2026-01-02T03:04:05.678Z","level":"info","message":"…","port":"7410"}
struct JSONLinesLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let line = JSONWriter.object { json in
            json.member("time", value: WallTime.now.rfc3339Milliseconds)
            json.member("level", value: "\(event.level)")
            json.member("message", value: "\(event.message)")
            for (key, value) in all.sorted(by: { $0.key < $1.key }) {
                json.member(key, value: "\(value)")
            }
        }
        writeStandardError(String(decoding: line, as: UTF8.self) + "\n")
    }
}
