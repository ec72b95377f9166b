import Basics
import CaptureFormat
import RouterCore
import TestSupport
import Testing

@testable import CaptureTools
@testable import RouterSimulation

private func catalog(_ kinds: String) throws -> AppCatalog {
    try (#"{"apps":[{"app":"a","kinds":["# + kinds + "]}]}").withByteView { view in
        try AppFile.parse(view).catalog
    }
}

private func kind(_ more: String, match: String = #""${configuration.character}""#) -> String {
    #"{"kind":"k","match":{"character":[\#(match)]},\#(more)}"#
}

/// The difference that other kinds make to a script, which is played with its own ones too.
private func diff(_ script: CaptureScript, _ kinds: String) throws -> DecisionDiff {
    let directory = WidgetDirectory()
    func story(_ catalog: AppCatalog?) throws -> DecisionStory {
        var story = DecisionStory(directory)
        let options = CapturePlayOptions(startedAt: 1_000_000_000_000, catalog: catalog)
        let play = CapturePlay(options) { event, _ in
            if case .decided(let traced) = event { story.take(traced) }
        }
        try script.play(into: play)
        play.finish()
        return story
    }
    let old = try story(nil)
    return DecisionDiff(old: old, new: try story(catalog(kinds)), examples: 10)
}

/// How many widgets RELOADs name; each device of these scripts has one.
private func named(_ lines: [String]) -> Int {
    lines.filter { $0.contains("\"reload\"") }.count
}

@Suite("What other rules change")
struct DecisionDiffTests {
    private let unlimited = #""budget":"unlimited""#

    private func script(_ kinds: String) -> CaptureScript {
        var script = CaptureScript(kinds: kinds)
        for number in 1...4 { script.device("d\(number)", "k", number % 2 == 0 ? "x" : "y") }
        for (time, character) in [(1_000, "x"), (2_000, "y"), (2_500, "y"), (9_000, "x")] {
            script.push(UInt64(time), #"{"character":"\#(character)"}"#)
        }
        return script
    }

    @Test func `is nothing with the same rules`() throws {
        let rules = kind(#""debounce":{"wait":2,"longest":9}"#)
        let diff = try diff(script(rules), rules)
        let counts = diff.counts
        #expect(counts.old > 0 && counts.same == counts.old && counts.new == counts.old)
        #expect(counts.changes == 0 && diff.examples.isEmpty)
    }

    @Test func `is what a narrower rule no longer finds`() throws {
        let rules = kind(unlimited)
        // Only what is about the character y is found.
        let narrow =
            #"{"kind":"k","match":{"character":["${configuration.character}"],"#
            + #""$or":[{"character":["y"]},{"never":["z"]}]},\#(unlimited)}"#
        let diff = try diff(script(rules), narrow)
        let counts = diff.counts
        #expect(counts.old == 8 && counts.new == 4)
        #expect(counts.gone == 4 && counts.same == 4 && counts.moved == 0 && counts.added == 0)
        #expect(diff.examples.count == 4)
        #expect(diff.examples.allSatisfy { $0.change == .gone && $0.reason == nil })
        #expect(diff.examples.map(\.widget.device) == ["d2", "d4", "d2", "d4"])
        let times = [1_000, 1_000, 9_000, 9_000].map {
            Optional(WallTime(rawValue: 1_000_000_000 + $0))
        }
        #expect(diff.examples.map(\.oldAt) == times)
        #expect(diff.text(rules: "new", start: 1_000_000_000).contains("4 gone"))
    }

    @Test func `is new where a wider rule finds more`() throws {
        let narrow = kind(unlimited, match: #""x""#)
        let diff = try diff(script(narrow), kind(unlimited, match: #""x","y""#))
        let counts = diff.counts
        // Every widget is found by every push of x, and now of y too.
        #expect(counts.old == 8 && counts.new == 16 && counts.added == 8 && counts.same == 8)
        #expect(diff.examples.allSatisfy { $0.why.contains("no push finds") })
    }

    @Test func `is later where a broadcast is waited for, and what joins it is gone`() throws {
        let diff = try diff(
            script(kind(unlimited)),
            kind(unlimited + #","debounce":{"wait":2,"longest":9}"#)
        )
        let counts = diff.counts
        // x at 1 s and 9 s: two seconds later; y at 2 s: until 2.5 + 2 s, with its second push.
        #expect(counts.old == 8 && counts.new == 6 && counts.moved == 6 && counts.gone == 2)
        #expect(diff.medianMove == 2_000)
        let gone = diff.examples.filter { $0.change == .gone }
        #expect(gone.allSatisfy { $0.reason == "debounced" && $0.oldAt == 1_000_002_500 })
        let moved = diff.examples.filter { $0.change == .moved }
        #expect(moved.allSatisfy { $0.reason == "debounced" })
        #expect(moved.contains { $0.newAt == 1_000_004_500 && $0.oldAt == 1_000_002_000 })
    }

    @Test func `says what a budget or a spacing puts off`() throws {
        let diff = try diff(script(kind(unlimited)), kind(#""budget":{"spacing":60}"#))
        let counts = diff.counts
        // The second reload of each waits for a minute behind the first.
        #expect(counts.old == 8 && counts.new == 8 && counts.moved == 4 && counts.same == 4)
        let spacing = diff.postponed.first { $0.reason == "spacing" }
        #expect(spacing?.old == 0 && spacing?.new == 4)
        // 1 s + 60 s for a push at 9 s; 2 s + 60 s for one at 2.5 s.
        #expect(spacing?.newMean == Milliseconds(rawValue: (52_000 + 59_500) / 2))
    }

    @Test func `of dates follows the timeline that has them`() throws {
        var script = CaptureScript(kinds: kind(#""spread":"none""#))
        for number in 1...3 {
            script.device("d\(number)", "k", "x")
            script.add(
                UInt64(2_000 + number),
                7,
                .timeline,
                #"{"device":"d\#(number)","widget":"w1","entries":[],"#
                    + #""policy":{"after":1000600000}}"#
            )
        }
        let diff = try diff(script, kind(#""spread":{"mode":"uniform","window":600}"#))
        let counts = diff.counts
        #expect(counts.old == 3 && counts.new == 3 && counts.moved == 3)
        #expect(diff.medianMove > 0 && diff.medianMove <= 600_000)
        #expect(diff.examples.allSatisfy { $0.reason == "spread" && $0.cause == "after" })
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `adds up whatever rules are changed`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func rules() -> String {
            var parts: [String] = []
            if random.below(2) == 0 {
                parts.append(#""debounce":{"wait":\#(1 + random.below(9)),"longest":20}"#)
            }
            parts.append(
                random.pick([
                    #""budget":"unlimited""#, #""budget":{"spacing":30}"#,
                    #""budget":{"spacing":1,"seldom":3,"daily":3,"often":3,"learningDays":0}"#,
                ])
            )
            if random.below(3) == 0 { parts.append(#""observes":["hp"]"#) }
            let match = random.pick([#""${configuration.character}""#, #""x""#, #""x","y""#])
            return kind(parts.joined(separator: ","), match: match)
        }
        var script = CaptureScript(kinds: rules())
        for number in 0..<12 { script.device("d\(number)", "k", random.pick(["x", "y", "z"])) }
        var time: UInt64 = 1_000
        for _ in 0..<120 {
            time += UInt64(random.below(4_000))
            let character = random.pick(["x", "y", "z"])
            switch random.below(10) {
            case 0:
                script.add(
                    time,
                    7,
                    .timeline,
                    #"{"device":"d\#(random.below(12))","widget":"w1","entries":[],"reload":1,"#
                        + #""policy":{"after":\#(1_000_000_000 + random.below(600_000))}}"#
                )
            case 1:
                script.add(time, 7, .request, #"{"device":"d\#(random.below(12))"}"#)
            default:
                script.push(time, #"{"character":"\#(character)","hp":\#(random.below(2))}"#)
            }
        }
        let new = rules()
        let diff = try diff(script, new)
        let counts = diff.counts
        #expect(counts.old == (try named(script.lines())), "seed \(seed)")
        #expect(counts.new == (try named(script.lines(catalog(new)))), "seed \(seed)")
        #expect(counts.old - counts.gone + counts.added == counts.new, "seed \(seed)")
        #expect(counts.same + counts.moved + counts.gone == counts.old, "seed \(seed)")
        #expect(counts.same + counts.moved + counts.added == counts.new, "seed \(seed)")
        for example in diff.examples where example.change == .moved {
            #expect(example.oldAt != nil && example.newAt != nil, "seed \(seed)")
            #expect(example.oldAt != example.newAt, "seed \(seed)")
        }
        let kinds = diff.kinds.map(\.counts.old).reduce(0, +)
        #expect(kinds == counts.old, "seed \(seed)")
        var scanner = JSONScanner(depthLimit: 8)
        try diff.write().withByteView { try validateJSON($0, using: &scanner) }
    }
}
