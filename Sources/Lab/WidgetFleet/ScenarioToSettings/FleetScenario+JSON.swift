internal import Basics
internal import Foundation
internal import LoadReporting
internal import WidgetTimelines

extension FleetScenario {
    /// Reads and checks a scenario.
    ///
    /// - Throws: `ScenarioError` with the location of the problem, such as `pushes[0].perSecond`.
    init(json: Data) throws(ScenarioError) {
        try self.init(try Self.parse(Array(json)), at: "")
        try check()
    }

    private static func parse(_ json: [UInt8]) throws(ScenarioError) -> JSONValue {
        do throws(JSONError) {
            return try json.withByteView { (bytes) throws(JSONError) in
                try JSONValue(parsing: bytes, depthLimit: RouterLimits.jsonDepth)
            }
        } catch {
            let position = json.withByteView { sourcePosition(of: error.offset, in: $0) }
            let location = "line \(position.line), column \(position.column)"
            throw ScenarioError(location, problem: error.sentence)
        }
    }
}

/// A value that a scenario may have.
private protocol ScenarioValue {
    init(_ value: JSONValue, at location: String) throws(ScenarioError)
}

/// Reads the members of an object; `finish` throws if there are members that were not read, so that
/// a misspelt one is not ignored.
private struct ScenarioObject {
    private let members: [JSONValue.Member]
    private let location: String
    private var known: [String] = []

    init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .object(let members) = value else {
            throw ScenarioError(location, problem: "it must be an object")
        }
        self.members = members
        self.location = location
    }

    private func path(_ name: String) -> String { location.isEmpty ? name : "\(location).\(name)" }

    func problem(_ text: String) -> ScenarioError { ScenarioError(location, problem: text) }

    mutating func required<Value: ScenarioValue>(_ name: String) throws(ScenarioError) -> Value {
        known.append(name)
        guard let member = members.first(where: { $0.name == name }) else {
            throw problem("\"\(name)\" is missing")
        }
        return try Value(member.value, at: path(name))
    }

    mutating func required<Value: ScenarioValue & Comparable>(
        _ name: String,
        in range: ClosedRange<Value>
    ) throws(ScenarioError) -> Value {
        let value: Value = try required(name)
        try ScenarioError.check(path(name), value: value, in: range)
        return value
    }

    mutating func optional<Value: ScenarioValue>(_ name: String) throws(ScenarioError) -> Value? {
        known.append(name)
        let member = members.first { $0.name == name }
        guard let value = member?.value, value != .null else { return nil }
        return try Value(value, at: path(name))
    }

    mutating func optional<Value: ScenarioValue & Comparable>(
        _ name: String,
        in range: ClosedRange<Value>
    ) throws(ScenarioError) -> Value? {
        guard let value: Value = try optional(name) else { return nil }
        try ScenarioError.check(path(name), value: value, in: range)
        return value
    }

    mutating func optional(_ name: String, among choices: [String]) throws(ScenarioError) -> String?
    {
        guard let value: String = try optional(name) else { return nil }
        if choices.contains(value) { return value }
        throw ScenarioError(
            path(name),
            problem: "\"\(value)\" is none of \(choices.joined(separator: ", "))"
                + Spelling.hint(for: value, among: choices)
        )
    }

    /// All members, whose names must be among these.
    mutating func members(among names: [String]) throws(ScenarioError) -> [JSONValue.Member] {
        known += names
        try finish()
        return members
    }

    /// - Throws: `ScenarioError` if there are other members than those that were read.
    func finish() throws(ScenarioError) {
        let unknown = members.map(\.name).filter { !known.contains($0) }.min()
        guard let unknown else { return }
        throw problem(
            "there is no member \"\(unknown)\"; there are \(known.sorted().joined(separator: ", "))"
                + Spelling.hint(for: unknown, among: known.sorted())
        )
    }
}

// MARK: - Plain values

extension JSONValue: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) { self = value }

    /// The name in `${name}`, if the value is a string of that form.
    var variable: Substring? {
        guard case .string(let text) = self, text.hasPrefix("${"), text.hasSuffix("}") else {
            return nil
        }
        return text.dropFirst(2).dropLast()
    }
}

extension String: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .string(let text) = value else {
            throw ScenarioError(location, problem: "it must be text")
        }
        self = text
    }
}

extension Double: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .number(let text) = value, let number = Double(text), number.isFinite else {
            throw ScenarioError(location, problem: "it must be a number")
        }
        self = number
    }
}

extension Int64: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .number(let text) = value,
            let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) })
        else { throw ScenarioError(location, problem: "it must be a whole number") }
        self = number
    }
}

extension Int: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        self = Int(try Int64(value, at: location))
    }
}

extension Array: ScenarioValue where Element: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .list(let values) = value else {
            throw ScenarioError(location, problem: "it must be a list")
        }
        self = []
        for (index, value) in values.enumerated() {
            append(try Element(value, at: "\(location)[\(index)]"))
        }
    }
}

extension Dictionary: ScenarioValue where Key == String, Value: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        guard case .object(let members) = value else {
            throw ScenarioError(location, problem: "it must be an object")
        }
        self = [:]
        for member in members {
            self[member.name] = try Value(member.value, at: "\(location).\(member.name)")
        }
    }
}

// MARK: - Plans

/// The longest time that a scenario may name, in s: a week.
private let longest = 86_400.0 * 7

extension FleetScenario: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        name = try object.required("name")
        app = try object.required("app")
        apps = try object.optional("apps")
        bundle = try object.required("bundle")
        devices = try object.required("devices")
        seconds = try object.required("seconds")
        ramp = try object.optional("ramp", in: 0...86_400)
        values = try object.optional("values") ?? [:]
        widgets = try object.required("widgets")
        habits = try object.optional("habits") ?? HabitPlan()
        pushes = try object.optional("pushes") ?? []
        origin = try object.optional("origin") ?? OriginPlan()
        system = try object.optional("system") ?? SystemPlan()
        apns = try object.optional("apns") ?? APNsPlan()
        thresholds = (try object.optional("thresholds") as ThresholdPlan?)?.thresholds ?? []
        try object.finish()
    }
}

extension ValuePool: ScenarioValue {
    /// Reads `["a","b"]`, `{"prefix":"elf-","count":500}` or `{"from":1,"to":99}`.
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        if case .list = value {
            let texts = try [String](value, at: location)
            if texts.isEmpty { throw ScenarioError(location, problem: "the list is empty") }
            self = .texts(texts)
            return
        }
        var object = try ScenarioObject(value, at: location)
        if let prefix: String = try object.optional("prefix") {
            let count = try object.required("count", in: 1...1 << 30)
            self = .numbered(prefix: prefix, count: count)
        } else {
            let from: Int64 = try object.required("from")
            let to: Int64 = try object.required("to")
            if from > to { throw object.problem("\"from\" is \(from), above \"to\", \(to)") }
            self = .integers(from...to)
        }
        try object.finish()
    }
}

extension WidgetPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        id = try object.optional("id")
        kind = try object.required("kind")
        let families = WidgetFamily.allCases.map(\.description)
        family = try object.optional("family", among: families) ?? "systemSmall"
        share = try object.optional("share", in: 0...1) ?? 1
        page = try object.optional("page", in: 0...63) ?? 0
        configuration = try object.optional("configuration") ?? [:]
        try object.finish()
    }
}

extension HabitPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        looks = try object.optional("looks") ?? Activity()
        foreground = try object.optional("foreground") ?? Activity()
        audio = try object.optional("audio") ?? Activity()
        offline = try object.optional("offline") ?? Activity()
        movesPerHour = try object.optional("movesPerHour", in: 0...3_600) ?? 0
        breaksPerHour = try object.optional("breaksPerHour", in: 0...3_600) ?? 0
        try object.finish()
    }
}

extension HabitPlan.Activity: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        perHour = try object.required("perHour", in: 0...3_600)
        seconds = try object.optional("seconds", in: 1...86_400) ?? 30
        try object.finish()
    }
}

extension PushPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        from = try object.optional("from", in: 0...longest) ?? 0
        to = try object.optional("to", in: from...longest)
        perSecond = try object.optional("perSecond", in: 0...10_000_000) ?? 0
        count = try object.optional("count", in: 0...100_000_000) ?? 0
        payload = try object.required("payload")
        kinds = try object.optional("kinds")
        urgentPercent = try object.optional("urgentPercent", in: 0...100) ?? 0
        expires = try object.optional("expires", in: 0...86_400)
        concerns = try object.optional("concerns")
        try object.finish()
        guard case .object = payload else {
            throw ScenarioError("\(location).payload", problem: "it must be an object")
        }
        if (perSecond > 0) == (count > 0) {
            throw object.problem("it must have \"perSecond\" or \"count\", and not both")
        }
        if to != nil && count > 0 {
            throw object.problem("\"to\" has no effect beside \"count\": all are sent at once")
        }
    }
}

extension PushPlan.Concern: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        kind = try object.required("kind")
        by = try object.optional("by")
        try object.finish()
    }
}

extension OriginPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        capacity = try object.optional("capacity", in: 1...10_000_000)
        queue = try object.optional("queue", in: 0...10_000_000)
        latency = try object.optional("latency", in: 0...60_000) ?? 20
        url = try object.optional("url")
        pools = try object.optional("pools") ?? [:]
        try object.finish()
        for (pool, fields) in pools {
            // A resource has its own name and its revision beside the fields.
            let isTaken = fields[pool] != nil || fields["revision"] != nil
            if pool.isEmpty || pool.contains("/") || isTaken {
                throw ScenarioError(
                    "\(location).pools",
                    problem: "\"\(pool)\" is no part of a path, or a field has its name or revision"
                )
            }
        }
    }
}

extension OriginPlan.Field: ScenarioValue {
    /// Reads `[LEAST,MOST]` or `{"secondsAfterRamp":60}`, up to a year before or after.
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        if case .list = value {
            let range = try [Int64](value, at: location)
            guard range.count == 2, range[0] <= range[1] else {
                throw ScenarioError(location, problem: "it must be [LEAST, MOST]")
            }
            self = .number(range[0]...range[1])
            return
        }
        var object = try ScenarioObject(value, at: location)
        let range = -31_536_000.0...31_536_000
        self = .secondsAfterRamp(try object.required("secondsAfterRamp", in: range))
        try object.finish()
    }
}

extension SystemPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        timer = try object.optional("timer", among: ["router", "device"]) ?? "router"
        let budgets = ["widget", "complication", "unlimited"]
        budget = try object.optional("budget", among: budgets) ?? "widget"
        extensionMegabytes = try object.optional("extensionMegabytes", in: 1...100_000) ?? 30
        try object.finish()
    }
}

extension APNsPlan: ScenarioValue {
    fileprivate init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        var object = try ScenarioObject(value, at: location)
        delay = try object.optional("delay", in: 0...86_400_000) ?? 100
        deadPercent = try object.optional("deadPercent", in: 0...100) ?? 0
        try object.finish()
    }
}

/// The thresholds as a scenario has them: `{"push to screen":{"p99":"5 s"},"not shown":{"lost":0}}`.
private struct ThresholdPlan: ScenarioValue {
    private(set) var thresholds: [FleetThreshold] = []

    init(_ value: JSONValue, at location: String) throws(ScenarioError) {
        let parts = FleetThreshold.figures
        var object = try ScenarioObject(value, at: location)
        for part in try object.members(among: parts.map(\.part)) {
            let names = parts.first { $0.part == part.name }?.figures ?? []
            var object = try ScenarioObject(part.value, at: "\(location).\(part.name)")
            for figure in try object.members(among: names) {
                let path = "\(location).\(part.name).\(figure.name)"
                let limit = try limit(of: part.name, from: figure.value, at: path)
                thresholds.append(
                    FleetThreshold(part: part.name, figure: figure.name, limit: limit)
                )
            }
        }
    }

    private func limit(
        of part: String,
        from value: JSONValue,
        at location: String
    ) throws(ScenarioError) -> Double {
        if !FleetThreshold.isLatency(part) { return try Double(value, at: location) }
        if case .string(let text) = value, let limit = LatencySummary.limit(text) { return limit }
        throw ScenarioError(location, problem: "it must be a time such as \"500 ms\" or \"5 s\"")
    }
}
