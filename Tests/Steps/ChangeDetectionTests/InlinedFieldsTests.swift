import Basics
import ChangeDetection
import TestSupport
import Testing

@Suite("Inlined values")
struct InlinedFieldsTests {
    @Test("are the latest of each field, as they were written, in the declared order")
    func latest() {
        let bench = FieldsBench(inlines: ["hp", "level"])
        _ = bench.push(#"{"level": 5 , "x":1, "hp":3e1}"#)
        #expect(bench.inlined() == #"{"hp":3e1,"level":5}"#)
        _ = bench.push(#"{"hp":{ "now" : 30 }}"#)
        #expect(bench.inlined() == #"{"hp":{ "now" : 30 },"level":5}"#)
        _ = bench.push(#"{"level":[1,"\u0061"],"hp":null}"#)
        #expect(bench.inlined() == #"{"hp":null,"level":[1,"\u0061"]}"#)
    }

    @Test("are complete when each field has one")
    func complete() {
        let bench = FieldsBench(inlines: ["hp", "level"])
        #expect(!bench.hasAllInlined() && bench.inlined() == "{}")
        _ = bench.push(#"{"hp":1}"#)
        #expect(!bench.hasAllInlined() && bench.inlined() == #"{"hp":1}"#)
        _ = bench.push(#"{"level":2}"#)
        #expect(bench.hasAllInlined() && bench.inlined() == #"{"hp":1,"level":2}"#)
        #expect(!bench.hasAllInlined(1))
    }

    @Test("of a kind that inlines nothing are never complete")
    func nothing() {
        let bench = FieldsBench(observes: ["hp"])
        _ = bench.push(#"{"hp":1}"#)
        #expect(!bench.hasAllInlined() && bench.inlined() == "{}")
        #expect(!bench.hasAllInlined(0, kind: 9))
    }

    @Test("are the latest also after a push that is unchanged")
    func unchanged() {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp", "level"])
        _ = bench.push(#"{"hp":30,"level":5}"#)
        #expect(!bench.push(#"{"hp":30.0,"level":6}"#))
        #expect(bench.inlined() == #"{"hp":30.0,"level":6}"#)
        #expect(!bench.push(#"{"level":"a longer one"}"#))
        #expect(bench.inlined() == #"{"hp":30.0,"level":"a longer one"}"#)
    }

    @Test("have keys that are escaped as JSON asks")
    func keys() {
        let bench = FieldsBench(inlines: ["a\"b", "\\", "\u{1}\n", "é", ""])
        _ = bench.push(#"{"a\"b":1,"\\":2,"\u0001\n":3,"é":4,"":5}"#)
        #expect(bench.inlined() == #"{"a\"b":1,"\\":2,"\u0001\n":3,"é":4,"":5}"#)
        _ = bench.read(bench.inlined())
    }

    /// A string value of so many bytes, quotation marks included.
    private func text(_ count: Int, _ letter: String = "x") -> String {
        "\"" + String(repeating: letter, count: count - 2) + "\""
    }

    @Test("are known up to 512 bytes for the whole object, to the byte")
    func limit() {
        let bench = FieldsBench(inlines: ["a", "b"])
        // {"a":…,"b":1} has 12 bytes around the first value.
        _ = bench.push(#"{"a":\#(text(500)),"b":1}"#)
        #expect(bench.hasAllInlined() && bench.inlined().utf8.count == 512)
        _ = bench.push(#"{"b":12}"#)
        #expect(!bench.hasAllInlined() && bench.inlined() == #"{"a":\#(text(500))}"#)
        _ = bench.push(#"{"b":2}"#)
        #expect(bench.hasAllInlined())
        _ = bench.push(#"{"a":\#(text(501))}"#)
        #expect(bench.inlined() == #"{"b":2}"#)
    }

    @Test("that did not fit are unknown, never those of before, until a push brings ones that fit")
    func neverStale() {
        let bench = FieldsBench(observes: ["b"], inlines: ["a", "b"])
        _ = bench.push(#"{"a":1,"b":2}"#)
        #expect(!bench.push(#"{"a":\#(text(600))}"#))
        #expect(!bench.hasAllInlined() && bench.inlined() == #"{"b":2}"#)
        #expect(bench.push(#"{"b":3}"#))
        #expect(!bench.hasAllInlined() && bench.inlined() == #"{"b":3}"#)
        #expect(!bench.push(#"{"a":4}"#))
        #expect(bench.hasAllInlined() && bench.inlined() == #"{"a":4,"b":3}"#)
    }

    @Test("are foretold with the length of the whole object in mind, as RELOAD will have them")
    func foretold() {
        let bench = FieldsBench(inlines: ["a", "b"])
        // {"a":…,"b":…} has 11 bytes around the values.
        for (first, second) in [(2, 499), (3, 499), (499, 2), (499, 3), (512, 2), (513, 2)] {
            bench.removeAll()
            let push = bench.read(#"{"a":\#(text(first)),"b":\#(text(second))}"#)
            let foretold = bench.wouldHaveAllInlined(by: push)
            _ = bench.apply(push)
            #expect(foretold == bench.hasAllInlined())
            #expect(foretold == (first + second <= 501))
            #expect(bench.wouldHaveAllInlined(by: .none) == foretold)
        }
    }

    @Test("are foretold with those in mind that a push lacks")
    func foretoldWithKept() {
        let bench = FieldsBench(inlines: ["a", "b"])
        _ = bench.push(#"{"a":\#(text(400))}"#)
        for length in [101, 102] {
            bench.removeAll()
            let push = bench.read(#"{"b":\#(text(length))}"#)
            let foretold = bench.wouldHaveAllInlined(by: push)
            _ = bench.apply(push)
            #expect(foretold == bench.hasAllInlined())
            #expect(foretold == (length == 101))
        }
    }

    @Test("that come together are taken in the declared order as far as they fit")
    func together() {
        let bench = FieldsBench(inlines: ["a", "b", "c"])
        _ = bench.push(#"{"c":\#(text(100)),"b":\#(text(300)),"a":\#(text(300))}"#)
        #expect(bench.inlined() == #"{"a":\#(text(300)),"c":\#(text(100))}"#)
        _ = bench.push(#"{"a":1}"#)
        #expect(bench.inlined() == #"{"a":1,"c":\#(text(100))}"#)
        _ = bench.push(#"{"b":\#(text(300))}"#)
        #expect(bench.hasAllInlined())
    }

    @Test("make room for each other only by being replaced")
    func room() {
        let bench = FieldsBench(inlines: ["a", "b"])
        _ = bench.push(#"{"a":\#(text(400))}"#)
        _ = bench.push(#"{"b":\#(text(200))}"#)
        #expect(bench.inlined() == #"{"a":\#(text(400))}"#)
        _ = bench.push(#"{"b":\#(text(200)),"a":1}"#)
        #expect(bench.inlined() == #"{"a":1,"b":\#(text(200))}"#)
        _ = bench.push(#"{"a":\#(text(400))}"#)
        #expect(bench.inlined() == #"{"b":\#(text(200))}"#)
    }

    @Test("are none that would be nested too deeply in RELOAD")
    func depth() {
        let bench = FieldsBench(inlines: ["a"])
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth - 1) + #"["[[[[[\"{"]"#
                + String(repeating: close, count: depth - 1)
        }
        let limit = FieldCatalog.inlinedDepthLimit
        #expect(limit == RouterLimits.jsonDepth - 3)
        for (open, close) in [("[", "]"), (#"{"k":"#, "}")] {
            _ = bench.push(#"{"a":\#(nested(limit, open, close))}"#)
            #expect(bench.inlined() == #"{"a":\#(nested(limit, open, close))}"#)
            _ = bench.read(#"{"values":{"w1":\#(bench.inlined())}}"#)
            _ = bench.push(#"{"a":\#(nested(limit + 1, open, close))}"#)
            #expect(bench.inlined() == "{}" && !bench.hasAllInlined())
        }
        _ = bench.push(
            "{\"a\":[" + Array(repeating: "[[]]", count: 50).joined(separator: ",") + "]}"
        )
        #expect(bench.hasAllInlined())
    }

    @Test("belong to each widget by itself")
    func widgets() {
        let bench = FieldsBench(inlines: ["hp"])
        for widget in NumberRange<WidgetID>(count: 50) {
            _ = bench.push(#"{"hp":"\#(String(repeating: "z", count: widget.index))"}"#, to: widget)
        }
        for widget in stride(from: 0, to: 50, by: 2) { bench.remove(WidgetID(index: widget)) }
        for widget in NumberRange<WidgetID>(count: 50) {
            let text = String(repeating: "z", count: widget.index)
            #expect(bench.inlined(widget) == (widget.index % 2 == 0 ? "{}" : #"{"hp":"\#(text)"}"#))
        }
    }

    @Test("give their memory back when the widget is removed")
    func memory() {
        let bench = FieldsBench(observes: ["a", "b"], inlines: ["a", "c"])
        var held = 0
        for round in 0..<5 {
            for widget in NumberRange<WidgetID>(count: 200) {
                let long = String(repeating: "y", count: widget.index * 7 % 600 + 10)
                _ = bench.push(#"{"a":"\#(long)","b":1,"c":\#(round)}"#, to: widget)
                _ = bench.push(#"{"a":\#(widget),"b":"\#(long)"}"#, to: widget)
            }
            #expect(bench.usedByteCount >= 200 * 40)
            for widget in NumberRange<WidgetID>(count: 200) { bench.remove(widget) }
            #expect(bench.usedByteCount == 0)
            if round == 1 { held = bench.byteCount }
        }
        #expect(bench.byteCount == held, "the same blocks serve again")
    }
}
