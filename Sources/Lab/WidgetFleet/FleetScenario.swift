package import StrictJSON

/// What a fleet plays: an app's widgets on how many devices, what their owners do, what is pushed, and
/// how much the origin bears.
///
///     {"name": "potions", "app": "com.mygame", "apps": "apps.json", "bundle": "game",
///      "devices": 1000, "seconds": 60,
///      "values": {"character": {"prefix": "elf-", "count": 500}, "hp": {"from": 1, "to": 99}},
///      "widgets": [{"kind": "com.mygame.character-detail", "family": "systemSmall",
///                   "configuration": {"character": "${character}"}}],
///      "pushes": [{"perSecond": 20, "payload": {"character": "${character}", "hp": "${hp}"}}],
///      "origin": {"capacity": 500, "latency": 20}}
package struct FleetScenario: Sendable {
    package var name: String
    /// The app for which all devices speak.
    package var app: String
    /// The app file of the fleet's own router, beside the scenario; nil if it has none.
    package var apps: String?
    /// Which of the bundles of widgets that the program has.
    package var bundle: String
    package var devices: Int
    /// How long is measured, once all devices are there.
    package var seconds: Double
    /// In how many seconds all devices come, one after the other; nil for 5,000 a second.
    package var ramp: Double?
    package var values: [String: ValuePool]
    package var widgets: [WidgetPlan]
    package var habits: HabitPlan
    package var pushes: [PushPlan]
    package var origin: OriginPlan
    package var system: SystemPlan

    /// The most devices of one fleet.
    package static var deviceLimit: Int { 1_000_000 }
    /// The most widgets on one device.
    package static var widgetLimit: Int { 16 }

    /// In how many seconds all devices come.
    package var rampSeconds: Double { ramp ?? max(1, Double(devices) / 5_000) }
}

/// Where values of `${name}` are drawn from, each as often as any other.
package enum ValuePool: Sendable {
    /// `PREFIX0` and so on.
    case numbered(prefix: String, count: Int)
    case texts([String])
    case integers(ClosedRange<Int64>)
}

/// A widget that many devices have.
package struct WidgetPlan: Sendable {
    /// Of the widget on each device; nil for one by the plan's number.
    package var id: String?
    package var kind: String
    package var family: String
    /// The share of devices that have it, 0 to 1.
    package var share: Double
    package var page: Int
    package var configuration: [String: JSONValue]
}

/// What the owners of devices do, one thing at a time, at random.
package struct HabitPlan: Sendable {
    /// How often, in an hour, and for how long on average, in seconds.
    package struct Activity: Sendable {
        package var perHour = 0.0
        package var seconds = 30.0
    }

    /// A page of the screen is looked at.
    package var looks = Activity()
    /// The app is open.
    package var foreground = Activity()
    /// The app plays.
    package var audio = Activity()
    /// The device has no connection.
    package var offline = Activity()
    /// The device moves far.
    package var movesPerHour = 0.0
    /// The connection breaks in the middle of a frame.
    package var breaksPerHour = 0.0

    package init() {}
}

/// What is pushed: so many a second from one time to another, or so many at once.
package struct PushPlan: Sendable {
    /// In seconds since all devices are there.
    package var from = 0.0
    /// Nil for the end.
    package var to: Double?
    package var perSecond = 0.0
    /// At once, at `from`.
    package var count = 0
    package var payload: JSONValue
    package var urgentPercent = 0.0
    /// In how many seconds it is void.
    package var expires: Double?
    /// Whom it is for; nil for those whose configuration names a member of the payload.
    package var concerns: [Concern]?

    /// Widgets of a kind: all, or those with the payload's value of a parameter.
    package struct Concern: Sendable {
        package var kind: String
        package var by: String?
    }
}

/// The server that providers ask.
package struct OriginPlan: Sendable {
    /// Requests a second; nil for no limit.
    package var capacity: Int?
    /// Requests that wait for it; nil for as many as it answers in a second.
    package var queue: Int?
    /// In ms, for a request that does not wait.
    package var latency = 20.0
    /// The resources, `/POOL/VALUE`, and what their fields are at first.
    package var pools: [String: [String: Field]] = [:]
    /// Somebody else's server, in place of the fleet's own.
    package var url: String?

    /// What a field of a resource is before a push says otherwise.
    package enum Field: Equatable, Sendable {
        /// One of these for each resource.
        case number(ClosedRange<Int64>)
        /// A date for all, in ms since 1970: so many seconds behind the time at which all devices have
        /// begun, or before it.
        case secondsAfterRamp(Double)
    }

    package init() {}
}

/// What the devices' system does.
package struct SystemPlan: Sendable {
    /// `router` or `device`: who reloads at the date of a timeline.
    package var timer = "router"
    /// `widget`, `complication` or `unlimited`: the budget that the system grants.
    package var budget = "widget"
    /// What an extension may have in memory, in MB.
    package var extensionMegabytes = 30

    package init() {}
}

/// What is wrong with a scenario, and where.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ place: String, _ problem: String) {
        description = place.isEmpty ? problem : "\(place): \(problem)"
    }
}
