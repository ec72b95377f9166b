import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Many widgets of a kind whose rule changes")
struct RelinkTests {
    private static let former = EventPattern(["character": [.parameter("character")]])
    private static let latter = EventPattern(["hero": [.parameter("character")]])

    /// A matcher that moves widgets in steps however few there are.
    private func harness(_ count: Int) throws -> MatcherHarness {
        var harness = MatcherHarness()
        harness.install([("k", Self.former), ("other", Self.former)])
        harness.matcher.index.relinkedAtOnce = 0
        for number in 0..<count {
            let kind = KindID(rawValue: UInt16(number % 2))
            _ = try harness.insert(#"{"character":"c\#(number % 50)"}"#, kind: kind)
        }
        return harness
    }

    private func change(_ harness: inout MatcherHarness, to rule: EventPattern?) {
        let kind = WidgetMatcher.Kind(kind: 0, name: "k", rule: rule)
        harness.matcher.change(
            installing: [WidgetMatcher.App(app: MatcherHarness.app, kinds: [kind])],
            removing: []
        )
    }

    private func count(_ harness: inout MatcherHarness, _ payload: String) throws -> Int {
        try harness.match([payload])[0].count
    }

    @Test("move some at a time, and match by one rule or the other until then")
    func steps() throws {
        var harness = try harness(10_000)
        let cost = harness.matcher.index.storedCost
        #expect(try count(&harness, #"{"character":"c2"}"#) == 200)
        change(&harness, to: Self.latter)
        var steps = 0
        while harness.matcher.isRelinking {
            let former = try count(&harness, #"{"character":"c2"}"#)
            let latter = try count(&harness, #"{"hero":"c2"}"#)
            #expect(former + latter == 200)
            let work = harness.matcher.relink(work: 400_000)
            #expect(work >= 400_000 || !harness.matcher.isRelinking)
            #expect(work < 500_000 && harness.matcher.index.storedCost == cost)
            if steps % 10 == 0 { harness.matcher.index.checkInvariants() }
            steps += 1
        }
        #expect(steps > 25)
        harness.matcher.index.checkInvariants()
        #expect(try count(&harness, #"{"character":"c2"}"#) == 0)
        #expect(try count(&harness, #"{"hero":"c2"}"#) == 200)
    }

    @Test("are added, replaced and removed meanwhile, and every table fits")
    func meanwhile() throws {
        var random = SeededGenerator(seed: 3)
        var harness = try harness(600)
        var widgets = (0..<600).map { WidgetID(rawValue: UInt32($0)) }
        for round in 0..<12 {
            change(&harness, to: round % 3 == 2 ? nil : round % 2 == 0 ? Self.latter : Self.former)
            if round == 7 { change(&harness, to: Self.former) }
            for _ in 0..<40 {
                let name = random.pick(["character", "hero"])
                let text = #"{"\#(name)":"c\#(random.below(50))"}"#
                let kind = KindID(rawValue: UInt16(random.below(2)))
                switch random.below(3) {
                case 0: widgets.append(try harness.insert(text, kind: kind))
                case 1: try harness.replace(random.pick(widgets), text, kind: kind)
                default:
                    let index = random.below(widgets.count)
                    harness.matcher.remove(widgets.remove(at: index))
                }
                _ = harness.matcher.relink(work: 20_000)
                harness.matcher.index.checkInvariants()
            }
        }
        while harness.matcher.isRelinking { _ = harness.matcher.relink(work: 100_000) }
        harness.matcher.index.checkInvariants()
        for widget in widgets { harness.matcher.remove(widget) }
        harness.matcher.index.checkInvariants()
        #expect(harness.matcher.index.storedCost == 0)
    }

    @Test("match nothing any more once they have moved from a kind that is gone")
    func removed() throws {
        var harness = try harness(500)
        harness.matcher.change(installing: [], removing: [0])
        #expect(harness.matcher.index.undeclaredCount == 250)
        while harness.matcher.isRelinking { _ = harness.matcher.relink(work: 10_000) }
        harness.matcher.index.checkInvariants()
        #expect(try count(&harness, #"{"character":"c3"}"#) == 10)
        #expect(try count(&harness, #"{"character":"c2"}"#) == 0)
        harness.install([("k", Self.latter), ("other", Self.former)])
        harness.matcher.index.checkInvariants()
        #expect(try count(&harness, #"{"hero":"c2"}"#) == 10)
    }
}
