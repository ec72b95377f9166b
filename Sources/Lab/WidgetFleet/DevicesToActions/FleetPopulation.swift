internal import Basics
internal import ReloadScheduling
internal import RouterSimulation
internal import WidgetTimelines

/// The devices of a scenario, with an index of the widgets that a push concerns.
struct FleetPopulation {
    /// The prefix of devices' names, followed by their number.
    static var namePrefix: String { "fleet-" }

    let declarations: [WidgetDeclaration]
    private(set) var devices: ContiguousArray<SimulatedDevice> = []
    /// The number of each device's first widget, followed by the number of all widgets.
    private(set) var firstWidgets: ContiguousArray<UInt32> = [0]
    private(set) var index: ConcernIndex
    /// The numbers of the devices by their names, if these were passed to `init`; nil if names
    /// follow from numbers.
    private let numbers: [String: Int]?
    /// The declaration of each widget plan, as an index in `declarations`.
    private let kinds: [Int]

    /// Makes all devices of a scenario that has been checked. The seed determines which device has
    /// which widgets; names that are nil are derived from the devices' numbers.
    ///
    /// - Throws: `ScenarioError` if a widget cannot have the configuration that the scenario
    ///   states.
    init(
        _ scenario: FleetScenario,
        declarations: [WidgetDeclaration],
        seed: UInt64,
        names: [String]? = nil,
        now: WallTime
    ) throws(ScenarioError) {
        numbers = names.map { names in
            Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        self.declarations = declarations
        kinds = try Self.kinds(scenario, in: declarations)
        index = ConcernIndex(scenario)
        let rules = DeviceRules(scenario.system)
        devices.reserveCapacity(scenario.devices)
        for number in 0..<scenario.devices {
            var random = SplitMix64(seed: seed, stream: UInt64(number))
            let name = names?[number] ?? "\(Self.namePrefix)\(number)"
            try append(name, of: scenario, rules: rules, using: &random, now: now)
        }
    }

    /// The number of a device; nil if the fleet has none of this name.
    func number(ofDevice name: String) -> Int? {
        if let numbers { return numbers[name] }
        let digits = name.dropFirst(Self.namePrefix.count)
        // `+7` and `07` read as numbers, but are not in any device's name.
        guard name.hasPrefix(Self.namePrefix), let number = Int(digits),
            (0..<count).contains(number), String(number) == digits
        else { return nil }
        return number
    }

    /// The number of all widgets.
    var widgetCount: Int { Int(firstWidgets[count]) }

    /// The number of devices.
    private var count: Int { firstWidgets.count - 1 }

    /// Removes and returns the devices, for the caller to change.
    mutating func takeDevices() -> ContiguousArray<SimulatedDevice> {
        defer { devices = [] }
        return devices
    }

    /// The declaration of each of the scenario's widgets, as an index in `declarations`.
    ///
    /// - Throws: `ScenarioError` if a widget has no declaration.
    static func kinds(
        _ scenario: FleetScenario,
        in declarations: [WidgetDeclaration]
    ) throws(ScenarioError) -> [Int] {
        var kinds: [Int] = []
        for (number, plan) in scenario.widgets.enumerated() {
            guard let kind = declarations.firstIndex(where: { $0.kind == plan.kind }) else {
                let names = declarations.map(\.kind).joined(separator: ", ")
                throw ScenarioError(
                    "widgets[\(number)].kind",
                    problem: "there is no widget \"\(plan.kind)\"; there are \(names)"
                )
            }
            kinds.append(kind)
        }
        return kinds
    }

    private mutating func append(
        _ name: String,
        of scenario: FleetScenario,
        rules: DeviceRules,
        using random: inout SplitMix64,
        now: WallTime
    ) throws(ScenarioError) {
        var widgets: [SimulatedWidget] = []
        assert(firstWidgets.count == devices.count + 1, "a device has no first widget")
        let first = firstWidgets[devices.count]
        for (number, plan) in scenario.widgets.enumerated() {
            // Drawn even for a device without the widget, so that a changed share leaves the values
            // of other widgets as they are.
            let isThere = random.unit() < plan.share
            let configuration = JSONValue.object(plan.configuration)
                .drawn(from: scenario.values, using: &random)
            let days = 0..<ReloadBudget.dayLength.rawValue
            let phase = Milliseconds.milliseconds(Int64.random(in: days, using: &random))
            guard isThere else { continue }
            index.insert(first + UInt32(widgets.count), plan: number, configuration: configuration)
            widgets.append(
                SimulatedWidget(
                    id: plan.id ?? "w\(number)",
                    kind: kinds[number],
                    family: WidgetFamily.named(plan.family),
                    choice: try choice(number, configuration: configuration),
                    page: plan.page,
                    now: now,
                    phase: phase
                )
            )
        }
        devices.append(SimulatedDevice(name: name, rules: rules, widgets: widgets))
        firstWidgets.append(first + UInt32(widgets.count))
    }

    private func choice(
        _ plan: Int,
        configuration: JSONValue
    ) throws(ScenarioError) -> WidgetChoice {
        var parameters: [(name: String, value: ParameterValue)] = []
        for member in configuration.members {
            guard let value = ParameterValue(member.value) else {
                throw ScenarioError(
                    "widgets[\(plan)].configuration.\(member.name)",
                    problem: "it must be text, a number, true or false, or a list of such"
                )
            }
            parameters.append((member.name, value))
        }
        do throws(WidgetChoiceError) {
            return try declarations[kinds[plan]].provider.choose(parameters)
        } catch {
            throw ScenarioError("widgets[\(plan)].configuration", problem: error.description)
        }
    }
}

extension WidgetFamily {
    /// The family of a name; the check of the scenario has ensured that there is one.
    fileprivate static func named(_ name: String) -> WidgetFamily {
        allCases.first { $0.description == name } ?? .systemSmall
    }
}

extension ParameterValue {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let text):
            let number = Double(text) ?? 0
            let integer = Int64(text) ?? Int64(exactly: number)
            self = integer.map { .integer($0) } ?? .number(number)
        case .boolean(let boolean): self = .boolean(boolean)
        case .list(let values):
            let list = values.compactMap { ParameterValue($0) }
            if list.count < values.count { return nil }
            self = .list(list)
        case .null, .object: return nil
        }
    }
}

extension DeviceRules {
    fileprivate convenience init(_ plan: SystemPlan) {
        let budget: BudgetPolicy =
            switch plan.budget {
            case "complication": .complication
            case "unlimited": .unlimited
            default: .widget
            }
        self.init(
            timer: Timer(rawValue: plan.timer) ?? .router,
            budget: budget,
            extensionMemory: plan.extensionMegabytes << 20
        )
    }
}
