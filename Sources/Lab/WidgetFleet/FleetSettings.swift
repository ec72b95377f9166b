package import Basics
package import LibuvLoop
internal import LoadReporting
package import ReloadRouterClient
package import WidgetTimelines

/// The settings of a fleet's run, from the options and the scenario.
package struct FleetSettings {
    /// The scenario to play.
    package var scenario: FleetScenario
    /// The app's kinds of widgets.
    package var declarations: [WidgetDeclaration]
    /// The seed from which all random choices of the run follow.
    package var seed: UInt64 = 1
    /// Connections that speak for all devices; 0 gives each device its own.
    package var gateways = 4
    /// How the router reaches the devices by APNs; nil if they have sessions.
    package var apns: FleetAPNsSettings?
    /// How the connections to the router are protected.
    package var security = ClientSecurity.automatic
    /// The token that gateways send to speak for the app; nil for none.
    package var gatewayToken: String?
    /// The token that devices with their own connections send; nil for none.
    package var deviceToken: String?
    /// The token that the publisher sends; nil for none.
    package var publisherToken: String?
    /// How long widget code may take for an answer, in s of real time, before accelerated time
    /// continues without it.
    package var patience = 30.0
    /// Returns the router's CPU time so far; nil if it is not known.
    package var routerCPU: (() -> Nanoseconds)?
    /// Sends GET requests for paths to the router's admin server, and returns the bodies of the
    /// answers, nil where there is none in time; nil if the server is not known.
    package var askRouter: (([String]) -> [[UInt8]?])?
    /// The names of all devices; nil to derive them from their numbers.
    package var names: [String]?
    /// The page that shows the screens; nil for none.
    package var page: FleetPage?
    /// Whether all devices show the first page of their screen from the start.
    package var looksAtFirstPage = false
    /// Lets another thread end the run early.
    package var stop = FleetStop()
    /// The clock for waiting in real time.
    package var clock: () -> ExactTime

    /// - Parameters:
    ///   - scenario: the scenario, which has been checked.
    ///   - declarations: the app's kinds of widgets.
    ///   - clock: the clock for waiting in real time.
    package init(
        scenario: FleetScenario,
        declarations: [WidgetDeclaration],
        clock: @escaping () -> ExactTime
    ) {
        self.scenario = scenario
        self.declarations = declarations
        self.clock = clock
    }
}

/// How a router reaches the devices of a run by APNs, and they reach it over HTTP.
package struct FleetAPNsSettings {
    /// Where the fleet plays APNs.
    package var address: Endpoint
    /// The router's listener for publishers and devices, such as `http://127.0.0.1:7412`.
    package var listener: String

    /// Settings of a run in which the devices have no sessions.
    package init(address: Endpoint, listener: String) {
        self.address = address
        self.listener = listener
    }
}

/// The state of a run, for the live view.
package struct FleetProgress: Sendable {
    /// The phase as text: `devices come`, `running`, `ending` or `over`.
    package let phase: String
    /// Seconds since the phase began.
    package let seconds: Double
    /// Devices that have started.
    package let devices: Int
    /// Devices that have a network.
    package let online: Int
    /// Widgets that have had a timeline, out of `widgets`.
    package let live: Int
    /// Widgets of all devices.
    package let widgets: Int
    /// Widgets named in RELOAD frames, in each measured second so far.
    package let reloads: [Int]
    /// Requests that arrived at the origin in each measured second so far.
    package let originRequests: [Int]
    /// Pushes passed to the publisher's session since the first measured second.
    package let pushesSent: Int
    /// Requests that the origin refused in the last whole second.
    package let refused: Int
    /// The time from a push to the rendering of a widget that it changes: the median over the last
    /// second, in ms.
    package let staleness: Double

    init(_ engine: FleetEngine, director: FleetDirector, now: WallTime) {
        phase =
            switch director.phase {
            case .gathering: "devices come"
            case .running: "running"
            case .ending: "ending"
            case .over: "over"
            }
        seconds = (now - director.phaseStart).inSeconds
        devices = engine.begunCount
        online = engine.onlineCount
        live = engine.liveCount
        widgets = engine.population.widgetCount
        reloads = engine.recorder.series.reloads
        originRequests = engine.recorder.series.originRequests
        pushesSent = engine.recorder.pushes.sent
        refused = engine.recorder.series.originRefused.last ?? 0
        staleness = engine.recorder.staleness
    }
}
