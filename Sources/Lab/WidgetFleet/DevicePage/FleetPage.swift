internal import Basics
internal import HTTPServing
internal import RouterSimulation
internal import Synchronization
internal import WidgetTimelines

/// Shows the screens of a fleet's first devices in a browser, and performs the commands given
/// there.
final class FleetPage {
    /// The most devices that are shown.
    static var devicesLimit: Int { DevicePageServer.devicesLimit }

    private let server: DevicePageServer
    private let commands: PageCommands
    private let devices: Int

    /// Starts the server, whose pages have no devices yet; later they have the first `devices`.
    ///
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    init(_ address: ListeningAddress, devices: Int) throws(HTTPServerError) {
        let commands = PageCommands()
        self.commands = commands
        self.devices = min(devices, Self.devicesLimit)
        server = try DevicePageServer(address) { commands.put($0) }
    }

    /// The address of the page.
    var url: String { server.url }

    /// Closes the connections of browsers, and ends the server's thread.
    func stop() { server.stop() }

    /// Shows what a device has rendered, with a flash for a new timeline.
    func rendered(_ device: Int, rendering: Rendering, in engine: FleetEngine) {
        guard device < devices, case .timeline(let occasion) = rendering.occasion else { return }
        let screen = engine.devices[device]
        // The screen is sent first, because the flash belongs to what it displays.
        server.show(snapshot(screen, device: device, in: engine))
        let reload = PageReload(
            widget: screen.widgets[rendering.widget].id,
            cause: occasion.name,
            changed: rendering.isNew
        )
        server.flash(reload, of: screen.name)
    }

    /// Shows all screens again, because some of their content changes as time passes.
    func refresh(_ engine: FleetEngine) {
        for device in 0..<min(devices, engine.begunCount) {
            server.show(snapshot(engine.devices[device], device: device, in: engine))
        }
    }

    /// Performs the commands given on the pages.
    func perform(_ engine: FleetEngine) {
        for command in commands.take() {
            guard let device = engine.population.number(ofDevice: command.device) else { continue }
            let now = engine.now
            switch command.action {
            case .look(let page): engine.act(device) { $0.look(at: page, now: now, into: &$1) }
            case .setForeground(let isOpen):
                engine.act(device) { $0.setForeground(isOpen, now: now, into: &$1) }
            case .setOnline(let isOnline): engine.setOnline(isOnline, device: device)
            }
            server.show(snapshot(engine.devices[device], device: device, in: engine))
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

/// Carries commands from the server's thread to the fleet's.
///
/// It needs no limit: commands come from clicks, and the fleet takes them every millisecond.
private final class PageCommands: Sendable {
    private let waiting = Mutex<[PageCommand]>([])

    func put(_ command: PageCommand) { waiting.withLock { $0.append(command) } }

    func take() -> [PageCommand] {
        waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
    }
}
