package import ArgumentParser
package import Basics
internal import Foundation
internal import HTTPServing
internal import LibuvLoop
internal import Platform
package import ReloadRouterClient
package import WidgetTimelines

/// Plays one device whose widgets run in this process, and shows its screen in a browser:
/// `reload-lab screen`.
package struct DevicePreview {
    /// A widget on the device's screen: its id, unique on the device, its kind, and the values that
    /// the person has chosen, by the names of the parameters.
    package typealias Placement = (id: String, kind: String, configuration: [String: JSONValue])

    private let settings: FleetSettings
    private let page: FleetPage

    /// Prepares a device with the widgets on its screen, in order; they fetch from the origin.
    ///
    /// - Throws: `ScenarioError` if there are no such widgets, `HTTPServerError` if the page cannot
    ///   listen.
    package init(
        device: String,
        app: String,
        token: String?,
        security: ClientSecurity,
        widgets: [Placement],
        declarations: [WidgetDeclaration],
        origin: OriginPlan,
        address: PageAddress
    ) throws {
        let plans = widgets.map { widget in
            let family =
                declarations.first { $0.kind == widget.kind }?.families.first ?? .systemSmall
            return WidgetPlan(
                id: widget.id,
                kind: widget.kind,
                family: family.description,
                share: 1,
                page: 0,
                configuration: widget.configuration
            )
        }
        let scenario = FleetScenario(
            name: device,
            app: app,
            apps: nil,
            bundle: app,
            devices: 1,
            // A week, which is practically without end.
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
        var settings = FleetSettings(scenario: scenario, declarations: declarations)
        settings.gateways = 0
        settings.deviceToken = token
        settings.security = security
        settings.names = [device]
        settings.page = page
        settings.looksAtFirstPage = true
        self.settings = settings
    }

    /// The address of the page.
    package var url: String { page.url }

    /// Runs the device, at the router's address `HOST:PORT`, until the user interrupts it.
    ///
    /// - Throws: `ClientError` or `FleetError` if the router refuses the device or cannot be
    ///   reached.
    package func run(router address: String) async throws {
        defer { page.stop() }
        _ = try await SocketFleet.play(settings, router: address) { _ in }
    }
}

/// The address of a page, which must be one of this machine.
package struct PageAddress {
    let address: ListeningAddress

    /// Reads `HOST:PORT`; nil if it is not a loopback address.
    package init?(_ text: String) {
        guard let parts = Endpoint(text),
            let address = ListeningAddress(host: parts.host, port: parts.port),
            address.isLoopback
        else { return nil }
        self.address = address
    }

    /// The error for a text that is not such an address.
    package static func problem(_ text: String) -> ValidationError {
        ValidationError(
            "--page is \(text); it must be an address of this machine, such as 127.0.0.1:7413"
        )
    }
}

/// Opens pages in the user's browser.
package enum Browser {
    /// Opens a page if there is a desktop; does nothing elsewhere.
    package static func open(_ url: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Errors are ignored: the address is printed as well.
        try? process.run()
    }
}
