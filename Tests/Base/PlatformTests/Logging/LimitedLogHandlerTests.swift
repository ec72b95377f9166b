import Basics
import Logging
import Platform
import Synchronization
import TestSupport
import Testing

/// Keeps what was logged, as lines.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct LinesHandler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let members = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        lines.append("\(event.level) \(event.message)" + members.joined())
    }
}

private final class Clock: Sendable {
    private let time = Mutex<MonotonicTime>(0)

    var now: MonotonicTime {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

@Suite("A logger with a limit")
struct LimitedLogHandlerTests {
    private let lines = Lines()
    private let clock = Clock()
    private let limiter: LogLimiter
    private let most = LogRateLimiter.messagesPerSecond

    init() {
        let clock = clock
        limiter = LogLimiter(LinesHandler(lines: lines), level: .info) { clock.now }
    }

    private func makeLogger() -> Logger {
        Logger(label: "test") { _ in LimitedLogHandler(limiter) }
    }

    @Test("says how many it has left out, before anything else is logged")
    func summary() {
        let logger = makeLogger()
        for number in 0..<most + 5 { logger.info("again", metadata: ["number": "\(number)"]) }
        #expect(lines.all.count == most)
        clock.now = 1_000
        logger.warning("something else")
        let expected = [
            "info messages were left out: too many in a second of=again suppressed=5",
            "warning something else",
        ]
        #expect(lines.all.dropFirst(most) == expected[...])
        #expect(limiter.suppressedCount == 5)
    }

    @Test("says so also if nothing is logged afterwards")
    func report() {
        let logger = makeLogger()
        for _ in 0...most { logger.info("again") }
        limiter.report()
        #expect(lines.all.count == most)
        limiter.report(isLast: true)
        #expect(lines.all.count == most + 1)
    }

    @Test("shares its limit and its level with its copies, and not its metadata")
    func copies() {
        let logger = makeLogger()
        var copy = logger
        copy[metadataKey: "kept"] = "yes"
        for _ in 0..<most { copy.error("again") }
        logger.error("again")
        logger.info("else")
        #expect(lines.all.count == most + 1)
        #expect(lines.all.first == "error again kept=yes")
        #expect(lines.all.last == "info else")
        copy.logLevel = .error
        logger.info("not written")
        #expect(logger.logLevel == .error)
        #expect(lines.all.count == most + 1)
    }

    @Test("has the id of the request in each line of it, and in no other")
    func requests() {
        let logger = makeLogger()
        logger.info("before")
        RequestID.$current.withValue("r-1") {
            logger.info("in it")
            logger.info("its own", metadata: ["request": "r-2"])
        }
        logger.info("behind")
        #expect(
            lines.all == [
                "info before", "info in it request=r-1", "info its own request=r-2", "info behind",
            ]
        )
    }
}
