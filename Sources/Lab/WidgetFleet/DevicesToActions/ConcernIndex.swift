internal import Basics

/// Finds the widgets that a push concerns according to the scenario, without asking the router
/// under test.
struct ConcernIndex {
    /// The widgets of a plan that a push looks up.
    private struct Lookup {
        let plan: Int
        /// The parameter whose value the payload must have; nil for all widgets of the plan.
        let parameter: String?
    }

    /// A parameter of a plan by which pushes look up widgets.
    private struct Parameter {
        let plan: Int
        let name: String
        /// The widgets with each value of the parameter.
        var widgets: [JSONKey: ContiguousArray<UInt32>] = [:]
    }

    /// What each push of the scenario looks up.
    private let lookups: [[Lookup]]
    /// All widgets of each plan.
    private var all: [ContiguousArray<UInt32>]
    private var parameters: [Parameter] = []

    init(_ scenario: FleetScenario) {
        lookups = scenario.pushes.map { Self.lookups($0, in: scenario) }
        all = scenario.widgets.map { _ in [] }
        for lookup in lookups.joined() {
            guard let name = lookup.parameter else { continue }
            let isKnown = parameters.contains { $0.plan == lookup.plan && $0.name == name }
            if !isKnown { parameters.append(Parameter(plan: lookup.plan, name: name)) }
        }
    }

    /// What a push of the scenario looks up.
    private static func lookups(_ push: PushPlan, in scenario: FleetScenario) -> [Lookup] {
        var found: [Lookup] = []
        for (number, plan) in scenario.widgets.enumerated()
        where push.kinds?.contains(plan.kind) != false {
            if let concerns = push.concerns {
                for concern in concerns where concern.kind == plan.kind {
                    found.append(Lookup(plan: number, parameter: concern.by))
                }
            } else if let parameter = plan.configuration.keys.sorted().first(where: {
                push.payload.member($0) != nil
            }) {
                found.append(Lookup(plan: number, parameter: parameter))
            } else if push.kinds != nil && plan.configuration.isEmpty {
                found.append(Lookup(plan: number, parameter: nil))
            }
        }
        return found
    }

    /// Adds a widget under the values of its configuration.
    mutating func insert(_ widget: UInt32, plan: Int, configuration: JSONValue) {
        assert(all[plan].last.map { $0 < widget } ?? true, "the plan has the widget already")
        all[plan].append(widget)
        for index in parameters.indices where parameters[index].plan == plan {
            for key in JSONKey.keys(configuration.member(parameters[index].name)) {
                parameters[index].widgets[key, default: []].append(widget)
            }
        }
    }

    /// Calls `body` for each widget that a push concerns. A widget whose parameter has two of the
    /// values of the payload is visited twice.
    func forEach(push: Int, payload: JSONValue, body: (UInt32) -> Void) {
        for lookup in lookups[push] {
            guard let name = lookup.parameter else {
                for widget in all[lookup.plan] { body(widget) }
                continue
            }
            let parameter = parameters.first { $0.plan == lookup.plan && $0.name == name }
            for key in JSONKey.keys(payload.member(name)) {
                for widget in parameter?.widgets[key] ?? [] { body(widget) }
            }
        }
    }
}

/// A value in the form in which payloads and configurations are compared: by type, and numbers by
/// their numeric value.
struct JSONKey: Hashable {
    private enum Value: Hashable {
        case text(String)
        case number(Double)
        case boolean(Bool)
    }

    private let value: Value

    /// The key of a value, or the keys of a list's elements; none for null and objects.
    static func keys(_ value: JSONValue?) -> [JSONKey] {
        switch value {
        case .string(let text)?: [JSONKey(value: .text(text))]
        case .number(let text)?: [JSONKey(value: .number(Double(text) ?? 0))]
        case .boolean(let boolean)?: [JSONKey(value: .boolean(boolean))]
        case .list(let values)?: values.flatMap { keys($0) }
        case .null?, .object?, nil: []
        }
    }
}
