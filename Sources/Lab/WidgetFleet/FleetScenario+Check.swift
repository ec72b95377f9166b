internal import Basics
internal import WidgetTimelines

/// The checks of a scenario: ranges, and names that refer to other parts of it.
extension FleetScenario {
    /// Checks the scenario.
    ///
    /// - Throws: `ScenarioError` for the first problem.
    func check() throws(ScenarioError) {
        try Self.check("devices", value: devices, in: 1...Self.deviceLimit)
        try Self.check("seconds", value: seconds, in: 1...86_400 * 7)
        try Self.check("ramp", value: rampSeconds, in: 0...86_400)
        if widgets.isEmpty { throw ScenarioError("widgets", problem: "there must be at least one") }
        try Self.check("the number of widgets", value: widgets.count, in: 1...Self.widgetLimit)
        try checkValues()
        for (index, widget) in widgets.enumerated() { try check(widget, at: "widgets[\(index)]") }
        for (index, push) in pushes.enumerated() { try check(push, at: "pushes[\(index)]") }
        try checkHabits()
        try checkOrigin()
        try check("system.timer", value: system.timer, among: ["router", "device"])
        try check(
            "system.budget",
            value: system.budget,
            among: ["widget", "complication", "unlimited"]
        )
        try Self.check(
            "system.extensionMegabytes",
            value: system.extensionMegabytes,
            in: 1...100_000
        )
        try Self.check("apns.delay", value: apns.delay, in: 0...86_400_000)
        try Self.check("apns.deadPercent", value: apns.deadPercent, in: 0...100)
    }

    /// The range of an origin's dates, in s after all devices have started: a year before or after.
    private static var dateSeconds: ClosedRange<Double> { -31_536_000...31_536_000 }

    private static func check<Value: Comparable>(
        _ location: String,
        value: Value,
        in range: ClosedRange<Value>
    ) throws(ScenarioError) {
        if range.contains(value) { return }
        throw ScenarioError(
            location,
            problem: "\(value) is not within \(range.lowerBound) and \(range.upperBound)"
        )
    }

    private func check(
        _ location: String,
        value: String,
        among choices: [String]
    ) throws(ScenarioError) {
        if choices.contains(value) { return }
        throw ScenarioError(
            location,
            problem: "\"\(value)\" is none of \(choices.joined(separator: ", "))"
                + Spelling.hint(for: value, among: choices)
        )
    }

    private func checkValues() throws(ScenarioError) {
        for (name, pool) in values.sorted(by: { $0.key < $1.key }) {
            switch pool {
            case .numbered(_, let count):
                try Self.check("values.\(name).count", value: count, in: 1...1 << 30)
            case .texts(let texts):
                if texts.isEmpty {
                    throw ScenarioError("values.\(name)", problem: "the list is empty")
                }
            case .integers: break
            }
        }
    }

    private func check(_ widget: WidgetPlan, at location: String) throws(ScenarioError) {
        try check(
            "\(location).family",
            value: widget.family,
            among: WidgetFamily.allCases.map(\.description)
        )
        try Self.check("\(location).share", value: widget.share, in: 0...1)
        try Self.check("\(location).page", value: widget.page, in: 0...63)
        try checkVariables(.object(widget.configuration), at: "\(location).configuration")
    }

    private func check(_ push: PushPlan, at location: String) throws(ScenarioError) {
        guard case .object = push.payload else {
            throw ScenarioError("\(location).payload", problem: "it must be an object")
        }
        try checkVariables(push.payload, at: "\(location).payload")
        try Self.check("\(location).from", value: push.from, in: 0...86_400 * 7)
        if let to = push.to {
            try Self.check("\(location).to", value: to, in: push.from...86_400 * 7)
        }
        try Self.check("\(location).perSecond", value: push.perSecond, in: 0...10_000_000)
        try Self.check("\(location).count", value: push.count, in: 0...100_000_000)
        if (push.perSecond > 0) == (push.count > 0) {
            throw ScenarioError(
                location,
                problem: "it must have \"perSecond\" or \"count\", and not both"
            )
        }
        try Self.check("\(location).urgentPercent", value: push.urgentPercent, in: 0...100)
        if let expires = push.expires {
            try Self.check("\(location).expires", value: expires, in: 0...86_400)
        }
        for (index, concern) in (push.concerns ?? []).enumerated() {
            let plans = widgets.filter { $0.kind == concern.kind }
            let location = "\(location).concerns[\(index)]"
            if plans.isEmpty {
                throw ScenarioError(
                    location,
                    problem: "no widget has the kind \"\(concern.kind)\""
                        + Spelling.hint(for: concern.kind, among: widgets.map(\.kind))
                )
            }
            guard let by = concern.by else { continue }
            if !plans.allSatisfy({ $0.configuration[by] != nil }) {
                throw ScenarioError(
                    location,
                    problem: "\"\(concern.kind)\" has no parameter \"\(by)\""
                )
            }
        }
    }

    private func checkHabits() throws(ScenarioError) {
        let activities = [
            ("looks", habits.looks), ("foreground", habits.foreground), ("audio", habits.audio),
            ("offline", habits.offline),
        ]
        for (name, activity) in activities {
            try Self.check("habits.\(name).perHour", value: activity.perHour, in: 0...3_600)
            try Self.check("habits.\(name).seconds", value: activity.seconds, in: 1...86_400)
        }
        try Self.check("habits.movesPerHour", value: habits.movesPerHour, in: 0...3_600)
        try Self.check("habits.breaksPerHour", value: habits.breaksPerHour, in: 0...3_600)
    }

    private func checkOrigin() throws(ScenarioError) {
        if let capacity = origin.capacity {
            try Self.check("origin.capacity", value: capacity, in: 1...10_000_000)
        }
        if let queue = origin.queue {
            try Self.check("origin.queue", value: queue, in: 0...10_000_000)
        }
        try Self.check("origin.latency", value: origin.latency, in: 0...60_000)
        for (pool, fields) in origin.pools.sorted(by: { $0.key < $1.key }) {
            for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
                guard case .secondsAfterRamp(let seconds) = field else { continue }
                try Self.check("origin.pools.\(pool).\(name)", value: seconds, in: Self.dateSeconds)
            }
        }
    }

    private func checkVariables(_ value: JSONValue, at location: String) throws(ScenarioError) {
        if let variable = value.variable {
            if values[String(variable)] != nil { return }
            throw ScenarioError(location, problem: "\"values\" has no \"\(variable)\"")
        }
        switch value {
        case .list(let values):
            for (index, value) in values.enumerated() {
                try checkVariables(value, at: "\(location)[\(index)]")
            }
        case .object(let members):
            for member in members {
                try checkVariables(member.value, at: "\(location).\(member.name)")
            }
        case .null, .boolean, .number, .string: break
        }
    }
}
