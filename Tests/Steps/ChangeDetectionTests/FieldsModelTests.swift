import Basics
import ChangeDetection
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

private struct Kind: Equatable {
    var observes: [String] = []
    var inlines: [String] = []
    var newest: String?
    var keys: [[String]] = []

    /// The paths by which the values of a widget are told apart.
    var usedKeys: [[String]] {
        newest == nil && observes.allSatisfy(inlines.contains) ? [] : Array(keys.prefix(4))
    }
}

/// What a widget has of one key: values that are not inlined, and the newest order.
private struct Entity {
    var key: [String?]
    var observed: [String: String] = [:]
    var version: Int?
}

private struct Widget {
    var kind: KindID
    /// The values of fields that are also inlined.
    var shared: [String: String] = [:]
    /// Of the latest key first.
    var entities: [Entity] = []
    var inlined: [String: String] = [:]
    var nextPushIsChange = false

    mutating func forget(in kind: Kind) {
        if kind.observes.isEmpty { return }
        shared = [:]
        if !entities.isEmpty { entities[0].observed = [:] }
        nextPushIsChange = true
    }

    /// Finds the key of a push, and makes it the latest; false if the push is older than another.
    private mutating func enter(_ key: [String?], version: Int?) -> Bool {
        let place = entities.firstIndex { $0.key == key }
        if let place, let version, let known = entities[place].version, version < known {
            return false
        }
        var entity = place.map { entities.remove(at: $0) } ?? Entity(key: key)
        if let version { entity.version = version }
        entities.insert(entity, at: 0)
        if entities.count > WidgetFields.otherKeyLimit + 1 { entities.removeLast() }
        return true
    }

    /// The model: what a push's members, by name the canonical value and the text, do to a widget.
    mutating func push(_ members: [String: (canonical: String, text: String)], _ kind: Kind) -> Bool
    {
        let key = kind.usedKeys.map { members[$0.joined(separator: "/")]?.canonical }
        let version = kind.newest.flatMap { members[$0].flatMap { Int($0.canonical) } }
        if !enter(key, version: version) { return false }
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
            if kind.inlines.contains(name) {
                if shared[name] != member.canonical { isChanged = true }
                shared[name] = member.canonical
            } else {
                if entities[0].observed[name] != member.canonical { isChanged = true }
                entities[0].observed[name] = member.canonical
            }
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
            widgets[widget]!.forget(in: kinds[widgets[widget]!.kind.index])
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
        kinds[number].newest = random.below(2) == 0 ? nil : "version"
        kinds[number].keys = random.pick([
            [], [["id"]], [["in", "id"]], [["id"], ["in", "deep", "id"], ["x"]],
        ])
        bench.declare(
            kind: KindID(index: number),
            observes: kinds[number].observes,
            inlines: kinds[number].inlines,
            newest: kinds[number].newest,
            keys: kinds[number].keys
        )
        if Set(old.observes) == Set(kinds[number].observes), old.inlines == kinds[number].inlines,
            old.newest == kinds[number].newest, old.usedKeys == kinds[number].usedKeys
        {
            return
        }
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
            addOrder(to: &members)
            let order = members.keys.filter { !$0.contains("/") }.sorted().shuffled(using: &random)
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

    /// Adds what says of which entity an update is, and how new.
    private mutating func addOrder(
        to members: inout [String: (canonical: String, text: String)]
    ) {
        if random.below(4) > 0 {
            let version = random.below(20)
            members["version"] = random.pick([
                ("\(version)", "\(version)"), ("\(version)", "\(version).0"),
                ("\(version)", "\(version * 10)e-1"),
            ])
        } else if random.below(2) == 0 {
            members["version"] = ("null", "null")
        }
        if random.below(4) > 0 {
            let id = random.below(12)
            members["id"] = random.pick([("\(id)", "\(id)"), ("\(id)", "\(id).0")])
        }
        switch random.below(4) {
        case 0: break
        case 1: members["in"] = ("[]", #"[{"id":1}]"#)
        default:
            let (id, deep) = (random.below(3), random.below(2))
            members["in"] = ("{}", #"{"a":[],"deep":{"id":\#(deep)},"\u0069d":\#(id)}"#)
            members["in/id"] = ("\(id)", "")
            members["in/deep/id"] = ("\(deep)", "")
        }
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
