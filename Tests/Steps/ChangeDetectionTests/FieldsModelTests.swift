import ChangeDetection
import DataStructures
import ReloadModel
import TestSupport
import Testing

/// Random kinds, pushes, removals and changes of lists, against dictionaries of canonical texts.
@Suite("Fields of widgets, against a model")
struct FieldsModelTests {
    @Test("are changes and inlined values as the model has them", arguments: 0..<20)
    func random(number: UInt64) {
        let seed = number &* 0x1234_5678_9abc + 7
        var run = ModelRun(seed: seed)
        for step in 0..<500 {
            if let problem = run.step() {
                Issue.record("seed \(seed), step \(step): \(problem)")
                return
            }
        }
        run.removeAll()
        #expect(run.bench.usedByteCount == 0, "seed \(seed)")
    }
}

/// A value in several spellings, of which the first is the canonical one.
private struct Value {
    let spellings: [String]

    var canonical: String { spellings[0] }

    static func random(_ random: inout SeededGenerator) -> Value {
        switch random.below(8) {
        case 0: Value(spellings: ["null"])
        case 1: Value(spellings: [random.pick(["true", "false"])])
        case 2: Value(spellings: ["30", "30.0", "3e1", "0.3E+2"])
        case 3: Value(spellings: ["\(random.below(3))"])
        case 4: Value(spellings: [#""ab""#, #""\u0061b""#, #""a\u0062""#])
        case 5:
            Value(spellings: ["\"" + String(repeating: "x", count: random.below(400)) + "\""])
        case 6:
            Value(spellings: [#"[1,{"k":"/"}]"#, #"[1.0, {"\u006b":"\/"}]"#])
        default:
            Value(spellings: ["{\"k\":[" + String(random.below(2)) + "]}"])
        }
    }
}

private struct Kind {
    var observes: [String] = []
    var inlines: [String] = []
}

private struct Widget {
    var kind: KindID
    var observed: [String: String] = [:]
    var inlined: [String: String] = [:]
    var nextPushIsChange = false

    /// The model: what a push's members, by name the canonical value and the text, do to a widget.
    mutating func push(_ members: [String: (canonical: String, text: String)], _ kind: Kind) -> Bool
    {
        let inlines = Self.unique(kind.inlines)
        for name in inlines where members[name] != nil { inlined[name] = nil }
        for name in inlines {
            guard let member = members[name] else { continue }
            let before = inlined[name]
            inlined[name] = member.text
            if text(kind).utf8.count > 512 { inlined[name] = before }
        }
        if kind.observes.isEmpty { return true }
        var isChanged = nextPushIsChange
        for name in kind.observes {
            guard let member = members[name] else { continue }
            if observed[name] != member.canonical { isChanged = true }
            observed[name] = member.canonical
        }
        nextPushIsChange = false
        return isChanged
    }

    func text(_ kind: Kind) -> String {
        let members = Self.unique(kind.inlines).compactMap { name in
            inlined[name].map { #""\#(name)":\#($0)"# }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func unique(_ names: [String]) -> [String] {
        names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.1)
    }
}

private struct ModelRun {
    let bench: FieldsBench
    var random: SeededGenerator
    var kinds: [Kind]
    var widgets: [WidgetID: Widget] = [:]
    private let names = ["hp", "level", "name", "a long name of a field", "x", "y"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        bench = FieldsBench(seed: seed)
        kinds = Array(repeating: Kind(), count: 4)
        for kind in 0..<4 { declare(kind) }
    }

    /// Does something; returns what the model has otherwise.
    mutating func step() -> String? {
        switch random.below(100) {
        case 0:
            declare(random.below(4))
        case 1..<4:
            let widget = WidgetID(index: random.below(30))
            bench.remove(widget)
            widgets[widget] = nil
        case 4..<8:
            guard let widget = widgets.keys.sorted().randomElement(using: &random) else { break }
            bench.forgetObserved(widget, kind: widgets[widget]!.kind)
            widgets[widget]!.observed = [:]
            widgets[widget]!.nextPushIsChange = true
        default:
            return pushBatch()
        }
        return nil
    }

    mutating func removeAll() {
        for widget in NumberRange<WidgetID>(count: 30) { bench.remove(widget) }
    }

    private mutating func declare(_ number: Int) {
        let old = kinds[number]
        kinds[number].observes = names.filter { _ in random.below(3) == 0 }
        kinds[number].inlines = names.filter { _ in random.below(3) == 0 }.shuffled(using: &random)
        bench.declare(
            kind: KindID(index: number),
            observes: kinds[number].observes,
            inlines: kinds[number].inlines
        )
        if (old.observes, old.inlines) == (kinds[number].observes, kinds[number].inlines) { return }
        for widget in widgets.keys where widgets[widget]!.kind == KindID(index: number) {
            widgets[widget] = Widget(kind: KindID(index: number))
        }
    }

    private mutating func pushBatch() -> String? {
        bench.removeAll()
        var pushes: [(payload: String, members: [String: (canonical: String, text: String)])] = []
        for _ in 0...random.below(4) {
            var members: [String: (canonical: String, text: String)] = [:]
            for name in names where random.below(2) == 0 {
                let value = Value.random(&random)
                members[name] = (value.canonical, random.pick(value.spellings))
            }
            let order = members.keys.sorted().shuffled(using: &random)
            // The space in front of a value is none of it.
            let texts = order.map { #""\#($0)": \#(members[$0]!.text)"# }
            pushes.append(("{" + (texts + [#""other":1"#]).joined(separator: ",") + "}", members))
        }
        let handles = pushes.map { bench.read($0.payload) }
        for (push, handle) in zip(pushes, handles) {
            for _ in 0..<random.below(6) {
                let widget = WidgetID(index: random.below(30))
                if widgets[widget] == nil {
                    widgets[widget] = Widget(kind: KindID(index: random.below(4)))
                }
                if let problem = compare(widget, handle, push.payload, push.members) {
                    return problem
                }
            }
        }
        return nil
    }

    private mutating func compare(
        _ widget: WidgetID,
        _ handle: PushHandle,
        _ payload: String,
        _ members: [String: (canonical: String, text: String)]
    ) -> String? {
        let number = widgets[widget]!.kind
        let kind = kinds[number.index]
        let expected = widgets[widget]!.push(members, kind)
        let found = bench.apply(handle, to: widget, kind: number)
        if found != expected { return "\(payload) for \(kind): \(found)" }
        let text = widgets[widget]!.text(kind)
        if bench.inlined(widget, kind: number) != text {
            return "\(payload) for \(kind): \(bench.inlined(widget, kind: number)), not \(text)"
        }
        let isComplete =
            !kind.inlines.isEmpty && kind.inlines.allSatisfy { widgets[widget]!.inlined[$0] != nil }
        if bench.hasAllInlined(widget, kind: number) != isComplete {
            return "\(payload) for \(kind): complete is not \(isComplete)"
        }
        return nil
    }
}
