package import Logging

/// Decides which log messages are written: of each text the first ones of a second, and of all texts
/// together a bounded number.
///
///     a text ─► its second ─► the first `messagesPerSecond` pass ─► the rest is counted
///                                                                       └──► one summary afterwards
///
/// A second begins with a text's first message. More than `textLimit` texts in a second share one
/// place, so that at most `(textLimit + 1) * messagesPerSecond` messages are written in it, whatever
/// peers do. Pure: what the clock shows is a parameter.
package struct LogRateLimiter: Sendable {
    /// Messages of one text that are written in a second.
    package static var messagesPerSecond: Int { 20 }
    /// Texts that are counted apart.
    package static var textLimit: Int { 64 }
    /// How long a second is, in milliseconds.
    static var secondLength: Int64 { 1_000 }

    /// What was left out of a second.
    package struct Summary: Equatable, Sendable {
        /// The text, or nil for those that shared the last place.
        package let text: String?
        /// The level of the last one.
        package let level: Logger.Level
        /// Messages that were left out.
        package let count: UInt64

        package init(text: String?, level: Logger.Level, count: UInt64) {
            self.text = text
            self.level = level
            self.count = count
        }
    }

    /// A text's second.
    private struct Second {
        let begin: Int64
        var level: Logger.Level
        var written = 0
        var suppressed: UInt64 = 0

        func isOver(at now: Int64) -> Bool { now - begin >= LogRateLimiter.secondLength }
    }

    private var seconds: [String: Second] = [:]
    /// Of texts that found no place.
    private var others: Second?
    /// Messages that were not written, since the start.
    package private(set) var suppressedCount: UInt64 = 0

    /// Starts with nothing counted.
    package init() {}

    /// Takes a message into account.
    ///
    /// - Parameters:
    ///   - text: the message without its metadata.
    ///   - level: kept for the summary.
    ///   - now: milliseconds of a clock that never goes back.
    /// - Returns: whether it is to be written.
    package mutating func admit(_ text: String, _ level: Logger.Level, at now: Int64) -> Bool {
        let isAdmitted: Bool
        if seconds[text] != nil || seconds.count < Self.textLimit {
            let begun = Second(begin: now, level: level)
            isAdmitted = Self.count(&seconds[text, default: begun], level)
        } else {
            var shared = others ?? Second(begin: now, level: level)
            isAdmitted = Self.count(&shared, level)
            others = shared
        }
        if !isAdmitted { suppressedCount += 1 }
        return isAdmitted
    }

    private static func count(_ second: inout Second, _ level: Logger.Level) -> Bool {
        second.level = level
        if second.written < messagesPerSecond {
            second.written += 1
            return true
        }
        second.suppressed += 1
        return false
    }

    /// Ends the seconds that are over; to be called before a message is admitted, and now and then.
    ///
    /// - Parameters:
    ///   - now: milliseconds of a clock that never goes back.
    ///   - isLast: whether all of them end, however long they have lasted.
    /// - Returns: what was left out of them, texts in their order; nothing for those of which all was
    ///   written.
    package mutating func endSeconds(at now: Int64, isLast: Bool = false) -> [Summary] {
        var ended: [Summary] = []
        for (text, second) in seconds where isLast || second.isOver(at: now) {
            seconds[text] = nil
            note(second, text, in: &ended)
        }
        ended.sort { ($0.text ?? "") < ($1.text ?? "") }
        if let second = others, isLast || second.isOver(at: now) {
            others = nil
            note(second, nil, in: &ended)
        }
        return ended
    }

    private func note(_ second: Second, _ text: String?, in ended: inout [Summary]) {
        if second.suppressed == 0 { return }
        ended.append(Summary(text: text, level: second.level, count: second.suppressed))
    }
}
