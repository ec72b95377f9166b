package import Basics

/// What a fleet plays: the devices and their widgets, what their owners do, what is pushed, and the
/// capacity of the origin.
///
///     {"name": "potions", "app": "com.mygame", "apps": "apps.json", "bundle": "game",
///      "devices": 1000, "seconds": 60,
///      "values": {"character": {"prefix": "elf-", "count": 500}, "hp": {"from": 1, "to": 99}},
///      "widgets": [{"kind": "com.mygame.character-detail", "family": "systemSmall",
///                   "configuration": {"character": "${character}"}}],
///      "pushes": [{"perSecond": 20, "payload": {"character": "${character}", "hp": "${hp}"}}],
///      "origin": {"capacity": 500, "latency": 20}}
package struct FleetScenario: Sendable {
    /// The name of the scenario, which heads reports.
    package var name: String
    /// The app that all devices belong to.
    package var app: String
    /// The app file for the fleet's own router, relative to the scenario; nil if there is none.
    package var apps: String?
    /// The name of the bundle with the widgets' code.
    package var bundle: String
    /// The number of devices, from 1 to `deviceLimit`.
    package var devices: Int
    /// How long to measure, once all devices have started, in s.
    package var seconds: Double
    /// The time in which all devices start, one after the other, in s; nil for 5,000 devices per
    /// second.
    package var ramp: Double?
    /// The values that variables are drawn from, by the variable's name.
    package var values: [String: ValuePool]
    /// The widgets that devices may have.
    package var widgets: [WidgetPlan]
    /// What the owners of the devices do.
    package var habits: HabitPlan
    /// The pushes that are sent during the run.
    package var pushes: [PushPlan]
    /// The server that the timeline providers fetch from.
    package var origin: OriginPlan
    /// The rules of the devices' operating system.
    package var system: SystemPlan
    /// What becomes of pushes by APNs.
    package var apns = APNsPlan()

    /// The most devices of a fleet.
    package static var deviceLimit: Int { 1_000_000 }
    /// The most widgets of a device.
    package static var widgetLimit: Int { 16 }

    /// The time in which all devices start, in s.
    package var rampSeconds: Double { ramp ?? max(1, Double(devices) / 5_000) }
}

/// The values of a variable `${name}`, which are drawn with equal probability.
package enum ValuePool: Sendable {
    /// `PREFIX0`, `PREFIX1` and so on, `count` of them.
    case numbered(prefix: String, count: Int)
    /// One of these texts.
    case texts([String])
    /// A whole number within the range.
    case integers(ClosedRange<Int64>)
}

/// A widget that all devices have, or a share of them.
package struct WidgetPlan: Sendable {
    /// The id of the widget on each device; nil to derive it from the plan's number.
    package var id: String?
    /// The kind of the widget, such as `com.mygame.character-detail`.
    package var kind: String
    /// The name of its `WidgetFamily`, such as `systemSmall`.
    package var family: String
    /// The fraction of devices that have it, from 0 to 1.
    package var share: Double
    /// The page of the screen that it is on, from 0.
    package var page: Int
    /// The values of its parameters, which may contain variables `${name}`.
    package var configuration: [String: JSONValue]
}

/// The activities of the devices' owners: each owner does one thing at a time, at random times.
package struct HabitPlan: Sendable {
    /// An activity: how often it occurs per hour, and its mean duration in s.
    package struct Activity: Sendable {
        /// How often the activity begins per hour, on average; 0 for never.
        package var perHour = 0.0
        /// The mean duration, in s; durations have an exponential distribution.
        package var seconds = 30.0
    }

    /// The owner looks at a page of the screen.
    package var looks = Activity()
    /// The app is in the foreground.
    package var foreground = Activity()
    /// The app plays audio.
    package var audio = Activity()
    /// The device has no network.
    package var offline = Activity()
    /// How often the device moves far.
    package var movesPerHour = 0.0
    /// How often the connection breaks in the middle of a frame.
    package var breaksPerHour = 0.0

    /// Habits without activities.
    package init() {}
}

/// A series of pushes, either at a constant rate for some time or all at once. Times are in s since
/// all devices started.
package struct PushPlan: Sendable {
    /// When it begins.
    package var from = 0.0
    /// When it ends; nil for the end of the run.
    package var to: Double?
    /// The rate of the pushes; 0 if all are sent at once.
    package var perSecond = 0.0
    /// The number of pushes that are sent at once, at `from`; 0 if `perSecond` is used.
    package var count = 0
    /// The payload, an object that may contain variables `${name}`.
    package var payload: JSONValue
    /// The percentage of pushes that are urgent.
    package var urgentPercent = 0.0
    /// The time from when a push is made until it expires, in s; nil if it does not.
    package var expires: Double?
    /// The widgets that a push concerns; nil for those that have a parameter named like a member of
    /// the payload, with the same value. If they have several such parameters, the first in
    /// alphabetical order decides.
    package var concerns: [Concern]?

    /// Widgets of a kind: all, or those whose parameter `by` has the payload's value.
    package struct Concern: Sendable {
        /// The kind of the widgets.
        package var kind: String
        /// The name of the parameter and of the member of the payload; nil for all widgets.
        package var by: String?
    }
}

/// The server that the timeline providers fetch from.
package struct OriginPlan: Sendable {
    /// Requests per second; nil for no limit.
    package var capacity: Int?
    /// The most requests that wait there; nil for as many as it answers in a second.
    package var queue: Int?
    /// How long an answer takes if the request need not wait, in ms.
    package var latency = 20.0
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
package struct SystemPlan: Sendable {
    /// What reloads a widget at the date of its timeline: `router` or `device`.
    package var timer = "router"
    /// The budget that the system grants: `widget`, `complication` or `unlimited`.
    package var budget = "widget"
    /// The most memory of a widget extension (the process that runs a widget's provider), in MiB.
    package var extensionMegabytes = 30

    /// The system of the default settings.
    package init() {}
}

/// What becomes of pushes by APNs, in a run in which the devices have no sessions.
package struct APNsPlan: Sendable {
    /// How long a push takes from APNs to its device, in ms, on average; the times have an
    /// exponential distribution.
    package var delay = 100.0
    /// How many per cent of the devices have removed the app when the measurement begins: APNs
    /// answers that their tokens are dead.
    package var deadPercent = 0.0

    /// Pushes of the default settings.
    package init() {}
}

/// An error in a scenario, and its location there.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
    /// The location and the problem, such as `devices: 0 is not within 1 and 1000000`.
    package let description: String

    init(_ location: String, problem: String) {
        description = location.isEmpty ? problem : "\(location): \(problem)"
    }
}
