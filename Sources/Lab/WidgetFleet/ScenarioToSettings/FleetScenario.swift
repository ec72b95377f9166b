internal import Basics
internal import LoadReporting

/// What a fleet plays: the devices and their widgets, what their owners do, what is pushed, and the
/// capacity of the origin. `deploy/fleet.md` describes all members.
///
///     {"name": "potions", "app": "com.mygame", "apps": "apps.json", "bundle": "game",
///      "devices": 1000, "seconds": 60,
///      "values": {"character": {"prefix": "elf-", "count": 500}, "hp": {"from": 1, "to": 99}},
///      "widgets": [{"kind": "com.mygame.character-detail", "family": "systemSmall",
///                   "configuration": {"character": "${character}"}}],
///      "pushes": [{"perSecond": 20, "payload": {"character": "${character}", "hp": "${hp}"}}],
///      "origin": {"capacity": 500, "latency": 20}}
struct FleetScenario {
    /// The name of the scenario, which heads reports.
    var name: String
    /// The app that all devices belong to.
    var app: String
    /// The app file for the fleet's own router, relative to the scenario; nil if there is none.
    var apps: String?
    /// The name of the bundle with the widgets' code.
    var bundle: String
    var devices: Int
    /// How long to measure, once all devices have started, in s.
    var seconds: Double
    /// The time in which all devices start, one after the other, in s; nil for 5,000 devices per
    /// second.
    var ramp: Double?
    /// The values that variables are drawn from, by the variable's name.
    var values: [String: ValuePool]
    /// The widgets that devices may have.
    var widgets: [WidgetPlan]
    var habits: HabitPlan
    var pushes: [PushPlan]
    var origin: OriginPlan
    var system: SystemPlan
    var apns = APNsPlan()
    /// What the figures of the report may be at most.
    var thresholds: [FleetThreshold] = []

    /// The most widgets of a device.
    private static var widgetLimit: Int { 16 }

    /// The time in which all devices start, in s.
    var rampSeconds: Double { ramp ?? max(1, Double(devices) / 5_000) }
}

/// The values of a variable `${name}`, which are drawn with equal probability.
enum ValuePool {
    /// `PREFIX0`, `PREFIX1` and so on, `count` of them.
    case numbered(prefix: String, count: Int)
    /// One of these texts.
    case texts([String])
    /// A whole number within the range.
    case integers(ClosedRange<Int64>)
}

/// A widget that all devices have, or a share of them.
struct WidgetPlan {
    /// The id of the widget on each device; nil to derive it from the plan's number.
    var id: String?
    /// The kind of the widget, such as `com.mygame.character-detail`.
    var kind: String
    /// The name of its `WidgetFamily`, such as `systemSmall`.
    var family: String
    /// The fraction of devices that have it, from 0 to 1.
    var share: Double
    /// The page of the screen that it is on, from 0.
    var page: Int
    /// The values of its parameters, which may contain variables `${name}`.
    var configuration: [String: JSONValue]
}

/// The activities of the devices' owners: each owner does one thing at a time, at random times.
struct HabitPlan {
    /// An activity: how often it begins per hour, on average, and its mean duration in s; durations
    /// have an exponential distribution.
    struct Activity {
        var perHour = 0.0
        var seconds = 30.0
    }

    /// The owner looks at a page of the screen.
    var looks = Activity()
    /// The app is in the foreground.
    var foreground = Activity()
    /// The app plays audio.
    var audio = Activity()
    /// The device has no network.
    var offline = Activity()
    /// How often the device moves far.
    var movesPerHour = 0.0
    /// How often the connection breaks in the middle of a frame.
    var breaksPerHour = 0.0
}

/// A series of pushes, either at a constant rate for some time or all at once. Times are in s since
/// all devices started.
struct PushPlan {
    /// When it begins.
    var from: Double
    /// When it ends; nil for the end of the run.
    var to: Double?
    /// The rate of the pushes; 0 if all are sent at once.
    var perSecond: Double
    /// The number of pushes that are sent at once, at `from`; 0 if `perSecond` is used.
    var count: Int
    /// The payload, an object that may contain variables `${name}`.
    var payload: JSONValue
    /// The kinds to which the push is narrowed; nil for all.
    var kinds: [String]?
    var urgentPercent: Double
    /// The time from when a push is made until it expires, in s; nil if it does not.
    var expires: Double?
    /// The widgets that a push concerns; nil for those that have a parameter named like a member of
    /// the payload, with the same value. If they have several such parameters, the first in
    /// alphabetical order decides. Of `kinds`, it also concerns all widgets without parameters.
    var concerns: [Concern]?

    /// Widgets of a kind: all, or those whose parameter `by` has the payload's value.
    struct Concern {
        var kind: String
        /// The name of the parameter and of the member of the payload; nil for all widgets.
        var by: String?
    }
}

/// The server that the timeline providers fetch from.
package struct OriginPlan: Sendable {
    /// Requests per second; nil for no limit.
    var capacity: Int?
    /// The most requests that wait there; nil for as many as it answers in a second.
    var queue: Int?
    /// How long an answer takes if the request need not wait, in ms.
    var latency = 20.0
    /// The resources, as `/POOL/VALUE`, and the initial values of their fields.
    package var pools: [String: [String: Field]] = [:]
    /// The address of another server, to use instead of the fleet's own.
    package var url: String?

    /// The value of a field until a push changes it.
    package enum Field: Equatable, Sendable {
        /// A number within the range, drawn for each resource.
        case number(ClosedRange<Int64>)
        /// A date in ms since 1970, the same for all resources: this many seconds after all devices
        /// have started, or before that if negative.
        case secondsAfterRamp(Double)
    }

    /// An origin without a limit and without resources.
    package init() {}
}

/// The rules of the devices' operating system.
struct SystemPlan {
    /// What reloads a widget at the date of its timeline: `router` or `device`.
    var timer = "router"
    /// The budget that the system grants: `widget`, `complication` or `unlimited`.
    var budget = "widget"
    /// The most memory of a widget extension (the process that runs a widget's provider), in MiB.
    var extensionMegabytes = 30
}

/// What becomes of pushes by APNs, in a run in which the devices have no sessions.
struct APNsPlan {
    /// How long a push takes from APNs to its device, in ms, on average; the times have an
    /// exponential distribution.
    var delay = 100.0
    /// How many per cent of the devices have removed the app when the measurement begins: APNs
    /// answers that their tokens are dead.
    var deadPercent = 0.0
}

/// An error in a scenario, and its location there.
struct ScenarioError: Error, Equatable, CustomStringConvertible {
    /// The location and the problem, such as `devices: 0 is not within 1 and 1000000`.
    let description: String

    init(_ location: String, problem: String) {
        description = location.isEmpty ? problem : "\(location): \(problem)"
    }

    /// Checks that a value is within a range.
    static func check<Value: Comparable>(
        _ location: String,
        value: Value,
        in range: ClosedRange<Value>
    ) throws(ScenarioError) {
        if range.contains(value) { return }
        let problem = "\(value) is not within \(range.lowerBound) and \(range.upperBound)"
        throw ScenarioError(location, problem: problem)
    }
}

// MARK: - What refers to other parts

extension FleetScenario {
    /// Checks sizes, which options may have changed, and the names that refer to other parts.
    ///
    /// - Throws: `ScenarioError` for the first problem.
    func check() throws(ScenarioError) {
        try ScenarioError.check("devices", value: devices, in: 1...1_000_000)
        try ScenarioError.check("seconds", value: seconds, in: 1...86_400 * 7)
        if widgets.isEmpty { throw ScenarioError("widgets", problem: "there must be at least one") }
        try ScenarioError.check(
            "the number of widgets",
            value: widgets.count,
            in: 1...Self.widgetLimit
        )
        for (index, widget) in widgets.enumerated() {
            let location = "widgets[\(index)].configuration"
            try checkVariables(.object(widget.configuration), at: location)
        }
        for (index, push) in pushes.enumerated() {
            try checkVariables(push.payload, at: "pushes[\(index)].payload")
            for (number, kind) in (push.kinds ?? []).enumerated() {
                _ = try plans(of: kind, at: "pushes[\(index)].kinds[\(number)]")
            }
            for (number, concern) in (push.concerns ?? []).enumerated() {
                let location = "pushes[\(index)].concerns[\(number)]"
                try check(concern, at: location)
                if push.kinds?.contains(concern.kind) == false {
                    let problem = "\"kinds\" of the push does not name \"\(concern.kind)\""
                    throw ScenarioError(location, problem: problem)
                }
            }
        }
    }

    /// Checks that no payload names kinds of widgets to narrow its push, which has no effect:
    /// `isRead` says whether the app file reads a member of payloads.
    func checkPayloads(isRead: (String) -> Bool) throws(ScenarioError) {
        if isRead("kinds") { return }
        let kinds = widgets.map { JSONValue.string($0.kind) }
        for (index, push) in pushes.enumerated() {
            guard case .list(let names)? = push.payload.member("kinds"),
                names.contains(where: kinds.contains)
            else { continue }
            throw ScenarioError(
                "pushes[\(index)].payload.kinds",
                problem: "it has no effect: a push is narrowed by \"kinds\" beside its payload"
            )
        }
    }

    /// The widgets of a kind.
    ///
    /// - Throws: `ScenarioError` if there are none.
    private func plans(of kind: String, at location: String) throws(ScenarioError) -> [WidgetPlan] {
        let plans = widgets.filter { $0.kind == kind }
        if !plans.isEmpty { return plans }
        throw ScenarioError(
            location,
            problem: "no widget has the kind \"\(kind)\""
                + Spelling.hint(for: kind, among: widgets.map(\.kind))
        )
    }

    private func check(_ concern: PushPlan.Concern, at location: String) throws(ScenarioError) {
        let plans = try plans(of: concern.kind, at: location)
        guard let by = concern.by else { return }
        if !plans.allSatisfy({ $0.configuration[by] != nil }) {
            let problem = "\"\(concern.kind)\" has no parameter \"\(by)\""
            throw ScenarioError(location, problem: problem)
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
