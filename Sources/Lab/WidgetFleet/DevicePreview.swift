internal import Platform
internal import ReloadRouterClient
package import StrictJSON
package import WidgetTimelines

/// One device whose widgets run here, shown in a browser.
package struct DevicePreview {
    /// A widget on the device's screen.
    package struct Placement {
        package var id: String
        package var kind: String
        package var configuration: [String: JSONValue]

        package init(id: String, kind: String, configuration: [String: JSONValue]) {
            self.id = id
            self.kind = kind
            self.configuration = configuration
        }
    }

    private let settings: FleetSettings
    private let page: FleetPage

    /// - Parameters:
    ///   - device: its name.
    ///   - app: the app for which it speaks.
    ///   - token: the app's device token, if it has any.
    ///   - widgets: on its screen, in their order.
    ///   - declarations: the app's kinds of widgets.
    ///   - origin: what their providers ask.
    ///   - address: of the page.
    /// - Throws: `ScenarioError` if there are no such widgets, `HTTPServerError` if the page cannot
    ///   listen.
    package init(
        device: String,
        app: String,
        token: String?,
        widgets: [Placement],
        declarations: [WidgetDeclaration],
        origin: OriginPlan,
        address: PageAddress
    ) throws {
        var screen = HomeScreen()
        let plans = widgets.map { widget in
            let family =
                declarations.first { $0.kind == widget.kind }?.families.first ?? .systemSmall
            return WidgetPlan(
                id: widget.id,
                kind: widget.kind,
                family: family.description,
                share: 1,
                page: screen.place(family),
                configuration: widget.configuration
            )
        }
        let scenario = FleetScenario(
            name: device,
            app: app,
            apps: nil,
            bundle: app,
            devices: 1,
            // Until somebody ends it.
            seconds: 86_400 * 7,
            ramp: 0,
            values: [:],
            widgets: plans,
            habits: HabitPlan(),
            pushes: [],
            origin: origin,
            system: SystemPlan()
        )
        try scenario.check()
        page = try FleetPage(address.address, devices: 1)
        var settings = FleetSettings(
            scenario: scenario,
            declarations: declarations,
            monotonicNanoseconds: monotonicNanoseconds
        )
        settings.gateways = 0
        settings.deviceToken = token
        settings.names = [device]
        settings.page = page
        settings.looksAtFirstPage = true
        self.settings = settings
    }

    /// For a browser.
    package var url: String { page.url }

    /// Runs the device until it is interrupted.
    ///
    /// - Parameter address: the router's, `HOST:PORT`.
    /// - Throws: `ClientError` or `FleetError` if the router refuses the device, or is not there.
    package func run(router address: String) async throws {
        defer { page.stop() }
        _ = try await SocketFleet.play(settings, address) { _ in }
    }
}

/// The pages of a screen, filled one after the other.
///
///     ┌──┬──┐  a page has four columns and six rows of icons:
///     │s │s │  small 2 × 2, medium 4 × 2, large 4 × 4
///     ├──┴──┤
///     │  m  │
///     └─────┘
struct HomeScreen {
    /// In icons.
    private static var pageArea: Int { 24 }

    private var page = 0
    private var used = 0

    /// Finds a place.
    ///
    /// - Returns: the page that it is on.
    mutating func place(_ family: WidgetFamily) -> Int {
        let area =
            switch family {
            case .systemSmall: 4
            case .systemMedium: 8
            case .systemLarge: 16
            case .systemExtraLarge, .systemExtraLargePortrait: Self.pageArea
            case .accessoryCircular, .accessoryRectangular, .accessoryInline, .accessoryCorner: 0
            }
        if used + area > Self.pageArea {
            page += 1
            used = 0
        }
        used += area
        return page
    }
}
