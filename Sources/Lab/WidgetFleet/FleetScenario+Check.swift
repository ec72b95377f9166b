internal import StrictJSON
internal import WidgetTimelines

/// The rules for scenarios.
extension FleetScenario {
    /// Checks the scenario.
    ///
    /// - Throws: `ScenarioError` for the first problem.
    func check() throws(ScenarioError) {
        try Self.check("devices", devices, 1...Self.deviceLimit)
        try Self.check("seconds", seconds, 1...86_400 * 7)
        try Self.check("ramp", rampSeconds, 0...86_400)
        if widgets.isEmpty { throw ScenarioError("widgets", "there must be at least one") }
        try Self.check("the number of widgets", widgets.count, 1...Self.widgetLimit)
        try checkValues()
        for (index, widget) in widgets.enumerated() { try check(widget, "widgets[\(index)]") }
        for (index, push) in pushes.enumerated() { try check(push, "pushes[\(index)]") }
        try checkHabits()
        try checkOrigin()
        try check("system.timer", system.timer, ["router", "device"])
        try check("system.budget", system.budget, ["widget", "complication", "unlimited"])
        try Self.check("system.extensionMegabytes", system.extensionMegabytes, 1...100_000)
    }

    /// Most seconds between a run and a date of the origin: a year.
    private static var dateSeconds: ClosedRange<Double> { -31_536_000...31_536_000 }

    private static func check<Value: Comparable>(
        _ place: String,
        _ value: Value,
        _ range: ClosedRange<Value>
    ) throws(ScenarioError) {
        if range.contains(value) { return }
        throw ScenarioError(
            place,
            "\(value) is not within \(range.lowerBound) and \(range.upperBound)"
        )
    }

    private func check(
        _ place: String,
        _ value: String,
        _ choices: [String]
    ) throws(ScenarioError) {
        if choices.contains(value) { return }
        throw ScenarioError(
            place,
            "\"\(value)\" is none of \(choices.joined(separator: ", "))"
        )
    }

    private func checkValues() throws(ScenarioError) {
        for (name, pool) in values.sorted(by: { $0.key < $1.key }) {
            switch pool {
            case .numbered(_, let count): try Self.check("values.\(name).count", count, 1...1 << 30)
            case .texts(let texts):
                if texts.isEmpty { throw ScenarioError("values.\(name)", "the list is empty") }
            case .integers: break
            }
        }
    }

    private func check(_ widget: WidgetPlan, _ place: String) throws(ScenarioError) {
        try check(
            "\(place).family",
            widget.family,
            WidgetFamily.allCases.map(\.description)
        )
        try Self.check("\(place).share", widget.share, 0...1)
        try Self.check("\(place).page", widget.page, 0...63)
        try checkVariables(.object(widget.configuration), "\(place).configuration")
    }

    private func check(_ push: PushPlan, _ place: String) throws(ScenarioError) {
        guard case .object = push.payload else {
            throw ScenarioError("\(place).payload", "it must be an object")
        }
        try checkVariables(push.payload, "\(place).payload")
        try Self.check("\(place).from", push.from, 0...86_400 * 7)
        if let to = push.to { try Self.check("\(place).to", to, push.from...86_400 * 7) }
        try Self.check("\(place).perSecond", push.perSecond, 0...10_000_000)
        try Self.check("\(place).count", push.count, 0...100_000_000)
        if (push.perSecond > 0) == (push.count > 0) {
            throw ScenarioError(place, "it must have \"perSecond\" or \"count\", and not both")
        }
        try Self.check("\(place).urgentPercent", push.urgentPercent, 0...100)
        if let expires = push.expires { try Self.check("\(place).expires", expires, 0...86_400) }
        for (index, concern) in (push.concerns ?? []).enumerated() {
            let plans = widgets.filter { $0.kind == concern.kind }
            let place = "\(place).concerns[\(index)]"
            if plans.isEmpty {
                throw ScenarioError(place, "no widget has the kind \"\(concern.kind)\"")
            }
            guard let by = concern.by else { continue }
            if !plans.allSatisfy({ $0.configuration[by] != nil }) {
                throw ScenarioError(place, "\"\(concern.kind)\" has no parameter \"\(by)\"")
            }
        }
    }

    private func checkHabits() throws(ScenarioError) {
        let activities = [
            ("looks", habits.looks), ("foreground", habits.foreground), ("audio", habits.audio),
            ("offline", habits.offline),
        ]
        for (name, activity) in activities {
            try Self.check("habits.\(name).perHour", activity.perHour, 0...3_600)
            try Self.check("habits.\(name).seconds", activity.seconds, 1...86_400)
        }
        try Self.check("habits.movesPerHour", habits.movesPerHour, 0...3_600)
        try Self.check("habits.breaksPerHour", habits.breaksPerHour, 0...3_600)
    }

    private func checkOrigin() throws(ScenarioError) {
        if let capacity = origin.capacity {
            try Self.check("origin.capacity", capacity, 1...10_000_000)
        }
        if let queue = origin.queue { try Self.check("origin.queue", queue, 0...10_000_000) }
        try Self.check("origin.latency", origin.latency, 0...60_000)
        for (pool, fields) in origin.pools.sorted(by: { $0.key < $1.key }) {
            for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
                guard case .secondsAfterRamp(let seconds) = field else { continue }
                try Self.check("origin.pools.\(pool).\(name)", seconds, Self.dateSeconds)
            }
        }
    }

    private func checkVariables(_ value: JSONValue, _ place: String) throws(ScenarioError) {
        if let variable = value.variable {
            if values[String(variable)] != nil { return }
            throw ScenarioError(place, "\"values\" has no \"\(variable)\"")
        }
        switch value {
        case .list(let values):
            for (index, value) in values.enumerated() {
                try checkVariables(value, "\(place)[\(index)]")
            }
        case .object(let members):
            for member in members {
                try checkVariables(member.value, "\(place).\(member.name)")
            }
        case .null, .boolean, .number, .string: break
        }
    }
}
