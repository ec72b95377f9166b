package import Logging
internal import Synchronization

/// A log handler whose level is shared by all copies of a logger, on all threads, so that it can be
/// changed while the process runs.
package struct LeveledLogHandler: LogHandler {
    /// The level that all copies share, as its index in `Logger.Level.allCases`.
    private final class Threshold: Sendable {
        let number: Atomic<Int>

        init(_ level: Logger.Level) {
            number = Atomic(Self.number(level))
        }

        var level: Logger.Level { Logger.Level.allCases[number.load(ordering: .relaxed)] }

        func set(_ level: Logger.Level) {
            number.store(Self.number(level), ordering: .relaxed)
        }

        private static func number(_ level: Logger.Level) -> Int {
            Logger.Level.allCases.firstIndex(of: level) ?? 0
        }
    }

    private var handler: any LogHandler
    private let threshold: Threshold

    /// A handler that leaves the writing to another one.
    ///
    /// - Parameters:
    ///   - handler: writes the messages.
    ///   - level: the lowest level that is written at first.
    package init(_ handler: any LogHandler, level: Logger.Level) {
        self.handler = handler
        self.handler.logLevel = .trace
        threshold = Threshold(level)
    }

    /// The lowest level that is written; setting it sets that of all copies.
    package var logLevel: Logger.Level {
        get { threshold.level }
        set { threshold.set(newValue) }
    }

    /// The metadata that is added to every message of this copy.
    package var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    /// One value of `metadata`; nil if it has none for the key.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    /// Writes a message, whose level `Logger` has compared with `logLevel` before.
    package func log(event: LogEvent) {
        handler.log(event: event)
    }
}
