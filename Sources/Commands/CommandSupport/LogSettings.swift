import Basics
import Glibc
package import Logging
package import Platform

/// How `serve` logs: the lowest level that is written, and the format.
package struct LogSettings {
    /// The format of a log line; `auto` is text on a terminal and JSON elsewhere.
    package enum Format: String {
        case auto
        case text
        case json
    }

    /// The levels that `init` accepts, as the end of a sentence in messages and help.
    package static let levels = "trace, debug, info, notice, warning, error or critical"
    /// The formats that `init` accepts, as the end of a sentence.
    package static let formats = "auto, text or json"

    let level: Logger.Level
    let format: Format

    /// Reads a level and a format.
    ///
    /// - Throws: `SettingsProblem` if `levels` or `formats` does not list them.
    package init(level: String, format: String) throws {
        guard let level = Logger.Level(rawValue: level) else {
            throw SettingsProblem("log-level", value: level, rule: Self.levels)
        }
        guard let format = Format(rawValue: format) else {
            throw SettingsProblem("log-format", value: format, rule: Self.formats)
        }
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
        let now = WallTime.now
        let second = WallDate(now).text.dropLast()
        let digits = "\(now.offsetInSecond)"
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
