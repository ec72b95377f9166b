import Basics
import Logging
import Platform
import TestSupport
import Testing

@Suite("A limiter of log messages")
struct LogRateLimiterTests {
    private typealias Summary = LogRateLimiter.Summary
    private let most = LogRateLimiter.messagesPerSecond
    private let places = LogRateLimiter.textLimit

    private func admit(
        _ text: String,
        at now: MonotonicTime,
        in limiter: inout LogRateLimiter,
        isWritten expected: Bool = true,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isWritten = limiter.admit(text, level: .info, at: now)
        #expect(isWritten == expected, sourceLocation: sourceLocation)
    }

    private func expectSummaries(
        _ expected: [Summary],
        at now: MonotonicTime,
        of limiter: inout LogRateLimiter,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = limiter.endSeconds(at: now)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test("writes the first ones of a second, and counts the rest")
    func second() {
        var limiter = LogRateLimiter()
        let written = (0..<most + 30).filter { _ in limiter.admit("a", level: .info, at: 1_000) }
        #expect(written.count == most)
        #expect(limiter.suppressedCount == 30)
        expectSummaries([], at: 1_999, of: &limiter)
        expectSummaries([Summary(text: "a", level: .info, count: 30)], at: 2_000, of: &limiter)
        // It is said once.
        expectSummaries([], at: 9_000, of: &limiter)
        #expect(limiter.suppressedCount == 30)
    }

    @Test("begins a second with a text's first message")
    func secondOfItsOwn() {
        var limiter = LogRateLimiter()
        for _ in 0..<most { admit("a", at: 1_700, in: &limiter) }
        expectSummaries([], at: 2_600, of: &limiter)
        admit("a", at: 2_600, in: &limiter, isWritten: false)
        expectSummaries([Summary(text: "a", level: .info, count: 1)], at: 2_700, of: &limiter)
        admit("a", at: 2_700, in: &limiter)
    }

    @Test("does not say anything of a second in which all was written")
    func quiet() {
        var limiter = LogRateLimiter()
        for _ in 0..<most { admit("a", at: 0, in: &limiter) }
        expectSummaries([], at: 5_000, of: &limiter)
    }

    @Test("counts each text apart, and says it in the order of the texts")
    func texts() {
        var limiter = LogRateLimiter()
        for text in ["b", "a", "c"] {
            for _ in 0..<most + (text == "c" ? 0 : 1) {
                _ = limiter.admit(text, level: .warning, at: 0)
            }
        }
        let expected = ["a", "b"].map { Summary(text: $0, level: .warning, count: 1) }
        expectSummaries(expected, at: 1_000, of: &limiter)
    }

    @Test("gives texts that find no place one place together")
    func others() {
        var limiter = LogRateLimiter()
        let count = places * 40
        let written = (0..<count).filter { limiter.admit("text \($0)", level: .info, at: 0) }
        #expect(written.count == places + most)
        let left = UInt64(count - places - most)
        expectSummaries([Summary(text: nil, level: .info, count: left)], at: 1_000, of: &limiter)
        // Places are free again.
        admit("text \(count)", at: 1_000, in: &limiter)
    }

    @Test("writes a bounded number in a second, whatever comes")
    func bound() {
        var limiter = LogRateLimiter()
        var written = 0
        for _ in 0..<most * 2 {
            for text in 0..<places * 2 where limiter.admit("\(text)", level: .info, at: 0) {
                written += 1
            }
        }
        #expect(written == (places + 1) * most)
    }

    @Test("says at the end what was left out of seconds that are not over")
    func end() {
        var limiter = LogRateLimiter()
        for _ in 0...most { _ = limiter.admit("a", level: .info, at: 0) }
        let expected = [Summary(text: "a", level: .info, count: 1)]
        let found = limiter.endSeconds(at: 1, isLast: true)
        #expect(found == expected)
    }
}
