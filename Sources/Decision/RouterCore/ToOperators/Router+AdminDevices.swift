package import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// A list of an app's devices while it is made, some records at a time.
package struct DeviceWalk {
    fileprivate let app: AppID
    fileprivate let limit: Int
    /// The next record to examine.
    fileprivate var next: Int
    /// The devices found so far, in the order of their numbers.
    package fileprivate(set) var devices: [DeviceSummary] = []
    /// The id of the last device in `devices`, if there are more devices; nil otherwise.
    package fileprivate(set) var last: String?
}

/// Devices, as operators see them.
extension Router {
    /// Begins a list, still empty until `resume`, of at most `limit` of an app's devices, in the
    /// order of their numbers, after `device` (nil for the first). If the list is read page by
    /// page, devices that are added meanwhile may be missing; no other device is left out or listed
    /// twice.
    ///
    /// - Throws: `app-unknown`, or `device-unknown` if the device is no longer stored.
    package func beginDevices(
        app: String,
        after device: String?,
        limit: Int
    ) throws(ProtocolError) -> DeviceWalk {
        let app = try declaredApp(app)
        var first = 0
        if let device { first = try storedDevice(device, of: app).index + 1 }
        return DeviceWalk(app: app, limit: limit, next: first)
    }

    /// Examines the next `count` records for a list. Returns whether the list is complete.
    package func resume(_ walk: inout DeviceWalk, count: Int) -> Bool {
        let devices = state.reloads.delivery.devices.ids
        for device in devices.dropFirst(walk.next).prefix(count) {
            walk.next += 1
            if !state.reloads.delivery.isStored(device)
                || state.reloads.delivery.devices[device].app != walk.app
            {
                continue
            }
            if walk.devices.count == walk.limit {
                walk.last = walk.devices.last?.device
                return true
            }
            walk.devices.append(
                DeviceSummary(
                    device: state.reloads.delivery.deviceName(device).string,
                    widgets: Int(state.reloads.delivery.devices[device].widgetCount),
                    isOnline: state.reloads.delivery.isAttached(
                        state.reloads.delivery.devices[device]
                    )
                )
            )
        }
        return walk.next >= devices.count
    }

    /// The number of a stored device by its name; throws `device-unknown`.
    func storedDevice(_ name: String, of app: AppID) throws(ProtocolError) -> DeviceID {
        guard
            let device = name.withByteView({ state.reloads.delivery.findDevice(of: app, named: $0) }
            )
        else {
            throw ProtocolError(
                .deviceUnknown,
                message: "no widgets are stored for \(quotation(name))"
            )
        }
        return device
    }

    // MARK: - One device

    /// The view of a device and its widgets.
    ///
    /// - Throws: `app-unknown` or `device-unknown`.
    /// - Complexity: proportional to its widgets and decisions.
    package mutating func view(
        ofDevice name: String,
        app appName: String,
        now: Instant
    ) throws(ProtocolError) -> DeviceView {
        tick(now)
        let app = try declaredApp(appName)
        let device = try storedDevice(name, of: app)
        let record = state.reloads.delivery.devices[device]
        var widgets: [WidgetView] = []
        var widget = record.firstWidget
        while !widget.isNone {
            widgets.append(view(of: widget))
            widget = state.reloads.delivery.widgets[widget].nextOfDevice
        }
        return DeviceView(
            app: appName,
            device: name,
            isPaused: state.reloads.schedules.paused.has(app),
            connection: state.reloads.delivery.isAttached(record) ? record.connection : nil,
            isForeground: record.has(DeviceRecord.foreground),
            media: record.media == .none ? nil : "\(record.media)",
            heardAt: now.wall
                - state.reloads.delivery.idleTime(of: device, clock: state.reloads.clock),
            push: pushView(of: device),
            widgets: widgets,
            decisions: decisions(of: device)
        )
    }

    /// What is known of the pushes to a device; nil if it has no token.
    private func pushView(of device: DeviceID) -> APNsPushView? {
        if !state.reloads.apns.hasToken(device, in: state.reloads.delivery)
            || !state.reloads.apns.pushes.has(device)
        {
            return nil
        }
        let record = state.reloads.delivery.devices[device]
        let push = state.reloads.apns.pushes[device]
        let now = state.reloads.clock.now.monotonic
        let isReached = record.has(DeviceRecord.pushable)
        let channel: APNsChannel = push.has(APNsRecord.onlyControls) ? .controls : record.channel
        let (time, reason) = state.reloads.apns.earliestPush(
            to: device,
            of: record.app,
            by: channel,
            in: state.reloads.catalog,
            now: now
        )
        return APNsPushView(
            environment: record.environment,
            channel: isReached ? channel : nil,
            tokenState: widgetsTokenState(of: device),
            appTokenState: state.reloads.apns.appToken(device).view,
            registeredAt: push.registeredAt,
            isUnderWay: record.has(DeviceRecord.pushing),
            used: push.budget.used(at: now, phase: APNsTable.phase(of: device)),
            cap: state.reloads.catalog.apnsSettings(of: record.app)?.pushesPerDay,
            waits: time > now && isReached
                ? APNsPushView.Wait(
                    until: state.reloads.clock.wallTime(ofMonotonic: time),
                    reason: reason
                )
                : nil
        )
    }

    /// What APNs has said of the token of a device's widgets; nil if there is none.
    private func widgetsTokenState(of device: DeviceID) -> TokenState? {
        if !state.reloads.delivery.devices[device].widgetsToken.isPresent { return nil }
        return state.reloads.apns.pushes[device].tokenState
    }

    private func view(of widget: WidgetID) -> WidgetView {
        let record = state.reloads.delivery.widgets[widget]
        let schedule = state.reloads.schedules.widgets[widget]
        return WidgetView(
            widget: state.reloads.delivery.widgetName(widget).string,
            kind: kindName(record.kind),
            configuration: state.matcher.index.configurationText(of: widget),
            stage: visibleStage(of: widget).name,
            cause: record.stage == .idle ? nil : record.cause,
            waitsUntil: waitEnd(of: widget),
            lastReload: record.lastReload,
            lastReloadAt: schedule.lastReload(asOf: state.reloads.clock.now.monotonic).map {
                state.reloads.clock.wallTime(ofMonotonic: $0)
            },
            isAnswered: !record.has(WidgetRecord.unanswered),
            date: date(of: widget),
            budget: budget(of: widget),
            inlinedValues: inlinedValues(widget),
            valueState: valueState(widget),
            controlTokenState: state.reloads.apns.controlToken(widget).view
        )
    }

    /// Where a widget's next reload waits, as its device is now.
    ///
    /// The reload of a kind without rules is `ready` at once, whether its device is there or not:
    /// in either case a session that begins sends it.
    private func visibleStage(of widget: WidgetID) -> ReloadStage {
        let record = state.reloads.delivery.widgets[widget]
        let device = state.reloads.delivery.devices[record.device]
        let isHeld = record.stage == .ready && !state.reloads.isReached(widget, of: device)
        return isHeld ? .awaitingSession : record.stage
    }

    /// The name of a kind.
    func kindName(_ kind: KindID) -> String {
        unsafe state.reloads.delivery.names.view(
            state.reloads.catalog.kinds[kind].name,
            count: state.reloads.catalog.kinds[kind].nameCount
        ).string
    }

    /// The time until which the widget's reload waits at the latest; nil if it is not known.
    private func waitEnd(of widget: WidgetID) -> WallTime? {
        switch state.reloads.delivery.widgets[widget].stage {
        case .idle, .awaitingSession, .ready: nil
        case .debounced:
            state.reloads.clock.now.wall
                + state.reloads.schedules.debounceRemaining(
                    of: widget,
                    in: state.reloads.delivery,
                    now: state.reloads.clock.now.monotonic
                )
        case .deferred:
            state.reloads.clock.wallTime(ofMonotonic: state.reloads.earliest(widget).time)
        case .queued:
            state.reloads.clock.now.wall
                + state.reloads.schedules.origins[state.reloads.rules(of: widget).origin]
                .expectedWait(at: state.reloads.clock.schedule.now)
        }
    }

    private func date(of widget: WidgetID) -> WidgetView.Date? {
        let schedule = state.reloads.schedules.widgets[widget]
        if schedule.timelineAt == .max { return nil }
        let origin = state.reloads.rules(of: widget).origin
        let slot = state.reloads.schedules.origins[origin].ledger.time(of: schedule.slot)
        return WidgetView.Date(
            at: state.reloads.clock.now.wall
                + state.reloads.schedules.dateWait(
                    of: widget,
                    in: state.reloads.delivery,
                    by: state.reloads.catalog,
                    clock: state.reloads.clock
                ),
            slot: slot.map {
                state.reloads.clock.now.wall
                    + ($0 - $0.offsetInSecond - state.reloads.clock.schedule.now)
            }
        )
    }

    /// The widget's budget as it is now; nil if its reloads are not limited.
    func budget(of widget: WidgetID) -> WidgetView.Budget? {
        let policy = state.reloads.rules(of: widget).budget
        if !policy.isLimited { return nil }
        let budget = state.reloads.schedules.widgets[widget].budget
        let phase = Schedules.phase(widget)
        let copy = WidgetBudget(policy: policy, state: budget, phase: phase)
        let next = budget.earliest(
            policy,
            mayUseReserve: false,
            at: state.reloads.clock.now.monotonic,
            phase: phase
        )
        return WidgetView.Budget(
            used: copy.used(at: state.reloads.clock.now),
            allowance: copy.allowance(at: state.reloads.clock.now) ?? 0,
            reserve: copy.reserve(at: state.reloads.clock.now),
            nextAt: next > state.reloads.clock.now.monotonic
                ? state.reloads.clock.wallTime(ofMonotonic: next) : nil
        )
    }

    /// The inlined values that are known, as a JSON object; nil if the kind inlines none.
    private func inlinedValues(_ widget: WidgetID) -> String? {
        let kind = state.reloads.delivery.widgets[widget].kind
        if !state.reloads.catalog.kinds[kind].rules.inlines { return nil }
        let count = state.reloads.fields.widgets.inlinedByteCount(
            widget,
            kind: kind,
            catalog: state.reloads.fields.catalog
        )
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            unsafe written = state.reloads.fields.widgets.writeInlined(
                widget,
                kind: kind,
                catalog: state.reloads.fields.catalog,
                to: UnsafeMutableRawPointer(memory.baseAddress!)
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the device has the inlined values; nil if none are known.
    private func valueState(_ widget: WidgetID) -> WidgetView.ValueState? {
        let record = state.reloads.delivery.widgets[widget]
        guard
            let areCertain = state.reloads.fields.widgets.areInlinedFollowed(
                widget,
                kind: record.kind,
                catalog: state.reloads.fields.catalog
            )
        else { return nil }
        if record.stage != .idle { return .waiting }
        return record.lastReload > 0 && areCertain ? .sent : .known
    }

    // MARK: - Decisions

    private func decisions(of device: DeviceID) -> [DecisionView] {
        var kinds: [WidgetID: KindID] = [:]
        var widget = state.reloads.delivery.devices[device].firstWidget
        while !widget.isNone {
            kinds[widget] = state.reloads.delivery.widgets[widget].kind
            widget = state.reloads.delivery.widgets[widget].nextOfDevice
        }
        var view: [DecisionView] = []
        outbox.observer.decisions.forEach(device) { decision in
            let kind = kinds[decision.widget]
            let sentence = kind.map { sentences(of: $0) }
            view.append(
                DecisionView(
                    at: decision.at,
                    widget: kind == nil
                        ? nil : state.reloads.delivery.widgetName(decision.widget).string,
                    reason: decision.reason,
                    cause: decision.cause,
                    until: decision.until,
                    push: push(of: decision).map { self.view(of: $0) },
                    text: (sentence ?? DecisionSentence(KindPolicy(), kind: nil, perSecond: nil))
                        .text(decision.reason)
                )
            )
        }
        return view
    }

    /// The push that a decision was made for; nil if it is not known, or there is none.
    private func push(of decision: Decision) -> LoggedPush? {
        outbox.observer.pushes.number(of: decision).flatMap { outbox.observer.pushes.push($0) }
    }

    /// The sentences for decisions about a kind's widgets.
    func sentences(of kind: KindID) -> DecisionSentence {
        let name = kindName(kind)
        let declaration = state.reloads.catalog.apps[state.reloads.catalog.kinds[kind].app]
            .declaration
        let policy = declaration.kinds.first { Array($0.kind.utf8) == Array(name.utf8) }?.policy
        return DecisionSentence(
            policy ?? KindPolicy(),
            kind: name,
            perSecond: state.reloads.schedules.origins[
                state.reloads.catalog.kinds[kind].rules.origin
            ].perSecond
        )
    }
}
