import Basics
import Glibc
import StoreFormat
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Widgets that are restored")
struct RestoreTests {
    @Test(
        "Match what those match that never stopped, whatever comes, changes and goes",
        arguments: 1...16 as ClosedRange<UInt64>
    )
    func replica(seed: UInt64) throws {
        var run = RestoreRun(seed: seed)
        for _ in 0..<8 {
            run.install(run.generator.kinds())
            for _ in 0..<60 { try run.insert() }
            for _ in 0..<run.generator.random.below(40) { run.remove() }
            try run.restart()
            try run.push()
            for _ in 0..<10 { try run.replace() }
            for _ in 0..<10 { run.remove() }
            run.install(run.generator.kinds())
            try run.push()
        }
        #expect(run.matchCount > 500, "seed \(seed): \(run.matchCount) matches say little")
        while !run.widgets.isEmpty { run.remove() }
        run.install([])
        #expect(MatcherUsage(run.restored.matcher) == .empty, "seed \(seed)")
    }

    @Test(
        "Have the configuration that was written, and match the same",
        arguments: [
            "{}", #"{"a":[]}"#, #"{"a":"","b":[]," ":[true,false,"true",1]}"#,
            #"{"a":["x"],"b":["x","x"]}"#,
            #"{"a":"\"\\\/\b\f\n\r\t\u0000\u001f\u007fé🧝\ud83e\udddd"}"#,
            #"{"\"\\\n\u0001":"\u0022"}"#,
            #"{"a":[0,-0,1,-1,30.0,3e1,9223372036854775807,-9223372036854775808]}"#,
            #"{"a":[9223372036854775808,-9223372036854775809,1e18,1e19,1e308,1e-400,-1.5e-7]}"#,
            #"{"a":[0.1,0.10,123456789012345678901234567890,1.00000000000000000000000000001]}"#,
        ]
    )
    func written(configuration: String) throws {
        try Self.expectSame(configuration)
    }

    @Test("Have up to 64 parameters, and what was accepted however long it is written")
    func longest() throws {
        let members = (0..<64).map {
            #""\#(String(repeating: "n", count: 100))\#($0)":[\#($0),"x"]"#
        }
        try Self.expectSame("{\(members.joined(separator: ","))}")
        let limit = WidgetMatcher.configurationLimit
        for element in ["1e18", "-1e18", #""\t""#, #""\u0001""#, "0", "1e9", "9e18", "true"] {
            let count = (limit - #"{"a":[]}"#.utf8.count + 1) / (element.utf8.count + 1)
            let elements = Array(repeating: element, count: count).joined(separator: ",")
            try Self.expectSame(#"{"a":[\#(elements)]}"#)
        }
    }

    @Test("Keep their numbers, in whatever order they come; those between are free")
    func numbers() throws {
        var harness = MatcherHarness(rule: nil)
        for widget in [70, 3, 5, 4_096, 4] as [WidgetID] {
            #expect(harness.matcher.index.isFree(widget) == true)
            try harness.restore(widget, #"{"a":"w\#(widget)"}"#)
            #expect(harness.matcher.index.isFree(widget) == false)
        }
        harness.matcher.finishRestoring()
        #expect(harness.matcher.index.widgetCount == 5)
        for widget in [3, 4, 5, 70, 4_096] as [WidgetID] {
            #expect(harness.matcher.index.isFree(widget) == false)
            #expect(try harness.match(#"{"a":"w\#(widget)"}"#) == [widget])
        }
        #expect(harness.matcher.index.isFree(0) == true)
        #expect(harness.matcher.index.isFree(71) == true)
        #expect(harness.matcher.index.isFree(WidgetID(rawValue: Posting.widgetLimit)) == false)
        // Numbers that nobody has are none when rules change, and are given to others.
        harness.install([("k", try EventPattern(#"{"a":["${configuration.a}"]}"#))])
        var taken: Set<WidgetID> = [3, 4, 5, 70, 4_096]
        for _ in 0..<200 { #expect(taken.insert(try harness.insert(#"{"a":"new"}"#)).inserted) }
        #expect(try harness.match(#"{"a":"new"}"#).count == 200)
    }

    @Test("Need no more memory if room was made for their values and keys before")
    func reserved() throws {
        let count = 20_000
        var plain = MatcherHarness(rule: nil)
        for number in 0..<count {
            try plain.restore(WidgetID(index: number), #"{"a":"w\#(number)"}"#)
        }
        plain.matcher.finishRestoring()
        var harness = MatcherHarness(rule: nil)
        harness.matcher.reserve(
            values: plain.matcher.index.valueCount,
            keys: plain.matcher.index.keyCount
        )
        for number in 0..<count {
            try harness.restore(WidgetID(index: number), #"{"a":"w\#(number)"}"#)
        }
        harness.matcher.finishRestoring()
        #expect(harness.matcher.index.keyByteCount <= plain.matcher.index.keyByteCount)
        #expect(try harness.match(#"{"a":"w17000"}"#) == [17_000])
    }

    @Test("A configuration that is too long to be restored is refused with the limit that it has")
    func tooLong() {
        let limit = WidgetMatcher.restoredConfigurationLimit
        let fill = String(repeating: "x", count: limit - #"{"a":"","b":""}"#.utf8.count)
        var harness = MatcherHarness(rule: nil)
        let error = #expect(throws: ConfigurationError.self) {
            try harness.restore(0, #"{"a":"\#(fill)","b":"x"}"#)
        }
        #expect(error?.message == "the configuration is longer than \(limit) bytes")
        harness.matcher.finishRestoring()
    }

    @Test("Cut, flipped and random bytes are refused or restored, and trap nowhere")
    func damage() throws {
        let seed: UInt64 = 5
        var generator = ModelGenerator(seed: seed)
        var (refused, restored) = (0, 0)
        for round in 0..<60 {
            var harness = MatcherHarness(seed: seed)
            let kinds = generator.kinds()
            harness.install(kinds.enumerated().map { ("k\($0)", $1?.rule) })
            for number in NumberRange<WidgetID>(count: 60) {
                let widget = generator.widget(kinds)
                let bytes = Self.damaged(
                    Array(ModelValue.object(widget.parameters).json.utf8),
                    &generator.random
                )
                do throws(ConfigurationError) {
                    try harness.restore(number, bytes, kind: widget.kind)
                    restored += 1
                } catch {
                    refused += 1
                    #expect(harness.matcher.index.isFree(number) == true)
                }
            }
            harness.matcher.finishRestoring()
            _ = try harness.match(generator.payload().json)
            for number in NumberRange<WidgetID>(count: 60)
            where !harness.matcher.index.isFree(number) {
                harness.matcher.remove(number)
            }
            harness.install([])
            #expect(MatcherUsage(harness.matcher) == .empty, "round \(round)")
        }
        #expect(refused > 500 && restored > 100, "\(refused) and \(restored) say little")
    }

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var damaged = bytes
        switch random.below(4) {
        case 0: damaged.removeLast(1 + random.below(bytes.count))
        case 1: damaged = random.bytes(1 + random.below(40))
        default:
            for _ in 0...random.below(3) {
                damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            }
        }
        return damaged
    }

    /// A widget that is restored from what is written of another one has the same configuration and
    /// matches the same.
    private static func expectSame(_ configuration: String) throws {
        var original = MatcherHarness(rule: nil)
        let widget = try original.insert(configuration)
        let written = original.written(widget)
        #expect(String(decoding: written, as: UTF8.self) == original.text(widget))
        var restored = MatcherHarness(seed: 99)
        restored.install([("k", nil)])
        try restored.restore(widget, written)
        restored.matcher.finishRestoring()
        // Only what was accepted can be compared: what is written of it may be longer.
        #expect(restored.has(widget, Array(configuration.utf8)) == true)
        #expect(
            original.has(widget, written) == (written.count <= WidgetMatcher.configurationLimit)
        )
        let text = "@k \(configuration)"
        #expect(try restored.match(text) == original.match(text))
        #expect(restored.written(widget).sorted() == written.sorted())
    }
}
