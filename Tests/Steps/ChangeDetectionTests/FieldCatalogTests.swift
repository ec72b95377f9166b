import Basics
import ChangeDetection
import TestSupport
import Testing

@Suite("A catalog of fields")
struct FieldCatalogTests {
    @Test("observes the apps with a kind that names fields, and no others")
    func observes() {
        let bench = FieldsBench()
        #expect(!bench.hasFields(of: 0) && !bench.hasFields(of: 9))
        bench.declare(app: 3, kind: 5, observes: [], inlines: [])
        #expect(!bench.hasFields(of: 3))
        bench.declare(app: 3, kind: 5, observes: ["hp"])
        bench.declare(app: 4, kind: 6, inlines: ["hp"])
        #expect(bench.hasFields(of: 3) && bench.hasFields(of: 4))
        #expect(!bench.hasFields(of: 0) && !bench.hasFields(of: 5))
        bench.declare(app: 3, kind: 5)
        #expect(!bench.hasFields(of: 3) && bench.hasFields(of: 4))
    }

    @Test("keeps the fields of one app from pushes of another")
    func apps() {
        let bench = FieldsBench()
        bench.declare(app: 0, kind: 0, observes: ["hp"])
        bench.declare(app: 1, kind: 1, observes: ["level"])
        #expect(bench.push(#"{"hp":1,"level":1}"#, to: 0, app: 0, kind: 0))
        #expect(bench.push(#"{"hp":1,"level":1}"#, to: 1, app: 1, kind: 1))
        #expect(!bench.push(#"{"hp":1,"level":2}"#, to: 0, app: 0, kind: 0))
        #expect(!bench.push(#"{"hp":2,"level":1}"#, to: 1, app: 1, kind: 1))
    }

    @Test("lets widgets keep what they have if the same lists are declared again")
    func declaredAgain() {
        let bench = FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
        _ = bench.push(#"{"hp":1,"level":1}"#)
        let bytes = bench.catalogByteCount
        for _ in 0..<10 { bench.declare(observes: ["hp", "level", "hp"], inlines: ["hp", "hp"]) }
        #expect(!bench.push(#"{"hp":1,"level":1}"#))
        #expect(bench.hasAllInlined())
        #expect(bench.catalogByteCount == bytes)
    }

    @Test(
        "makes widgets of a kind forget what they had if its lists change",
        arguments: [
            (["hp"], ["hp"]), (["hp", "level", "x"], ["hp"]), (["hp", "level"], []),
            (["hp", "level"], ["hp", "level"]), (["hp", "x"], ["hp"]), (["level"], ["hp"]),
        ]
    )
    func changedLists(observes: [String], inlines: [String]) {
        let bench = FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
        bench.declare(kind: 1, observes: ["hp"], inlines: ["level"])
        let payload = #"{"hp":1,"level":1}"#
        for widget in NumberRange<WidgetID>(count: 2) {
            _ = bench.push(payload, to: widget, kind: KindID(index: widget.index))
        }
        bench.declare(observes: observes, inlines: inlines)
        #expect(bench.inlined() == "{}" && !bench.hasAllInlined())
        #expect(bench.push(payload))
        #expect(!bench.push(payload))
        #expect(bench.hasAllInlined() == !inlines.isEmpty)
        #expect(!bench.push(payload, to: 1, kind: 1), "the other kind has not changed")
        #expect(bench.inlined(1, kind: 1) == #"{"level":1}"#)
    }

    @Test("calls a push a change that was read before the kind's lists changed")
    func pushOfBefore() {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp"])
        bench.declare(kind: 1, observes: ["hp"])
        _ = bench.push(#"{"hp":1}"#)
        _ = bench.push(#"{"hp":1}"#, to: 1, kind: 1)
        let push = bench.read(#"{"hp":1,"level":2}"#)
        bench.declare(observes: ["level"], inlines: ["level"])
        #expect(bench.apply(push) && bench.apply(push))
        #expect(bench.inlined() == "{}", "what the push had there was not read")
        #expect(!bench.apply(push, to: 1, kind: 1))
        #expect(bench.push(#"{"level":2}"#))
        #expect(!bench.push(#"{"level":2}"#))
    }

    @Test("gives a block of before back when its widget is pushed to again or removed")
    func oldBlocks() {
        let bench = FieldsBench(observes: (0..<16).map { "f\($0)" })
        for widget in NumberRange<WidgetID>(count: 10) { _ = bench.push(#"{"f1":1}"#, to: widget) }
        let before = bench.usedByteCount
        bench.declare(observes: ["f1"])
        for widget in NumberRange<WidgetID>(count: 5) { _ = bench.push(#"{"f1":1}"#, to: widget) }
        #expect(bench.usedByteCount < before)
        for widget in NumberRange<WidgetID>(count: 10) { bench.remove(widget) }
        #expect(bench.usedByteCount == 0)
    }

    @Test("gives names back that no kind names any more")
    func names() {
        let bench = FieldsBench()
        for round in 0..<100 {
            for kind in 0..<20 {
                bench.declare(
                    app: AppID(index: kind % 3),
                    kind: KindID(index: kind),
                    observes: ["hp", "name \(round)", "own \(kind)"],
                    inlines: ["carried \(round + kind)", "hp"]
                )
            }
        }
        #expect(bench.catalogByteCount < 20 * 200)
        for kind in 0..<20 {
            bench.declare(app: AppID(index: kind % 3), kind: KindID(index: kind))
        }
        #expect(bench.catalogByteCount == 0)
        #expect(([0, 1, 2] as [AppID]).allSatisfy { !bench.hasFields(of: $0) })
    }

    @Test("takes sixteen different fields and no more, names of 128 bytes and no longer")
    func limits() {
        let names = (0..<16).map { "f\($0)" }
        #expect(FieldCatalog.problem(observes: names, inlines: names) == nil)
        #expect(FieldCatalog.problem(observes: names, inlines: ["other"])?.contains("17") == true)
        let long = String(repeating: "é", count: 64)
        #expect(FieldCatalog.problem(observes: [long], inlines: []) == nil)
        #expect(FieldCatalog.problem(observes: [long + "x"], inlines: [])?.contains("129") == true)
        #expect(FieldCatalog.problem(observes: [], inlines: []) == nil)
    }

    @Test("refuses names of inlined fields that leave no space for values, to the byte")
    func inlinedNames() {
        // {"…":1,"…":1,"…":1,"…":1}: a byte, and five around each name.
        func names(_ last: Int) -> [String] {
            zip(["a", "b", "c", "d"], [122, 122, 122, last]).map(String.init(repeating:count:))
        }
        #expect(FieldCatalog.problem(observes: [], inlines: names(125)) == nil)
        #expect(FieldCatalog.problem(observes: [], inlines: names(126))?.contains("513") == true)
        let escaped = String(repeating: "\u{1}", count: 100)
        #expect(FieldCatalog.problem(observes: [escaped], inlines: []) == nil)
        #expect(FieldCatalog.problem(observes: [], inlines: [escaped]) != nil)
        let bench = FieldsBench(inlines: names(125))
        let payload = "{" + names(125).map { #""\#($0)":1"# }.joined(separator: ",") + "}"
        _ = bench.push(payload)
        #expect(bench.hasAllInlined() && bench.inlined() == payload && payload.utf8.count == 512)
    }
}
