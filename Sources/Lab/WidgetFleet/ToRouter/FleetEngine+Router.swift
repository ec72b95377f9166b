internal import Basics
internal import LoadReporting
internal import ReloadRouterClient
internal import RouterSimulation

/// What the router sends to devices, and the report of a run.
extension FleetEngine {
    /// Processes an event of a session that speaks for devices.
    func received(_ event: DeviceEvent, tickets: inout TimelineTickets) {
        switch event {
        case .reload(let reload):
            guard let device = population.number(ofDevice: reload.device) else { return }
            if !offline.keep(reload, for: device) { received(reload) }
        case .accepted(let ticket, let date):
            guard let (device, widget) = tickets.removeValue(forKey: ticket), let date else {
                return
            }
            scheduled(date, device: device, widget: widget)
        case .rejected(let ticket, let rejection):
            tickets[ticket] = nil
            rejected(rejection)
        case .registrationLost(_, let rejection): rejected(rejection)
        case .detached: break
        }
    }

    func rejected(_ rejection: Rejection) {
        rejectedCount += 1
        firstRejection = firstRejection ?? rejection
    }

    /// True if all devices have started, and each widget has had a timeline.
    var isComplete: Bool { begunCount == devices.count && liveCount >= population.widgetCount }

    /// Passes a RELOAD to its device; does nothing if the fleet has no such device.
    func received(_ event: ReloadEvent) {
        guard let device = population.number(ofDevice: event.device),
            let cause = ReloadCause(rawValue: event.cause)
        else { return }
        recorder.received(cause, widgets: event.widgets.count)
        let time = ports.exactTime
        for id in event.widgets {
            guard let widget = devices[device].index(ofWidget: id) else { continue }
            recorder.reported(widget: number(widget, of: device), cause: cause, at: time)
        }
        let now = now
        act(device) {
            $0.reload(
                seq: event.seq,
                widgets: event.widgets,
                cause: cause,
                values: event.values,
                at: now,
                into: &$1
            )
        }
    }

    /// Passes the date that the router has assigned to a timeline to its device.
    func scheduled(_ date: ScheduledReload, device: Int, widget: Int) {
        inbox?.expects(device)
        act(device) { device, _ in
            device.scheduled(widget: widget, at: WallTime(rawValue: date.reloadAt))
        }
    }

    /// Records a push that is sent now: the widgets that it concerns are stale from now on.
    func pushed(_ push: Int, payload: JSONValue, at time: ExactTime) {
        recorder.pushed()
        population.index.forEach(push: push, payload: payload) { widget in
            recorder.matched(widget: Int(widget), at: time)
            expectPush(for: Int(widget))
        }
    }

    /// The report of the run, without what the driver measures.
    func report(
        _ settings: FleetSettings,
        mode: FleetReport.Mode,
        connections: Int
    ) -> FleetReport {
        var report = FleetReport(
            scenario: scenario.name,
            app: scenario.app,
            bundle: scenario.bundle,
            seed: settings.seed,
            mode: mode
        )
        report.devices = devices.count
        report.widgets = population.widgetCount
        report.connections = connections
        report.startedAt = director.startedAt.rawValue
        report.seconds = Double(recorder.series.pushes.count)
        report.origin.capacity = scenario.origin.capacity
        report.origin.latencyMilliseconds = scenario.origin.latency
        recorder.fill(&report)
        report.fleet.framesRefused = rejectedCount
        report.fleet.firstRefusal = firstRejection?.description
        report.apns = inbox?.summary
        report.apns?.pushToAccepted = recorder.acceptTimes.summary
        if FleetStop.isRequested { report.wasInterrupted = true }
        return report
    }

    /// What the run does now, in one line.
    var progress: String {
        let phase =
            switch director.phase {
            case .gathering: "devices come"
            case .running: "running"
            case .ending: "ending"
            case .over: "over"
            }
        let series = recorder.series
        // What changes most comes first: the line is cut to the terminal's width.
        return
            "\(phase), \(series.reloads.last ?? 0) reloads/s, "
            + "\(series.originRequests.last ?? 0) origin requests/s, \(recorder.pushes.sent) pushes, "
            + "stale for \(FigureText.milliseconds(series.staleP50Milliseconds.last ?? 0)), "
            + "\(begunCount) devices, \(liveCount) of \(population.widgetCount) widgets live"
    }

    /// The devices with a widget that has not displayed a pushed change because no RELOAD came.
    var devicesWithoutReload: [(number: Int, name: String)] {
        devices.indices.filter { device in
            inbox?.isGone(device) != true
                && devices[device].widgets.indices.contains { widget in
                    recorder.isMissing(widget: number(widget, of: device))
                        && obstacle(devices[device].widgets[widget], of: device) == nil
                }
        }.map { ($0, devices[$0].name) }
    }

    /// Counts the widgets that have not displayed a pushed change, by what prevented it: what the
    /// router says of the devices in `devicesWithoutReload`, nil if it was not asked.
    func countMissing(_ fates: [Int: [String: WidgetFate]]?) {
        for device in devices.indices where inbox?.isGone(device) != true {
            for widget in devices[device].widgets.indices
            where recorder.isMissing(widget: number(widget, of: device)) {
                let live = devices[device].widgets[widget]
                if let obstacle = obstacle(live, of: device) {
                    recorder.miss(for: obstacle)
                } else {
                    miss(for: fates?[device].map { $0[live.id] ?? .lost })
                }
            }
        }
    }

    /// Counts a change for which no RELOAD came, by what the router says of the widget; nil if it
    /// has said nothing.
    private func miss(for fate: WidgetFate?) {
        switch fate {
        case .putOff(let reason, let until)?:
            let wait = until.map { max(.zero, $0 - now) }
            recorder.miss(for: .putOff, reason: reason, waiting: wait)
        case .underWay?: recorder.miss(for: .underWay)
        case .settled(let reason)?: recorder.miss(for: .settled, reason: reason)
        case .lost?: recorder.miss(for: .lost)
        case nil: recorder.miss(for: .unknown)
        }
    }

    /// What keeps a widget from displaying a change; nil if no RELOAD has arrived.
    private func obstacle(_ widget: SimulatedWidget, of device: Int) -> NotShown.Cause? {
        if !isOnline(device) || !ports.isConnected(device) { return .deviceOffline }
        if inbox?.hasPush(for: device) == true { return .deviceOffline }
        if widget.isAsking { return .provider }
        return widget.isWaiting ? .deviceBudget : nil
    }
}
