internal import Basics
internal import HTTPServing
internal import RouterSimulation
internal import WidgetTimelines

/// Shows the screens of a fleet's first devices in a browser, and performs the commands given
/// there.
final class FleetPage {
    /// The most devices that are shown.
    static var devicesLimit: Int { DeviceScreens.devicesLimit }
    /// The most connections of browsers; a new one beyond that displaces another.
    private static var connectionsLimit: Int { 128 }

    private let screens = DeviceScreens()
    private let server: HTTPServer
    private let devices: Int

    /// Starts the server, whose pages have no devices yet; later they have the first `devices`. At
    /// port 0 the system picks one.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    init(_ address: ListeningAddress, devices: Int) throws(HTTPServerError) {
        self.devices = min(devices, Self.devicesLimit)
        var limits = HTTPServerLimits()
        limits.connections = Self.connectionsLimit
        server = try HTTPServer(address, limits: limits, handler: screens)
    }

    /// The address of the page.
    var url: String { "http://\(server.address)/" }

    /// Closes the connections of browsers, and ends the server's thread.
    func stop() {
        screens.close()
        server.stop()
    }

    /// Shows what a device has rendered.
    func rendered(_ device: Int, rendering: Rendering, in engine: FleetEngine) {
        guard device < devices, case .timeline = rendering.occasion else { return }
        show(device, in: engine)
    }

    /// Shows all screens again, because some of their content changes as time passes.
    func refresh(_ engine: FleetEngine) {
        for device in 0..<min(devices, engine.begunCount) { show(device, in: engine) }
        screens.showPreviews { WidgetPreviews(engine, devices: devices).json }
    }

    private func show(_ device: Int, in engine: FleetEngine) {
        guard screens.wants(engine.devices[device].name) else { return }
        screens.show(screen(device, in: engine))
    }

    /// Performs the commands given on the pages.
    func perform(_ engine: FleetEngine) {
        for command in screens.takeCommands() {
            guard let device = engine.population.number(ofDevice: command.device) else { continue }
            let now = engine.now
            switch command.action {
            case .look(let page): engine.act(device) { $0.look(at: page, now: now, into: &$1) }
            case .setForeground(let isOpen):
                engine.act(device) { $0.setForeground(isOpen, now: now, into: &$1) }
            case .setOnline(let isOnline): engine.setOnline(isOnline, device: device)
            }
            screens.show(screen(device, in: engine))
        }
    }

    // MARK: - Screens

    /// The screen of a device. What is null does not exist.
    private func screen(_ device: Int, in engine: FleetEngine) -> DeviceScreen {
        let screen = engine.devices[device]
        let pages = (screen.widgets.map(\.page).max() ?? 0) + 1
        let content = JSONWriter.object { json in
            json.member("device", value: screen.name)
            json.member("app", value: engine.scenario.app)
            json.member("online", value: engine.isOnline(device))
            json.member("foreground", value: screen.isForeground)
            json.member("media", value: screen.media.rawValue)
            // Null while the screen is off.
            json.member("page", value: screen.page)
            json.member("pages", value: pages)
            json.list("widgets", of: screen.widgets.indices) { index, json in
                json.object { json in write(index, of: screen, in: engine, to: &json) }
            }
        }
        return DeviceScreen(
            device: screen.name,
            pages: pages,
            now: engine.now.rawValue,
            content: String(decoding: content, as: UTF8.self)
        )
    }

    private func write(
        _ index: Int,
        of screen: SimulatedDevice,
        in engine: FleetEngine,
        to json: inout JSONWriter
    ) {
        let widget = screen.widgets[index]
        let declaration = engine.population.declarations[widget.kind]
        let budget = widget.budget(screen.rules.budget, at: engine.now)
        let position = widget.player?.position(at: engine.now.date)
        json.member("id", value: widget.id)
        json.member("kind", value: declaration.kind)
        json.member("displayName", value: declaration.displayName)
        json.member("family", value: widget.family.description)
        json.member("page", value: widget.page)
        json.member("isPlaceholder", value: widget.isPlaceholder)
        json.member("isAsking", value: widget.isAsking)
        json.member("isVisible", value: screen.isVisible(index))
        json.member("isControl", value: declaration.isControl)
        ViewDrawing.write(
            { widget.content(at: engine.now, in: $0) },
            in: ViewDrawing.Place(
                family: widget.family,
                isControl: declaration.isControl,
                hasMargins: declaration.hasMargins,
                isPlaceholder: widget.isPlaceholder
            ),
            at: engine.now.date,
            calendar: engine.calendar,
            to: &json
        )
        json.member("nextReload", value: widget.nextReload)
        if let outcome = widget.outcome {
            json.object("lastReload") { json in
                json.member("cause", value: outcome.occasion.name)
                json.member("at", value: outcome.at)
                json.member("changed", value: outcome.isNew)
            }
        }
        json.member("policy", value: widget.player?.policyName)
        json.member("budgetUsed", value: budget?.used)
        json.member("budgetAllowance", value: budget?.allowance)
        json.member("entries", value: position?.count ?? 0)
        json.member("entryIndex", value: position?.index)
    }
}
