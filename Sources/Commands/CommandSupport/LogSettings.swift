import Glibc
package import Logging
package import Platform

/// How a program logs: from which level on, and in which form.
package struct LogSettings {
    package enum Format: String {
        case auto
        case text
        case json
    }

    /// What the levels and the forms are, for messages.
    package static let levels = "trace, debug, info, notice, warning, error or critical"
    package static let formats = "auto, text or json"

    let level: Logger.Level
    let format: Format

    /// - Throws: `SettingsProblem`.
    package init(level: String, format: String) throws {
        guard let level = Logger.Level(rawValue: level) else {
            throw SettingsProblem("log-level", level, Self.levels)
        }
        guard let format = Format(rawValue: format) else {
            throw SettingsProblem("log-format", format, Self.formats)
        }
        self.level = level
        self.format = format
    }

    /// A logger to standard error, and what bounds how much it writes.
    package func makeLogger() -> (logger: Logger, limiter: LogLimiter) {
        let isText = format == .text || (format == .auto && isatty(STDERR_FILENO) == 1)
        let label = "reload-router"
        let output: any LogHandler =
            isText ? StreamLogHandler.standardError(label: label) : JSONLinesLogHandler()
        let limiter = LogLimiter(output, now: monotonicMilliseconds)
        let logger = Logger(label: label) { _ in
            LeveledLogHandler(LimitedLogHandler(limiter), level: level)
        }
        return (logger, limiter)
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
        var line = "{\"time\":\"\(Self.time())\",\"level\":\"\(event.level)\",\"message\":"
        line += Self.quoted("\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += ",\(Self.quoted(key)):\(Self.quoted("\(value)"))"
        }
        line += "}\n"
        writeStandardError(line)
    }

    private static func time() -> String {
        let now = wallMilliseconds()
        let second = WallDate(milliseconds: now).text.dropLast()
        let digits = String(now % 1_000)
        return "\(second).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
