/// What a fleet of devices did under a scenario, and what it cost: the result of a load test.
///
/// Whoever measures fills it in; the names in its JSON are stable. Every series has one value for
/// each second since `startedAt`.
package struct FleetReport: JSONReport, Equatable, Sendable {
    /// Whether the fleet ran by the clock or as fast as it could.
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
    /// For how long it was measured.
    package var seconds = 0.0
    /// Milliseconds since 1970.
    package var startedAt: Int64 = 0
    package var pushes = Pushes()
    package var reloads = Reloads()
    package var pushToReload = LatencySummary()
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
    /// What publishers did.
    package struct Pushes: Codable, Equatable, Sendable {
        package var sent = 0
        package var acknowledged = 0
        package var rejected = 0
        /// On average.
        package var perSecond = 0.0
        package var peakPerSecond = 0

        package init() {}
    }

    /// What came to the devices, and what became of it.
    package struct Reloads: Codable, Equatable, Sendable {
        /// RELOADs.
        package var frames = 0
        /// Widgets that they named.
        package var widgets = 0
        package var byCause: [String: Int] = [:]
        package var perSecond = 0.0
        package var peakPerSecond = 0
        /// Calls of providers.
        package var asks = 0
        /// Reloads that came while another one of the widget was under way.
        package var coalesced = 0
        /// Those that showed nothing new.
        package var wasted = 0
        /// Changes that nobody got to see, for whatever reason; the next four add up to it.
        package var missed = 0
        package var missedOffline = 0
        /// Held by the device, which had no budget left.
        package var missedForBudget = 0
        /// Their provider had been asked, and had not answered.
        package var missedUnderWay = 0
        /// No RELOAD had come: the router had put it off, or it was lost.
        package var missedUntold = 0
        /// Reloads that a device put off for its own budget.
        package var heldByDevice = 0
        /// Providers that were ended for the memory that they took.
        package var extensionsEnded = 0

        package init() {}
    }

    /// What the server behind the widgets saw.
    package struct Origin: Codable, Equatable, Sendable {
        package var requests = 0
        package var answered = 0
        package var refused = 0
        /// Requests that repeat a refused one.
        package var retries = 0
        /// Providers that got no answer in the end.
        package var failed = 0
        package var peakPerSecond = 0
        package var meanPerSecond = 0.0
        /// Requests a second that it can answer; nil if there is no such limit.
        package var capacity: Int?
        /// Of an answer while nothing waits.
        package var latencyMilliseconds = 0.0

        package init() {}
    }

    /// What the router took; nil where nobody measured it.
    package struct Router: Codable, Equatable, Sendable {
        package var cpuSeconds: Double?
        package var cpuNanosecondsPerReload: Double?
        /// Widgets whose reload it had put off at the end.
        package var pendingReloads: Int?

        package init() {}
    }

    /// What the simulated devices took.
    package struct Fleet: Codable, Equatable, Sendable {
        package var bytesPerDevice = 0
        package var cpuSeconds = 0.0
        package var connectionsLost = 0
        /// Frames of devices that the router has refused.
        package var framesRefused = 0
        /// Why the first of them was.
        package var firstRefusal: String?

        package init() {}
    }
}
