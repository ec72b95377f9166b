internal import LoadReporting
package import WidgetTimelines

/// The settings of a fleet's run, from the options and the scenario.
package struct FleetSettings {
    package var scenario: FleetScenario
    /// The app's kinds of widgets.
    package var declarations: [WidgetDeclaration]
    package var seed: UInt64 = 1
    /// Connections that speak for all devices; 0 gives each device its own.
    package var gateways = 4
    package var gatewayToken: String?
    package var deviceToken: String?
    package var publisherToken: String?
    /// How long widget code may take for an answer, in real seconds, before accelerated time
    /// continues without it.
    package var patience = 30.0
    /// Returns the router's CPU time so far, in ns; nil if it is not known.
    package var routerNanoseconds: (() -> Int64)?
    /// The names of all devices; nil to derive them from their numbers.
    package var names: [String]?
    /// The page that shows the screens; nil for none.
    package var page: FleetPage?
    /// True if all devices show the first page of their screen from the start.
    package var looksAtFirstPage = false
    /// Lets another thread end the run early.
    package var stop = FleetStop()
    /// The clock for waiting in real time, in ns.
    package var monotonicNanoseconds: () -> Int64

    package init(
        scenario: FleetScenario,
        declarations: [WidgetDeclaration],
        monotonicNanoseconds: @escaping () -> Int64
    ) {
        self.scenario = scenario
        self.declarations = declarations
        self.monotonicNanoseconds = monotonicNanoseconds
    }
}

/// The state of a run, for the live view.
package struct FleetProgress: Sendable {
    package let phase: String
    /// Seconds of the run; before it, since the first device started.
    package let seconds: Double
    /// Devices that have started.
    package let devices: Int
    package let online: Int
    /// Widgets that have had a timeline, out of `widgets`.
    package let live: Int
    package let widgets: Int
    /// One value for each second so far.
    package let reloads: [Int]
    package let originRequests: [Int]
    package let pushesSent: Int
    /// Requests that the origin refused in the last second.
    package let refused: Int
    /// The median age of what was rendered in the last second, in ms.
    package let staleness: Double

    init(_ engine: FleetEngine, _ director: FleetDirector, now: Int64) {
        phase =
            switch director.phase {
            case .gathering: "devices come"
            case .running: "running"
            case .ending: "ending"
            case .over: "over"
            }
        seconds = Double(now - director.since) / 1_000
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
