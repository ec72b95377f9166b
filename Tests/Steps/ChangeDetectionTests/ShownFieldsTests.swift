import Basics
import ChangeDetection
import TestSupport
import Testing

@Suite("A push")
struct ShownFieldsTests {
    @Test("is a change if it brings a first value of an observed field")
    func firstValue() {
        let bench = FieldsBench(observes: ["hp", "level"])
        #expect(bench.push(#"{"hp":30,"level":5}"#))
    }

    @Test("is unchanged if its observed fields have the values that they had")
    func sameValues() {
        let bench = FieldsBench(observes: ["hp", "level"])
        _ = bench.push(#"{"hp":30,"level":5,"x":1}"#)
        #expect(!bench.push(#"{"level":5,"x":2,"hp":30}"#))
    }

    @Test("is a change if one observed field has another value")
    func otherValue() {
        let bench = FieldsBench(observes: ["hp", "level"])
        _ = bench.push(#"{"hp":30,"level":5}"#)
        #expect(bench.push(#"{"hp":29,"level":5}"#))
        #expect(bench.push(#"{"hp":30,"level":5}"#))
        #expect(!bench.push(#"{"hp":30,"level":5}"#))
    }

    @Test("is unchanged at fields that it lacks")
    func lacking() {
        let bench = FieldsBench(observes: ["hp", "level"])
        _ = bench.push(#"{"hp":30,"level":5}"#)
        #expect(!bench.push(#"{"hp":30}"#))
        #expect(!bench.push(#"{}"#))
        #expect(!bench.push(#"{"other":{"hp":1}}"#))
        #expect(bench.push(#"{"level":6}"#))
        #expect(!bench.push(#"{"hp":30}"#), "a value is kept while pushes lack it")
    }

    @Test("that lacks all observed fields is unchanged even if it is the first")
    func firstLackingAll() {
        let bench = FieldsBench(observes: ["hp"])
        #expect(!bench.push(#"{"x":1}"#))
        #expect(bench.usedByteCount == 0)
    }

    @Test("is a change if an observed field becomes null, and unchanged if it stays null")
    func null() {
        let bench = FieldsBench(observes: ["hp"])
        _ = bench.push(#"{"hp":30}"#)
        #expect(bench.push(#"{"hp":null}"#))
        #expect(!bench.push(#"{"hp":null}"#))
        #expect(!bench.push(#"{}"#))
    }

    @Test("is a change if an observed field is first seen after others were")
    func laterField() {
        let bench = FieldsBench(observes: ["hp", "level"])
        _ = bench.push(#"{"hp":30}"#)
        #expect(bench.push(#"{"hp":30,"level":5}"#))
        #expect(!bench.push(#"{"hp":30,"level":5}"#))
    }

    @Test("is a change if the kind observes nothing, whatever it inlines")
    func showsNothing() {
        let bench = FieldsBench(inlines: ["hp"])
        for _ in 0..<3 { #expect(bench.push(#"{"hp":30}"#)) }
        #expect(bench.push("{}"))
        #expect(bench.push("{}", kind: 7), "a kind that was never declared")
    }

    @Test("is looked at in the payload's top level only")
    func topLevel() {
        let bench = FieldsBench(observes: ["hp"])
        _ = bench.push(#"{"a":{"hp":1},"b":[{"hp":1}],"hp":30}"#)
        #expect(!bench.push(#"{"a":{"hp":2},"b":[{"hp":3}],"hp":30}"#))
    }

    @Test("is a change for each widget by itself")
    func widgets() {
        let bench = FieldsBench(observes: ["hp"])
        let push = bench.read(#"{"hp":30}"#)
        #expect(bench.apply(push, to: 9_000))
        #expect(bench.apply(push, to: 3))
        #expect(!bench.apply(push, to: 9_000))
        #expect(bench.push(#"{"hp":31}"#, to: 3))
        #expect(!bench.push(#"{"hp":30}"#, to: 9_000))
    }

    @Test("is a change by the observed fields of its widget's kind")
    func kinds() {
        let bench = FieldsBench(observes: ["hp"])
        bench.declare(kind: 1, observes: ["level"])
        _ = bench.push(#"{"hp":1,"level":1}"#, to: 0, kind: 0)
        _ = bench.push(#"{"hp":1,"level":1}"#, to: 1, kind: 1)
        let push = bench.read(#"{"hp":1,"level":2}"#)
        #expect(!bench.apply(push, to: 0, kind: 0))
        #expect(bench.apply(push, to: 1, kind: 1))
    }

    @Test("of a batch is not compared with the others")
    func batch() {
        let bench = FieldsBench(observes: ["hp", "level"])
        let pushes = [#"{"hp":1}"#, #"{"level":1}"#, "{}", #"{"hp":1,"level":1}"#, #"{"level":2}"#]
            .map { bench.read($0) }
        #expect(pushes.map { bench.apply($0) } == [true, true, false, false, true])
    }

    @Test("is a change after a dropped reload, whatever it brings")
    func forgetObserved() {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp"])
        _ = bench.push(#"{"hp":30}"#)
        bench.forgetObserved()
        #expect(bench.push("{}"))
        #expect(!bench.push("{}"))
        #expect(bench.push(#"{"hp":30}"#), "the value was forgotten")
        #expect(!bench.push(#"{"hp":30}"#))
        #expect(bench.inlined() == #"{"hp":30}"#)
    }

    @Test("is a change after a dropped reload of a widget that no push had reached")
    func forgetUnknown() {
        let bench = FieldsBench(observes: ["hp"])
        bench.forgetObserved(70)
        #expect(bench.push("{}", to: 70))
        #expect(!bench.push("{}", to: 70))
        #expect(!bench.push("{}", to: 69))
    }

    @Test("is a change after its widget was removed or configured anew")
    func remove() {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp"])
        _ = bench.push(#"{"hp":30}"#)
        bench.remove(0)
        bench.remove(0)
        bench.remove(1_000_000)
        #expect(bench.inlined() == "{}" && !bench.hasAllInlined())
        #expect(bench.push(#"{"hp":30}"#))
    }

    @Test("is a change at the last of sixteen fields as at the first")
    func sixteen() {
        let names = (0..<16).map { "field \($0)" }
        let bench = FieldsBench(observes: names)
        func payload(_ changed: Int) -> String {
            "{"
                + names.indices.map { #""field \#($0)":\#($0 == changed ? 1 : 0)"# }
                .joined(separator: ",") + "}"
        }
        #expect(bench.push(payload(-1)))
        for changed in names.indices {
            #expect(bench.push(payload(changed)))
            #expect(!bench.push(payload(changed)))
            #expect(bench.push(payload(-1)))
        }
    }

    @Test("that was not read is a change, and what the widget had is forgotten")
    func unread() {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp"])
        _ = bench.push(#"{"hp":30}"#)
        #expect(bench.apply(.none))
        #expect(!bench.hasAllInlined())
        #expect(bench.push(#"{"hp":30}"#))
    }
}
