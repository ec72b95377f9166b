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
        screens.show(snapshot(engine.devices[device], device: device, in: engine))
    }

    /// Shows all screens again, because some of their content changes as time passes.
    func refresh(_ engine: FleetEngine) {
        for device in 0..<min(devices, engine.begunCount) {
            screens.show(snapshot(engine.devices[device], device: device, in: engine))
        }
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
            screens.show(snapshot(engine.devices[device], device: device, in: engine))
        }
    }

    // MARK: - Snapshots

    private func snapshot(
        _ screen: SimulatedDevice,
        device: Int,
        in engine: FleetEngine
    ) -> HomeScreenSnapshot {
        var snapshot = HomeScreenSnapshot(
            device: screen.name,
            app: engine.scenario.app,
            now: engine.now.rawValue
        )
        snapshot.online = engine.isOnline(device)
        snapshot.foreground = screen.isForeground
        snapshot.media = screen.media.rawValue
        snapshot.page = screen.page
        snapshot.pages = (screen.widgets.map(\.page).max() ?? 0) + 1
        snapshot.widgets = screen.widgets.indices.map { index in
            widget(screen, at: index, in: engine)
        }
        return snapshot
    }

    private func widget(
        _ screen: SimulatedDevice,
        at index: Int,
        in engine: FleetEngine
    ) -> WidgetSnapshot {
        let widget = screen.widgets[index]
        let declaration = engine.population.declarations[widget.kind]
        var snapshot = WidgetSnapshot(
            id: widget.id,
            kind: declaration.kind,
            displayName: declaration.displayName,
            family: widget.family.description
        )
        snapshot.page = widget.page
        snapshot.isPlaceholder = widget.isPlaceholder
        snapshot.isAsking = widget.isAsking
        snapshot.isVisible = screen.isVisible(index)
        snapshot.nextReload = widget.nextReload?.rawValue
        snapshot.lastReload = widget.outcome.map {
            WidgetSnapshot.Reload(cause: $0.occasion.name, at: $0.at.rawValue, changed: $0.isNew)
        }
        if let budget = widget.budget(screen.rules.budget, at: engine.now) {
            snapshot.budgetUsed = budget.used
            snapshot.budgetAllowance = budget.allowance
        }
        if let content = widget.content(at: engine.now) {
            snapshot.text = content.textLines(at: engine.now.date, calendar: engine.calendar)
            snapshot.background = content.background
        }
        guard let player = widget.player else { return snapshot }
        let position = player.position(at: engine.now.date)
        snapshot.entries = position.count
        snapshot.entryIndex = position.index
        snapshot.policy = player.policyName
        return snapshot
    }
}
