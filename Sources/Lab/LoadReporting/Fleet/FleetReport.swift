/// What a fleet of devices did under a scenario, and what it cost: the result of a load test by
/// `reload-lab fleet`.
///
/// The fleet fills it in. The names in its JSON are stable. Every series has one value for each
/// second since `startedAt`.
package struct FleetReport: JSONReport, Equatable, Sendable {
    /// Whether the fleet ran in real time or as fast as it could.
    package enum Mode: String, Codable, Sendable {
        case real
        case accelerated

        /// The resolution of times in accelerated runs, in ms.
        package static var acceleratedTick: Int64 { 10 }
    }

    /// Where the report is from; nil if it is not known.
    package var provenance: Provenance?
    /// The name of the scenario.
    package var scenario: String
    /// The name of the app that the devices belong to.
    package var app: String
    /// The name of the bundle with the widgets' code.
    package var bundle: String
    /// The seed from which all random choices of the run follow.
    package var seed: UInt64
    /// Whether the run was in real or accelerated time.
    package var mode: Mode
    /// Devices of the scenario.
    package var devices = 0
    /// Widgets of all devices.
    package var widgets = 0
    /// Connections that spoke for the devices; the publisher's is not counted.
    package var connections = 0
    /// How many whole seconds were measured.
    package var seconds = 0.0
    /// True if a signal ended the run early; nil if it was played to its end.
    package var wasInterrupted: Bool?
    /// When the measured seconds began, in ms since 1970.
    package var startedAt: Int64 = 0
    /// What the publisher sent, from the first measured second to the end of the run.
    package var pushes = Pushes()
    /// What devices received and did, from the first measured second to the end of the run.
    package var reloads = Reloads()
    /// The thresholds of the scenario, and whether they are kept.
    package var thresholds: [FleetThreshold] = []
    /// What pushes had changed and was not displayed by the end, the most frequent cause first.
    package var notShown: [NotShown] = []
    /// From when a push was due to the RELOAD of each widget that it concerns.
    package var pushToReload = LatencySummary()
    /// From when a push was due until its change is displayed.
    package var pushToRendered = LatencySummary()
    /// The requests that the origin saw in the measured seconds.
    package var origin = Origin()
    /// What became of pushes by APNs; nil if the devices had sessions.
    package var apns: APNs?
    /// What the router used.
    package var router = Router()
    /// What the simulated devices used.
    package var fleet = Fleet()
    /// The course of the run, second by second.
    package var series = FleetSeries()

    /// Makes a report of nothing measured yet; the fleet fills in the counts at the end.
    package init(scenario: String, app: String, bundle: String, seed: UInt64, mode: Mode) {
        self.scenario = scenario
        self.app = app
        self.bundle = bundle
        self.seed = seed
        self.mode = mode
    }
}

/// How the compiler's decoding of a report reads the members that reports of earlier versions lack:
/// it prefers these functions to the general one.
extension KeyedDecodingContainer {
    /// Reads the thresholds; there are none where they are missing.
    func decode(_ type: [FleetThreshold].Type, forKey key: Key) throws -> [FleetThreshold] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    /// Reads the causes; there are none where they are missing.
    func decode(_ type: [NotShown].Type, forKey key: Key) throws -> [NotShown] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

extension FleetReport {
    /// What the publisher sent, and how the router answered.
    package struct Pushes: Codable, Equatable, Sendable {
        /// Pushes that were passed to the publisher's session.
        package var sent = 0
        /// Pushes for which the router sent an ACK.
        package var acknowledged = 0
        /// Pushes that the router refused.
        package var rejected = 0
        /// The mean number of pushes sent per second.
        package var perSecond = 0.0
        /// The pushes sent in the second with most of them.
        package var peakPerSecond = 0

        /// Makes counts of no pushes.
        package init() {}
    }

    /// What the devices received, and what they did with it.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOAD frames.
        package var frames = 0
        /// Widgets named in them.
        package var widgets = 0
        /// Widgets named in RELOAD frames, by the cause as the frames spell it.
        package var byCause: [String: Int] = [:]
        /// The mean number of widgets named per second.
        package var perSecond = 0.0
        /// The widgets named in the second with most of them.
        package var peakPerSecond = 0
        /// Calls of timeline providers for a timeline.
        package var asks = 0
        /// Reloads that arrived while another one of the same widget was running.
        package var coalesced = 0
        /// Reloads after which the widget displayed the same as before.
        package var wasted = 0
        /// Widgets that a push matched and that had not displayed its change by the end; `notShown`
        /// has their causes.
        package var missed = 0
        /// Reloads that a device put off because of its own budget.
        package var heldByDevice = 0
        /// Widget extensions (the processes that run widgets' providers) that the device ended,
        /// because they used too much memory or did not answer in time.
        package var extensionsEnded = 0

        /// Makes counts of no reloads.
        package init() {}
    }

    /// The requests that the origin saw.
    package struct Origin: Codable, Equatable, Sendable {
        /// Requests that arrived at the origin, repeated ones included.
        package var requests = 0
        /// Requests that the origin answered with a resource.
        package var answered = 0
        /// Requests that the origin refused because of overload; at a server that is not the
        /// fleet's own, all that it answered with a status other than 200.
        package var refused = 0
        /// Requests that repeat a refused one.
        package var retries = 0
        /// Fetches of providers that ended without data: the origin was unreachable, answered with
        /// an error, or refused every attempt.
        package var failed = 0
        /// The requests in the second with most of them.
        package var peakPerSecond = 0
        /// The mean number of requests per second.
        package var meanPerSecond = 0.0
        /// Requests that the origin can answer per second; nil if it has no limit.
        package var capacity: Int?
        /// How long an answer of the origin takes when no request waits.
        package var latencyMilliseconds = 0.0
    }

    /// What the router used; nil where it was not measured.
    package struct Router: Codable, Equatable, Sendable {
        /// The router's CPU time in the measured seconds.
        package var cpuSeconds: Double?
        /// The CPU time divided by the number of widgets reloaded; nil also if there were none.
        package var cpuNanosecondsPerReload: Double?
    }

    /// What the simulated devices used.
    package struct Fleet: Codable, Equatable, Sendable {
        /// The memory that the fleet's process gained while the devices started, divided by their
        /// number; nil if the run was accelerated.
        package var bytesPerDevice: Int?
        /// The CPU time of the fleet's process in the measured seconds, its own origin included;
        /// nil if the run was accelerated.
        package var cpuSeconds: Double?
        /// Connections to the router that were lost since the first measured second; they are made
        /// anew.
        package var connectionsLost = 0
        /// Frames of devices that the router refused.
        package var framesRefused = 0
        /// The reason for the first refusal.
        package var firstRefusal: String?
    }
}
