internal import Basics
internal import FrameCodec
internal import ReloadRouterClient
internal import RouterCore

/// What the router sends to devices.
extension Simulation {
    /// Processes a RELOAD. As in WidgetKit, all widgets of the kinds reload.
    mutating func reloaded(_ event: ReloadEvent, on device: UInt32) throws(Violation) {
        let range = fleet.widgetNumbers(device)
        let found = SimulatedReload(event, of: device, model: fleet.devices[Int(device)].model)
        guard let reload = found else {
            throw Violation(
                "protocol",
                text: "is sent a RELOAD that names nothing, or what it does not have",
                device: device
            )
        }
        let charged = try checker.reloaded(reload, widgets: range, at: now)
        record.sums.count(reload.cause)
        record.sums.charged += UInt64(charged)
        if fleet.devices[Int(device)].fault == .loop { fleet.devices[Int(device)].asksAgain = true }
        let ids = range.enumerated().compactMap { position, widget in
            let isPlaced = !fleet.widgets[Int(widget)].isRemoved
            return isPlaced && reload.has(fleet.widgets[Int(widget)].kind) ? "w\(position)" : nil
        }
        try act(device) {
            $0.reload(
                seq: event.seq,
                widgets: ids,
                cause: reload.cause,
                values: event.values,
                at: $1,
                into: &$2
            )
        }
    }

    /// Processes a SCHEDULED, which states when the router will reload a widget.
    mutating func scheduled(_ device: UInt32, body: ByteView) throws(Violation) {
        let index = Int(device)
        guard let message = try? ScheduledReload(body),
            case .string(let id)? = (try? JSONValue(parsing: body))?.member("widget"),
            let position = fleet.devices[index].model.index(ofWidget: id)
        else {
            throw Violation(
                "protocol",
                text: "is sent a SCHEDULED that names nothing",
                device: device
            )
        }
        let date = WallTime(rawValue: message.reloadAt)
        let delay = Milliseconds(rawValue: message.slotDelay)
        fleet.devices[index].model.scheduled(widget: position, at: date)
        let widget = fleet.devices[index].firstWidget + UInt32(position)
        try checker.scheduled(widget, at: date - start)
        record.sums.scheduled += 1
        record.sums.delays += max(.zero, delay)
        record.sums.longestDelay = max(record.sums.longestDelay, delay)
    }
}

/// The checks at the end of a run.
extension Simulation {
    /// Checks everything that must hold at the end, and completes the record.
    ///
    /// - Throws: the first violation of a rule.
    mutating func finish() throws(Violation) {
        try step()
        try checker.balanced(DecisionSums(of: driver.router, isCounted: true))
        try checkSlots()
        try checkTables()
        if let number = publishers.unacknowledged.firstIndex(where: { !$0.isEmpty }) {
            throw Violation(
                "reasons",
                text: "a push of publisher p-\(number) was never acknowledged"
            )
        }
        checker.endPushes()
        try checkOpenReloads()
        for widget in fleet.widgets.indices {
            try checker.judgeCharges(UInt32(widget), views: fleet.widgets[widget].views)
        }
        record.widgets = fleet.widgets.count { !$0.isRemoved }
    }

    /// Checks that the router can explain every open cause for which no RELOAD was sent.
    private func checkOpenReloads() throws(Violation) {
        var openCount = 0
        var unexplained = 0
        for number in 0..<UInt32(fleet.widgets.count) where checker.isReloadOpen(number, at: now) {
            let device = fleet.widgets[Int(number)].device
            let position = number - fleet.devices[Int(device)].firstWidget
            openCount += 1
            let account = ReloadAccount(
                ofWidget: "w\(position)",
                device: fleet.devices[Int(device)].model.name,
                in: driver.router,
                start: start
            )
            if try !checker.settled(number, account: account, at: now) { unexplained += 1 }
        }
        try checker.settled(openCount: openCount, unexplained: unexplained)
    }
}
