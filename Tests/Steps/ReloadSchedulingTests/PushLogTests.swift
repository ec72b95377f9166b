import Basics
import ReloadScheduling
import TestSupport
import Testing

@Suite("A log of pushes")
struct PushLogTests {
    @Test("keeps the last pushes by their fan-out numbers")
    func ring() {
        var log = PushLog(capacity: 4, matchCapacity: 16)
        #expect(log.numbers.isEmpty)
        for number in 1...6 as ClosedRange<UInt64> {
            log.append(push(seq: number * 10), number: number)
            let first = number < 4 ? 1 : number - 3
            #expect(log.numbers == first..<number + 1)
            let kept = log.numbers.map { log.push($0)?.seq }
            #expect(kept == log.numbers.map { $0 * 10 })
        }
    }

    @Test("begins anew after pushes that it does not know")
    func gap() {
        var log = PushLog(capacity: 4, matchCapacity: 16)
        log.append(push(seq: 1), number: 900)
        log.append(push(seq: 2), number: 901)
        #expect(log.numbers == 900..<902)
        log.append(push(seq: 3), number: 950)
        #expect(log.numbers == 950..<951)
    }

    @Test("keeps the last matches of all pushes, and of one push a quarter of them")
    func matches() {
        var log = PushLog(capacity: 8, matchCapacity: 16)
        for number in 1...5 as ClosedRange<UInt64> {
            let first = log.matchEnd
            for match in 0..<UInt32(number == 5 ? 9 : 4) {
                log.append(match: WidgetID(rawValue: UInt32(number) * 100 + match), after: match)
            }
            log.append(
                push(seq: number, first: first, matched: number == 5 ? 9 : 4),
                number: number
            )
        }
        #expect(widgets(of: 1, in: log) == [])
        for number in 2...5 as ClosedRange<UInt64> {
            let expected = (0..<4).map { WidgetID(rawValue: UInt32(number) * 100 + $0) }
            #expect(widgets(of: number, in: log) == expected)
        }
        let first = log.matchEnd
        log.append(match: 7, after: 0)
        log.append(push(seq: 6, first: first, matched: 1), number: 6)
        #expect(widgets(of: 2, in: log) == [201, 202, 203])
        #expect(widgets(of: 6, in: log) == [7])
    }

    @Test("names no widget that was removed since, and no producer that was forgotten since")
    func removals() {
        var log = PushLog(capacity: 8, matchCapacity: 16)
        for number in 1...3 as ClosedRange<UInt64> {
            let first = log.matchEnd
            log.append(match: 5, after: 0)
            log.append(match: 6, after: 1)
            log.append(push(seq: number, first: first, matched: 2), number: number)
            if number == 2 { log.removed(5, after: 2) }
            if number == 1 { log.forget(0) }
        }
        #expect(log.push(1) == nil)
        #expect(widgets(of: 2, in: log) == [nil, 6])
        #expect(widgets(of: 3, in: log) == [5, 6])
    }

    @Test("finds the push that a decision was made for, among those with its mark")
    func pushOfDecision() {
        var log = PushLog(capacity: 32_768, matchCapacity: 16)
        for number in 5...20_000 as ClosedRange<UInt64> {
            let push = push(seq: number, at: Int64(number), isFanOut: number == 19_000)
            log.append(push, number: number)
        }
        func found(_ number: UInt64, at time: Int64) -> UInt64? {
            let at = WallTime(rawValue: time)
            let mark = PushMark(ofPush: number)
            return log.number(
                of: Decision(at: at, widget: 1, reason: .sent, cause: .push, push: mark)
            )
        }
        for number in [5, 8_191, 8_192, 11_809, 19_999, 20_000] as [UInt64] {
            #expect(found(number, at: Int64(number)) == number)
            #expect(found(number, at: Int64(number) + 1) == nil)
            #expect(found(number + 8_191, at: Int64(number)) == number)
        }
        #expect(found(19_000, at: 30_000) == 19_000)
        #expect(found(19_000, at: 10_000) == nil)
        let none = Decision(at: 20_000, widget: 1, reason: .sent, cause: .push)
        #expect(log.number(of: none) == nil)
    }

    @Test("says when its oldest push came, also if its producer was forgotten")
    func keptSince() {
        var log = PushLog(capacity: 4, matchCapacity: 16)
        #expect(log.keptSince == nil)
        for number in 1...5 as ClosedRange<UInt64> {
            log.append(push(seq: number, at: Int64(number) * 100), number: number)
        }
        log.forget(0)
        #expect(log.push(2) == nil && log.keptSince == 200)
    }

    @Test("takes 40 bytes a push and 4 a match, and nothing without pushes")
    func byteCount() {
        var log = PushLog(capacity: 8_192, matchCapacity: 8_192)
        #expect(log.byteCount == 0)
        log.append(match: 1, after: 0)
        log.append(push(seq: 1, matched: 1), number: 1)
        #expect(log.byteCount == 40 + 4)
        for number in 2...40_000 as ClosedRange<UInt64> {
            log.append(match: 1, after: 0)
            log.append(push(seq: number, matched: 1), number: number)
        }
        #expect(log.byteCount == 8_192 * (40 + 4))
        // Any number of producers that are forgotten takes no more than their numbers' chunk.
        for number in 0..<4_096 as Range<UInt32> { log.forget(ProducerID(rawValue: number)) }
        #expect(log.byteCount == 8_192 * (40 + 4) + 4_096 * 8)
        var none = PushLog(capacity: 0, matchCapacity: 16)
        none.append(match: 1, after: 0)
        none.append(push(seq: 1, matched: 1), number: 1)
        none.removed(1, after: 1)
        #expect(none.byteCount == 0 && none.numbers.isEmpty)
    }

    private func widgets(of number: UInt64, in log: borrowing PushLog) -> [WidgetID?] {
        guard let push = log.push(number) else { return [] }
        return log.keptMatches(of: push).map { log.match($0, of: push, number: number) }
    }
}

@Suite("The story of a push")
struct PushStoryTests {
    private let number: UInt64 = 77
    private let widget: WidgetID = 3

    @Test(
        "ends with the decision that was made for it, if that leads to no reload",
        arguments: [.unchanged, .outdated, .expired] as [DecisionReason]
    )
    func noReload(reason: DecisionReason) {
        let own = decision(reason, at: 100, of: number)
        let end = end([decision(.sent, at: 50), own, decision(.sent, at: 200)])
        #expect(end == .decided(own))
    }

    @Test("ends with the reload that it has waited for, whatever comes in between")
    func waited() {
        let sent = decision(.sent, at: 300)
        let end = end([
            decision(.sent, at: 100), decision(.debounced, at: 100, of: number),
            decision(.unchanged, at: 150, of: number + 1),
            decision(.expired, at: 160, of: number + 2), decision(.spacing, at: 200), sent,
            decision(.sent, at: 400),
        ])
        #expect(end == .decided(sent))
    }

    @Test("takes the next reload if no decision was made for it: it was ready at once")
    func atOnce() {
        let sent = decision(.sent, at: 100)
        #expect(end([decision(.unchanged, at: 99, of: number - 1), sent]) == .decided(sent))
        #expect(end([decision(.unchanged, at: 100, of: number - 1), sent]) == .decided(sent))
    }

    @Test("is not over while the reload waits")
    func waits() {
        #expect(end([decision(.budget, at: 100, of: number)]) == .waits)
        #expect(end([]) == .waits)
        #expect(end([decision(.sent, at: 99)]) == .waits)
    }

    @Test("is unknown once decisions are dropped that may have been its own")
    func dropped() {
        let later = [decision(.unchanged, at: 150, of: number + 1), decision(.sent, at: 200)]
        #expect(end(later, isFull: true) == .unknown)
        #expect(end([decision(.sent, at: 99)] + later, isFull: true) == .decided(later[1]))
        let own = decision(.debounced, at: 100, of: number)
        #expect(end([own] + later, isFull: true) == .decided(later[1]))
    }

    @Test("takes no decision of another widget, nor of another push with the same mark")
    func others() {
        let sent = decision(.sent, at: 500)
        var other = decision(.unchanged, at: 100, of: number)
        other.widget = 4
        let alias = decision(.unchanged, at: 400, of: number + 8_191)
        #expect(alias.push == PushMark(ofPush: number))
        #expect(end([other, alias, sent]) == .decided(sent))
    }

    @Test("of a portion that came late takes the RELOAD that has answered it before")
    func fanOut() {
        let own = decision(.coalesced, at: 300, of: number)
        let sent = decision(.sent, at: 200)
        #expect(end([sent, own, decision(.sent, at: 900)], isFanOut: true) == .decided(sent))
        #expect(end([own], isFanOut: true) == .waits)
    }

    @Test("of portions is not that of a later push with the same mark")
    func fanOutAndAlias() {
        let sent = decision(.sent, at: 200)
        let alias = decision(.unchanged, at: 400, of: number + 8_191)
        let later = [(number + 8_191, Int64(400))]
        #expect(end([sent, alias], isFanOut: true, later: later) == .decided(sent))
        #expect(end([sent, alias], isFanOut: true) == .decided(alias))
        #expect(end([alias], isFull: true, isFanOut: true, later: later) == .unknown)
    }

    private func end(
        _ decisions: [Decision],
        isFull: Bool = false,
        isFanOut: Bool = false,
        later: [(number: UInt64, at: Int64)] = []
    ) -> PushStory.End {
        let first = push(seq: 1, at: 100, isFanOut: isFanOut)
        var log = PushLog(capacity: 16_384, matchCapacity: 16)
        log.append(first, number: number)
        for (number, time) in later {
            while log.numbers.upperBound < number {
                log.append(push(seq: 2, at: 101), number: log.numbers.upperBound)
            }
            log.append(push(seq: 2, at: time), number: number)
        }
        var story = PushStory(first, number: number, widget: widget)
        for decision in decisions { story.add(decision, isFull: isFull, of: log) }
        return story.end
    }

    private func decision(_ reason: DecisionReason, at: Int64, of push: UInt64? = nil) -> Decision {
        Decision(
            at: WallTime(rawValue: at),
            widget: widget,
            reason: reason,
            cause: .push,
            push: push.map { PushMark(ofPush: $0) } ?? .none
        )
    }
}

private func push(
    seq: UInt64,
    at: Int64 = 0,
    first: UInt64 = 0,
    matched: UInt32 = 0,
    isFanOut: Bool = false
) -> LoggedPush {
    LoggedPush(
        producer: 0,
        seq: seq,
        at: WallTime(rawValue: at),
        key: 0,
        firstMatch: first,
        matched: matched,
        isFanOut: isFanOut
    )
}
