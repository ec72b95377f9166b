internal import Basics
internal import LibuvLoop
internal import LoadReporting
internal import Platform
internal import ReloadRouterClient
internal import WidgetTimelines

/// The settings of a fleet's run, from the options and the scenario.
struct FleetSettings {
    /// The scenario to play, which has been checked.
    var scenario: FleetScenario
    /// The app's kinds of widgets.
    var declarations: [WidgetDeclaration]
    /// The seed from which all random choices of the run follow.
    var seed: UInt64 = 1
    /// Connections that speak for all devices; 0 gives each device its own.
    var gateways = 4
    /// How the router reaches the devices by APNs; nil if they have sessions.
    var apns: FleetAPNsSettings?
    /// How the connections to the router are protected.
    var security = ClientSecurity.automatic
    /// The token that gateways send to speak for the app; nil for none.
    var gatewayToken: String?
    /// The token that devices with their own connections send; nil for none.
    var deviceToken: String?
    /// The token that the publisher sends; nil for none.
    var publisherToken: String?
    /// How long widget code may take for an answer, in s of real time, before accelerated time
    /// continues without it.
    var patience = 30.0
    /// Returns the router's CPU time so far; nil if it is not known.
    var routerCPU: (() -> Nanoseconds)?
    /// Sends GET requests for paths to the router's admin server, and returns the bodies of the
    /// answers, nil where there is none in time; nil if the server is not known.
    var askRouter: (([String]) -> [[UInt8]?])?
    /// The names of all devices; nil to derive them from their numbers.
    var names: [String]?
    /// The page that shows the screens; nil for none.
    var page: FleetPage?
    /// Whether all devices show the first page of their screen from the start.
    var looksAtFirstPage = false
    /// The clock for waiting in real time.
    var clock: () -> ExactTime = { .now }
}

/// How a router reaches the devices of a run by APNs, and they reach it over HTTP.
struct FleetAPNsSettings {
    /// Where the fleet plays APNs.
    var address: Endpoint
    /// The router's listener for publishers and devices, such as `http://127.0.0.1:7412`.
    var listener: String
}
