internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON
internal import Times

/// How devices answer RELOADs. As in WidgetKit, all widgets of the kinds reload, each as soon as
/// its provider has built a timeline.
extension Simulation {
    /// Processes the RELOAD that was read into `reload`.
    mutating func reloaded() throws(Violation) {
        let device = reload.device
        let range = fleet.widgetNumbers(device)
        let charged = try checker.reloaded(reload, widgets: range, at: now)
        record.sums.count(reload.cause)
        record.sums.charged += UInt64(charged)
        let seq = UInt32(truncatingIfNeeded: reload.seq)
        if fleet.devices[Int(device)].fault == .loop {
            fleet.devices[Int(device)].set(SimulatedDevice.asks, to: true)
        }
        for widget in range {
            let index = Int(widget)
            guard reload.has(fleet.widgets[index].kind) else { continue }
            let hasValues = reload.values & 1 << UInt8(widget - range.lowerBound) != 0
            fleet.widgets[index].reload = seq
            fleet.widgets[index].set(SimulatedWidget.hasValues, to: hasValues)
            build(widget)
        }
    }

    /// Lets WidgetKit ask the provider for a timeline, unless it is waiting for one already.
    mutating func build(_ widget: UInt32) {
        let index = Int(widget)
        let old = fleet.widgets[index]
        if !old.has(SimulatedWidget.placed) || old.has(SimulatedWidget.building) { return }
        fleet.widgets[index].set(SimulatedWidget.building, to: true)
        let delay = Milliseconds(100 + SplitMix64.scaled(hash(widget), below: 2_900))
        schedule(.built, for: widget, after: delay)
    }

    /// Returns a hash that differs from one timeline of a widget to the next.
    private func hash(_ widget: UInt32) -> UInt64 {
        let builds = UInt64(fleet.widgets[Int(widget)].builds)
        return SplitMix64.mixed(
            SplitMix64.mixed(options.seed &+ UInt64(widget)) &+ builds
        )
    }

    /// Completes a timeline: the provider has called the origin if necessary, and the device sends
    /// the TIMELINE.
    mutating func built(_ widget: UInt32) throws(Violation) {
        let index = Int(widget)
        let old = fleet.widgets[index]
        assert(old.has(SimulatedWidget.building), "nothing has asked for the timeline")
        let device = fleet.devices[Int(old.device)]
        if device.has(SimulatedDevice.dirty) && device.has(SimulatedDevice.online) {
            // The router must know the widget first.
            return schedule(.built, for: widget, after: .milliseconds(200))
        }
        fleet.widgets[index].set(SimulatedWidget.building, to: false)
        guard device.has(SimulatedDevice.online), old.has(SimulatedWidget.placed) else { return }
        fleet.widgets[index].set(SimulatedWidget.new, to: false)
        fleet.widgets[index].builds &+= 1
        fleet.widgets[index].reload = 0
        callOrigin(old)
        try settle()
        frames.clear()
        var count: UInt64 = 1
        writeTimeline(
            widget,
            of: old,
            timeline: SimulatedTimeline.make(
                old.kind,
                at: wall,
                fault: device.fault,
                hash: hash(widget)
            )
        )
        if device.has(SimulatedDevice.asks) {
            fleet.devices[Int(old.device)].set(SimulatedDevice.asks, to: false)
            writeRequest(old.device, kind: nil)
            count += 1
        }
        try send(old.device, frames: count)
    }

    private mutating func callOrigin(_ widget: SimulatedWidget) {
        record.sums.timelines += 1
        if widget.has(SimulatedWidget.hasValues) {
            record.sums.inlined += 1
        } else if widget.kind.callsOrigin {
            let second = (now - SimulatedTime.warmUp).wholeSeconds
            if now >= SimulatedTime.warmUp { record.requests[Int(second)] += 1 }
        }
    }

    private mutating func writeTimeline(
        _ number: UInt32,
        of widget: SimulatedWidget,
        timeline: SimulatedTimeline
    ) {
        frames.begin()
        frames.append("{\"device\":\"")
        frames.append(device: widget.device)
        frames.append("\",\"widget\":\"w")
        frames.append(Int64(number - fleet.devices[Int(widget.device)].firstWidget))
        if widget.reload != 0 {
            frames.append("\",\"reload\":")
            frames.append(Int64(widget.reload))
            frames.append(",\"entries\":[")
        } else {
            frames.append("\",\"entries\":[")
        }
        for entry in 0..<timeline.entries {
            if entry > 0 { frames.append(",") }
            frames.append((wall + timeline.step * entry).rawValue)
        }
        switch timeline.policy {
        case .never: frames.append("],\"policy\":\"never\"}")
        case .atEnd: frames.append("],\"policy\":\"atEnd\"}")
        case .after(let date):
            frames.append("],\"policy\":{\"after\":")
            frames.append(date.rawValue)
            frames.append("}}")
        }
        frames.end(.timeline, seq: nextSeq(widget.device))
        checker.showed(
            number,
            due: timeline.date(wall).map { $0 - start },
            isEnd: timeline.policy == .atEnd,
            reload: widget.reload,
            at: now
        )
    }

    // MARK: - SCHEDULED

    /// Processes a SCHEDULED, which states when the router will reload a widget.
    mutating func scheduled(_ device: UInt32, body: [UInt8]) throws(Violation) {
        var widget: UInt32?
        var date: WallTime?
        var delay: Milliseconds?
        body.withByteView { bytes in
            var reader = JSONReader(bytes)
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "widget" {
                    widget = trailingNumber(reader.readString().raw)
                } else if name == "reloadAt" {
                    date = reader.readInteger().map { WallTime(rawValue: $0) }
                } else if name == "slotDelay" {
                    delay = reader.readInteger().map { .milliseconds($0) }
                } else {
                    reader.skipValue()
                }
            }
        }
        guard let widget, let date, let delay,
            widget < fleet.devices[Int(device)].widgetCount
        else {
            throw Violation(
                "protocol",
                text: "is sent a SCHEDULED that names nothing",
                device: device
            )
        }
        let number = fleet.devices[Int(device)].firstWidget + widget
        try checker.scheduled(number, at: date - start)
        record.sums.scheduled += 1
        record.sums.delays += max(.zero, delay)
        record.sums.longestDelay = max(record.sums.longestDelay, delay)
    }

    // MARK: - Budgets

    /// Returns how often widgets were charged in 24 h, grouped by how often they were looked at.
    ///
    /// Both numbers are for the whole run, including the hour before the record, because an
    /// allowance is for any 24 h. A run that is shorter than a day shows only its part.
    func budgetUse() -> [BudgetUse] {
        let policy = World.policy(.character, mode: mode).budget
        let complication = World.policy(.health, mode: mode).budget
        let often = policy.oftenViews
        var uses = [
            BudgetUse("not looked at", least: policy.seldom, allowance: policy.seldom),
            BudgetUse(
                "looked at less than \(often) times a day",
                least: policy.daily,
                allowance: policy.often
            ),
            BudgetUse(
                "looked at \(often) times a day or more",
                least: policy.often,
                allowance: policy.often
            ),
            BudgetUse(
                "kind health, a complication",
                least: complication.daily,
                allowance: complication.often
            ),
        ]
        let days = max(SimulatedTime.day, end)
        for index in fleet.widgets.indices {
            let widget = fleet.widgets[index]
            if !widget.has(SimulatedWidget.placed) { continue }
            let perDay = Int(SimulatedTime.day * Int64(widget.views) / days as Int64)
            let position = widget.views == 0 ? 0 : perDay < often ? 1 : 2
            let charges = Int(checker.widgets[index].most)
            uses[widget.kind == .health ? 3 : position].add(charges: charges)
        }
        return uses
    }
}
