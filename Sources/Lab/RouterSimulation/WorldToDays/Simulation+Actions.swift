internal import Basics
internal import FrameCodec

/// The actions of devices: the frames that they send, and the timelines that their providers build.
extension Simulation {
    /// Changes a device, and performs the actions that result.
    mutating func act(
        _ device: UInt32,
        body: (inout SimulatedDevice, WallTime, inout [DeviceAction]) -> Void
    ) throws(Violation) {
        var actions: [DeviceAction] = []
        let now = wall
        body(&fleet.devices[Int(device)].model, now, &actions)
        for action in actions { try perform(action, of: device) }
    }

    private mutating func perform(_ action: DeviceAction, of device: UInt32) throws(Violation) {
        switch action {
        case .register:
            fleet.devices[Int(device)].isRegistered = false
            if fleet.devices[Int(device)].isOnline {
                schedule(.announce, for: device, after: .milliseconds(100))
            }
        case .notify(let change): try notify(change, of: device)
        case .request(let kind, _): try send(requestFor: kind, of: device)
        case .ask(let question): try ask(question, of: device)
        case .report(let report): try send(report, of: device)
        case .rendered, .coalesced, .postponed, .ended: break
        }
    }

    private mutating func send(
        _ type: FrameType,
        body: [UInt8],
        of device: UInt32
    ) throws(Violation) {
        fleet.devices[Int(device)].seq += 1
        let seq = fleet.devices[Int(device)].seq
        try send(device, frame: encodeFrame(type, seq: seq, body: body))
    }

    // MARK: - WIDGETS, STATE, REQUEST

    /// Sends WIDGETS with all widgets that the owner has not removed.
    mutating func register(_ device: UInt32) throws(Violation) {
        try settle()
        var listed: [WidgetsMessage.Widget] = []
        for (position, number) in fleet.widgetNumbers(device).enumerated() {
            let widget = fleet.widgets[Int(number)]
            if widget.isRemoved {
                checker.removed(number)
                continue
            }
            checker.placed(
                number,
                device: device,
                kind: widget.kind.rawValue,
                topic: widget.topic,
                at: now
            )
            let parameter = JSONValue.Member(
                name: widget.kind.family.parameter,
                value: .string(World.name(ofTopic: widget.topic))
            )
            listed.append(
                WidgetsMessage.Widget(
                    id: "w\(position)",
                    kind: widget.kind.name,
                    family: "systemSmall",
                    configuration: [parameter]
                )
            )
        }
        fleet.devices[Int(device)].isRegistered = true
        let name = fleet.devices[Int(device)].model.name
        try send(.widgets, body: WidgetsMessage.encode(device: name, widgets: listed), of: device)
    }

    /// Sends a change in STATE; all of the state if the router did not hear of earlier changes.
    mutating func notify(_ change: DeviceChange, of device: UInt32) throws(Violation) {
        let index = Int(device)
        if !fleet.devices[index].isKnown {
            fleet.devices[index].hasUnsentState = true
            return
        }
        try settle()
        var change = change
        if fleet.devices[index].hasUnsentState {
            let hasMoved = change.hasMoved
            change = fleet.devices[index].model.state
            change.hasMoved = hasMoved
            fleet.devices[index].hasUnsentState = false
        }
        let range = fleet.widgetNumbers(device)
        if let visible = change.visible {
            let seen = fleet.devices[index].model.widgets.indices.filter { position in
                visible.contains(fleet.devices[index].model.widgets[position].id)
                    && !fleet.widgets[Int(range.lowerBound) + position].isRemoved
            }
            change.visible = seen.map { "w\($0)" }
            for position in seen {
                let widget = range.lowerBound + UInt32(position)
                fleet.widgets[Int(widget)].views += 1
                checker.viewed(widget, at: now)
            }
        }
        if change.hasMoved { for widget in range { checker.moved(widget) } }
        checker.recordState(
            device,
            front: fleet.devices[index].model.isForeground,
            media: fleet.devices[index].model.media != .silent
        )
        try send(.state, body: fleet.devices[index].model.body(of: change), of: device)
    }

    private mutating func send(requestFor kind: String?, of device: UInt32) throws(Violation) {
        if !fleet.devices[Int(device)].isKnown { return }
        try settle()
        for widget in fleet.widgetNumbers(device)
        where kind == nil || kind == fleet.widgets[Int(widget)].kind.name {
            checker.requested(widget)
        }
        let body = fleet.devices[Int(device)].model.body(ofRequestFor: kind, isDownload: false)
        try send(.request, body: body, of: device)
    }

    // MARK: - Providers

    /// Asks a widget's provider, which takes a while to build a timeline.
    private mutating func ask(_ question: ProviderQuestion, of device: UInt32) throws(Violation) {
        if question.subject != .timeline {
            return try act(device) { $0.answer(question, at: $1, into: &$2) }
        }
        let widget = fleet.devices[Int(device)].firstWidget + UInt32(question.widget)
        fleet.widgets[Int(widget)].question = question
        let delay = Milliseconds(100 + SplitMix64.scaled(hash(widget), below: 2_900))
        schedule(.built, for: widget, after: delay, extra: question.number)
    }

    /// Returns a hash that differs from one timeline of a widget to the next.
    private func hash(_ widget: UInt32) -> UInt64 {
        SplitMix64.mixed(
            SplitMix64.mixed(options.seed &+ UInt64(widget))
                &+ fleet.widgets[Int(widget)].builds
        )
    }

    /// Completes a timeline: the provider has called the origin if necessary, and answers.
    mutating func built(_ number: UInt32, question: UInt32) throws(Violation) {
        let widget = fleet.widgets[Int(number)]
        let device = Int(widget.device)
        guard let asked = widget.question, asked.number == question else { return }
        if fleet.devices[device].isOnline && !fleet.devices[device].isRegistered {
            // The router must know the widget first.
            return schedule(.built, for: number, after: .milliseconds(200), extra: question)
        }
        fleet.widgets[Int(number)].builds += 1
        let timeline = SimulatedTimeline.make(
            widget.kind,
            at: wall,
            fault: fleet.devices[device].fault,
            hash: hash(number)
        )
        try act(widget.device) {
            $0.answer(asked, dates: timeline.dates($1), policy: timeline.policy, at: $1, into: &$2)
        }
    }

    /// Sends TIMELINE. It is lost if the router cannot be reached: a RELOAD without an answer is
    /// repeated, and for all else the device builds another one when it is back.
    private mutating func send(_ report: TimelineReport, of device: UInt32) throws(Violation) {
        let index = Int(device)
        let widget = fleet.devices[index].firstWidget + UInt32(report.widget)
        var reload: UInt64 = 0
        if case .reload(let seq, _) = report.occasion { reload = seq }
        if !fleet.devices[index].isKnown {
            if reload == 0 { fleet.widgets[Int(widget)].isUnreported = true }
            return
        }
        callOrigin(for: widget)
        try settle()
        let due: WallTime? =
            switch report.policy {
            case .never: nil
            case .atEnd: report.entries.last
            case .after(let date): date
            }
        checker.showed(
            widget,
            due: due.map { $0 - start },
            isEnd: report.policy == .atEnd,
            reload: UInt32(truncatingIfNeeded: reload),
            at: now
        )
        try send(.timeline, body: fleet.devices[index].model.body(of: report), of: device)
        if fleet.devices[index].asksAgain {
            fleet.devices[index].asksAgain = false
            try request(nil, of: device)
        }
    }

    private mutating func callOrigin(for widget: UInt32) {
        record.sums.timelines += 1
        if fleet.widgets[Int(widget)].question?.values != nil {
            record.sums.inlined += 1
        } else if fleet.widgets[Int(widget)].kind.callsOrigin && now >= SimulatedTime.warmUp {
            record.requests[Int((now - SimulatedTime.warmUp).wholeSeconds)] += 1
        }
    }
}
