package import Basics
package import Logging

/// Decides which log messages are written: the first ones of each text in a second, and a bounded
/// number of all texts together.
///
///     a text ─► its second ─► the first `messagesPerSecond` pass ─► the rest is counted
///                                                                       └──► one summary later
///
/// A text's second begins with its first message. If there are more than `textLimit` texts in a
/// second, the others are counted as one text, so that on average at most `(textLimit + 1) *
/// messagesPerSecond` messages are written in a second, whatever peers do. Pure: the time is a
/// parameter.
package struct LogRateLimiter: Sendable {
    /// The number of messages of one text that are written in a second.
    package static var messagesPerSecond: Int { 20 }
    /// The number of texts that are counted separately.
    package static var textLimit: Int { 64 }
    /// The length of the second of a text.
    static var secondLength: Milliseconds { .seconds(1) }

    /// The messages of one text that were dropped in one second.
    package struct Summary: Equatable, Sendable {
        /// The text of the messages; nil for all texts beyond `textLimit` together.
        package let text: String?
        /// The level of the last message.
        package let level: Logger.Level
        /// The number of messages dropped.
        package let count: UInt64

        /// A summary of `count` dropped messages.
        package init(text: String?, level: Logger.Level, count: UInt64) {
            self.text = text
            self.level = level
            self.count = count
        }
    }

    /// The present second of a text.
    private struct Second {
        let begin: MonotonicTime
        var level: Logger.Level
        /// The number of messages that were written.
        var written = 0
        /// The number of messages that were dropped.
        var suppressed: UInt64 = 0

        func isOver(at now: MonotonicTime) -> Bool { now - begin >= LogRateLimiter.secondLength }
    }

    /// The present seconds by text, at most `textLimit`.
    private var seconds: [String: Second] = [:]
    /// The second of all texts beyond `textLimit`.
    private var others: Second?
    /// The number of messages dropped since the start.
    package private(set) var suppressedCount: UInt64 = 0

    /// A limiter that has counted nothing yet.
    package init() {}

    /// Counts a message, whose text is without its metadata. Returns true if it is to be written.
    /// The summary gets the level of the last message of its second.
    package mutating func admit(_ text: String, level: Logger.Level, at now: MonotonicTime) -> Bool
    {
        let isAdmitted: Bool
        if seconds[text] != nil || seconds.count < Self.textLimit {
            let begun = Second(begin: now, level: level)
            isAdmitted = Self.count(&seconds[text, default: begun], level: level)
        } else {
            var shared = others ?? Second(begin: now, level: level)
            isAdmitted = Self.count(&shared, level: level)
            others = shared
        }
        if !isAdmitted { suppressedCount += 1 }
        return isAdmitted
    }

    /// Counts a message of a text's present second; returns true if it is to be written.
    private static func count(_ second: inout Second, level: Logger.Level) -> Bool {
        second.level = level
        if second.written < messagesPerSecond {
            second.written += 1
            return true
        }
        second.suppressed += 1
        return false
    }

    /// Ends the seconds that are over, with `isLast` all of them; to be called before each `admit`,
    /// and from time to time. Returns the summaries of seconds in which messages were dropped,
    /// sorted by text.
    package mutating func endSeconds(at now: MonotonicTime, isLast: Bool = false) -> [Summary] {
        var ended: [Summary] = []
        for (text, second) in seconds where isLast || second.isOver(at: now) {
            seconds[text] = nil
            record(second, text: text, in: &ended)
        }
        ended.sort { ($0.text ?? "") < ($1.text ?? "") }
        if let second = others, isLast || second.isOver(at: now) {
            others = nil
            record(second, text: nil, in: &ended)
        }
        return ended
    }

    /// Adds the summary of a second in which messages were dropped.
    private func record(_ second: Second, text: String?, in ended: inout [Summary]) {
        if second.suppressed == 0 { return }
        ended.append(Summary(text: text, level: second.level, count: second.suppressed))
    }
}
