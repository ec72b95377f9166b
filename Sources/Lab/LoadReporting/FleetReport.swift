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
    }

    package var scenario: String
    package var app: String
    package var bundle: String
    package var seed: UInt64
    package var mode: Mode
    package var devices = 0
    package var widgets = 0
    package var connections = 0
    /// How long the measured part lasted.
    package var seconds = 0.0
    /// In ms since 1970.
    package var startedAt: Int64 = 0
    package var pushes = Pushes()
    package var reloads = Reloads()
    /// From when a push was due to the RELOAD of each widget that it concerns.
    package var pushToReload = LatencySummary()
    /// From when a push was due until its change is displayed.
    package var pushToRendered = LatencySummary()
    package var origin = Origin()
    package var router = Router()
    package var fleet = Fleet()
    package var series = FleetSeries()

    package init(scenario: String, app: String, bundle: String, seed: UInt64, mode: Mode) {
        self.scenario = scenario
        self.app = app
        self.bundle = bundle
        self.seed = seed
        self.mode = mode
    }
}

extension FleetReport {
    /// What publishers sent.
    package struct Pushes: Codable, Equatable, Sendable {
        package var sent = 0
        package var acknowledged = 0
        package var rejected = 0
        /// The mean.
        package var perSecond = 0.0
        package var peakPerSecond = 0

        package init() {}
    }

    /// What the devices received, and what they did with it.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOAD frames.
        package var frames = 0
        /// Widgets named in them.
        package var widgets = 0
        package var byCause: [String: Int] = [:]
        package var perSecond = 0.0
        package var peakPerSecond = 0
        /// Calls of timeline providers.
        package var asks = 0
        /// Reloads that arrived while another one of the same widget was running.
        package var coalesced = 0
        /// Reloads after which the widget displayed the same as before.
        package var wasted = 0
        /// Changes that were never displayed; the next four counts add up to this.
        package var missed = 0
        /// The device was offline.
        package var missedOffline = 0
        /// The device held the reload back, because its budget was spent.
        package var missedForBudget = 0
        /// The provider had been called, and had not answered.
        package var missedUnderWay = 0
        /// No RELOAD had arrived: the router had put it off, or it was lost.
        package var missedUntold = 0
        /// Reloads that a device put off because of its own budget.
        package var heldByDevice = 0
        /// Providers that were ended because they used too much memory.
        package var extensionsEnded = 0

        package init() {}
    }

    /// The requests that the origin saw.
    package struct Origin: Codable, Equatable, Sendable {
        package var requests = 0
        package var answered = 0
        package var refused = 0
        /// Requests that repeat a refused one.
        package var retries = 0
        /// Fetches of providers that got no answer, even after retries.
        package var failed = 0
        package var peakPerSecond = 0
        package var meanPerSecond = 0.0
        /// Requests that it can answer per second; nil if it has no limit.
        package var capacity: Int?
        /// How long an answer takes when nothing is queued.
        package var latencyMilliseconds = 0.0

        package init() {}
    }

    /// What the router used; nil where it was not measured.
    package struct Router: Codable, Equatable, Sendable {
        package var cpuSeconds: Double?
        package var cpuNanosecondsPerReload: Double?
        /// Widgets whose reload the router was still putting off at the end.
        package var pendingReloads: Int?

        package init() {}
    }

    /// What the simulated devices used.
    package struct Fleet: Codable, Equatable, Sendable {
        package var bytesPerDevice = 0
        package var cpuSeconds = 0.0
        package var connectionsLost = 0
        /// Frames of devices that the router refused.
        package var framesRefused = 0
        /// The reason for the first refusal.
        package var firstRefusal: String?

        package init() {}
    }
}
