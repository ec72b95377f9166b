import Basics
import TestSupport

@testable import ChangeDetection

/// Widgets that random pushes, removals and changes of lists come to, and, after a restart, the
/// same ones once more: restored from what the store has of the others.
struct FieldsStoreRun {
    let seed: UInt64
    var random: SeededGenerator
    let bench: FieldsBench
    private(set) var replica: FieldsBench?
    /// Pushes that were a change, and that were none.
    private(set) var (changeCount, sameCount) = (0, 0)
    private struct List {
        var observes: [String] = []
        var inlines: [String] = []
        var newest: String?
        var keys: [[String]] = []
    }

    private var lists = Array(repeating: List(), count: 4)

    let page = NumberRange<WidgetID>(from: 128, to: 180)
    private static let names = ["hp", "level", "name", "a long name of a field", "x"]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        bench = FieldsBench(seed: seed)
        for kind in lists.indices { declare(kind) }
    }

    func kind(_ widget: WidgetID) -> KindID { KindID(index: widget.index % 4) }

    /// What the store keeps, of each widget alone.
    func images(of bench: FieldsBench) -> [[UInt8]] {
        page.map { bench.stored(NumberRange(from: $0.index, to: $0.index + 1)) }
    }

    #if DEBUG
    /// The memory of each widget's block.
    func blocks() -> [WidgetID: [UInt8]] {
        Dictionary(uniqueKeysWithValues: page.map { ($0, bench.widgets.blockBytes(of: $0)) })
    }
    #endif

    /// Another bench, which has the lists as they are now and no history, with stored widgets.
    func fresh(from bytes: [UInt8]) throws -> FieldsBench {
        let fresh = FieldsBench(seed: seed)
        for kind in lists.indices {
            fresh.declare(
                kind: KindID(index: kind),
                observes: lists[kind].observes,
                inlines: lists[kind].inlines,
                newest: lists[kind].newest,
                keys: lists[kind].keys
            )
        }
        try fresh.restore(page, kind: kind, from: bytes)
        return fresh
    }

    mutating func restart() throws {
        replica = try fresh(from: bench.stored(page))
    }

    // MARK: - Steps

    /// Does something to both; returns in what they differ.
    mutating func step() -> String? {
        let widget = random.pick(Array(page))
        switch random.below(40) {
        case 0: declare(random.below(lists.count))
        case 1, 2: both { $0.remove(widget) }
        case 3, 4: both { $0.forgetObserved(widget, kind: self.kind(widget)) }
        default: return push()
        }
        return nil
    }

    func removeAll() {
        for widget in page { both { $0.remove(widget) } }
    }

    private func both(_ body: (FieldsBench) -> Void) {
        body(bench)
        if let replica { body(replica) }
    }

    private mutating func declare(_ kind: Int) {
        lists[kind].observes = Self.names.filter { _ in random.below(2) == 0 }
        lists[kind].inlines = Self.names.filter { _ in random.below(2) == 0 }
            .shuffled(using: &random)
        lists[kind].newest = random.pick([nil, "version"])
        lists[kind].keys = random.pick([[], [["id"]], [["id"], ["in", "id"]]])
        let list = lists[kind]
        both {
            $0.declare(
                kind: KindID(index: kind),
                observes: list.observes,
                inlines: list.inlines,
                newest: list.newest,
                keys: list.keys
            )
        }
    }

    /// A push for a few widgets.
    private mutating func push() -> String? {
        let payload = payload()
        var handles: [PushHandle] = []
        both {
            $0.removeAll()
            handles.append($0.read(payload))
        }
        for _ in 0..<6 {
            let widget = random.pick(Array(page))
            let kind = kind(widget)
            let isChange = bench.apply(handles[0], to: widget, kind: kind)
            if isChange { changeCount += 1 } else { sameCount += 1 }
            guard let replica else { continue }
            let context = "widget \(widget), list \(lists[kind.index]), push \(payload)"
            if replica.apply(handles[1], to: widget, kind: kind) != isChange { return context }
            if replica.inlined(widget, kind: kind) != bench.inlined(widget, kind: kind) {
                return "\(context): \(replica.inlined(widget, kind: kind))"
            }
            if replica.hasAllInlined(widget, kind: kind) != bench.hasAllInlined(widget, kind: kind)
            {
                return "\(context): all carried"
            }
        }
        return nil
    }

    private mutating func payload() -> String {
        var members: [String] = []
        for name in Self.names where random.below(2) == 0 {
            let long = String(repeating: "x", count: random.below(300))
            let value = random.pick(["1", "1", "1.0", "2", "null", #""\#(long)""#])
            members.append(#""\#(name)":\#(value)"#)
        }
        if random.below(3) > 0 {
            members.append(random.pick([#""version":\#(random.below(9))"#, #""version":"2026""#]))
        }
        if random.below(3) > 0 { members.append(#""id":\#(random.below(12))"#) }
        if random.below(3) > 0 { members.append(#""in":{"id":\#(random.below(2))}"#) }
        return "{\(members.joined(separator: ","))}"
    }
}
