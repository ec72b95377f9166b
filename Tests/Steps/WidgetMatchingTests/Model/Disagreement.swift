import Basics
import TestSupport
import WidgetMatching

/// A widget and a push on which the matcher and the model disagree.
struct Disagreement: CustomStringConvertible {
    var kind: ModelKind
    var widget: ModelWidget
    var payload: ModelValue

    var description: String {
        """
        pattern        \(kind.rule?.json ?? "none")
        configuration  \(ModelValue.object(widget.parameters).json)
        payload        \(payload.narrowing)\(payload.json)
        """
    }

    /// Whether a matcher that holds nothing else disagrees too.
    var isReproducible: Bool {
        var harness = MatcherHarness()
        let app = WidgetMatcher.App(
            app: kind.app,
            kinds: [WidgetMatcher.Kind(kind: widget.kind, name: kind.name, rule: kind.rule)]
        )
        harness.matcher.install(apps: [app])
        let expected = ModelMatcher.concerns(payload, of: kind.app, widget, kind)
        do {
            let configuration = ModelValue.object(widget.parameters).json
            let id = try harness.insert(configuration, kind: widget.kind)
            let push = payload.narrowing + payload.json
            return try harness.match(push, app: kind.app) != (expected ? [id] : [])
        } catch {
            return false
        }
    }

    /// The smallest disagreement that leaving out one thing after the other leads to.
    func shrunk() -> Disagreement {
        var smallest = self
        while let smaller = smallest.candidates.first(where: \.isReproducible) {
            smallest = smaller
        }
        return smallest
    }

    private var candidates: [Disagreement] {
        var candidates: [Disagreement] = []
        for rule in kind.rule?.smaller ?? [] {
            var candidate = self
            candidate.kind = ModelKind(app: kind.app, name: kind.name, rule: rule)
            candidates.append(candidate)
        }
        for case .object(let parameters) in ModelValue.object(widget.parameters).smaller {
            var candidate = self
            candidate.widget = ModelWidget(kind: widget.kind, parameters: parameters)
            candidates.append(candidate)
        }
        for case .object(let members) in payload.smaller {
            var candidate = self
            candidate.payload = .object(members)
            candidates.append(candidate)
        }
        return candidates
    }
}

extension ModelValue {
    /// The value with one thing less in it, in every way.
    fileprivate var smaller: [ModelValue] {
        switch self {
        case .object(let members):
            members.variants { member in
                member.value.smaller.map { ModelMember(name: member.name, value: $0) }
            }.map { .object($0) }
        case .list(let elements): elements.variants(\.smaller).map { .list($0) }
        case .string, .number, .boolean, .null: []
        }
    }
}

extension EventPattern {
    fileprivate var smaller: [EventPattern] {
        conditions.variants { condition in
            switch condition {
            case .field(let name, let tests):
                tests.variants(\.smaller).filter { !$0.isEmpty }.map { .field(name, $0) }
            case .nested(let name, let pattern): pattern.smaller.map { .nested(name, $0) }
            case .anyOf(let patterns):
                patterns.variants(\.smaller).filter { !$0.isEmpty }.map { .anyOf($0) }
            }
        }.filter { !$0.isEmpty }.map { EventPattern($0) }
    }
}

extension PatternTest {
    fileprivate var smaller: [PatternTest] {
        switch self {
        case .equals, .text, .exists, .allOfParameter: []
        case .numeric(let bounds):
            bounds.variants { _ in [] }.filter { !$0.isEmpty }
                .map { .numeric($0) }
        case .anythingBut(let tests):
            tests.variants(\.smaller).filter { !$0.isEmpty }
                .map { .anythingBut($0) }
        case .allOf(let tests):
            tests.variants(\.smaller).filter { !$0.isEmpty }
                .map { .allOf($0) } + tests
        }
    }
}

extension Array {
    /// The list without one of its elements, or with a smaller one in its place.
    fileprivate func variants(_ smaller: (Element) -> [Element]) -> [[Element]] {
        indices.flatMap { position -> [[Element]] in
            var without = self
            without.remove(at: position)
            return [without]
                + smaller(self[position]).map { element in
                    var with = self
                    with[position] = element
                    return with
                }
        }
    }
}
