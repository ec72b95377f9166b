internal import LoadReporting
package import WidgetTimelines

/// A fleet as it is to be played.
package struct FleetSettings {
    package var scenario: FleetScenario
    /// The app's kinds of widgets.
    package var declarations: [WidgetDeclaration]
    package var seed: UInt64 = 1
    /// Connections that speak for all devices; 0 for one connection each.
    package var gateways = 4
    package var gatewayToken: String?
    package var deviceToken: String?
    package var publisherToken: String?
    /// How long code may take for an answer, in real seconds, before accelerated time goes on without
    /// it.
    package var patience = 30.0
    /// The CPU time of the router so far, in ns; nil if it cannot be asked.
    package var routerNanoseconds: (() -> Int64)?
    /// The names of the devices, one for each; nil for names by number.
    package var names: [String]?
    /// Where screens are shown; nil for nowhere.
    package var page: FleetPage?
    /// Whether somebody looks at the first page of each screen from the beginning.
    package var looksAtFirstPage = false
    /// Ends the run early.
    package var stop = FleetStop()
    /// A clock for waits of real time, in ns.
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

/// How a run stands.
package struct FleetProgress: Sendable {
    package let phase: String
    /// Of the run, in seconds; before it, since the first device came.
    package let seconds: Double
    package let devices: Int
    package let online: Int
    /// Widgets that have had a timeline, of all.
    package let live: Int
    package let widgets: Int
    /// For each second so far.
    package let reloads: [Int]
    package let originRequests: [Int]
    package let pushesSent: Int
    package let refused: Int
    /// At the median of the last second, in ms.
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
