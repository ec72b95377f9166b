internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
package import ReloadModel
internal import ReloadScheduling
internal import WidgetMatching

/// A list of an app's devices that is being made, some records at a time.
package struct DeviceWalk {
    fileprivate let app: AppID
    fileprivate let limit: Int
    /// The next record to look at.
    fileprivate var next: DeviceID
    package fileprivate(set) var devices: [DeviceSummary] = []
    /// The last one of the list, if there are more.
    package fileprivate(set) var last: String?
}

/// What operators ask about devices.
extension Router {
    /// Begins a list of an app's devices, in the order of their numbers: who comes while it is read page
    /// by page may be missed or not, and nobody else is missed or told of twice.
    ///
    /// - Parameters:
    ///   - app: by name.
    ///   - device: the one to begin behind; nil to begin with the first.
    ///   - limit: the most to tell of.
    /// - Returns: the list, of which nothing is made yet.
    /// - Throws: `app-unknown`, or `device-unknown` if there is no such device any more.
    package func beginDevices(
        app: String,
        after device: String?,
        limit: Int
    ) throws(ProtocolError) -> DeviceWalk {
        let app = try declaredApp(app)
        var first: DeviceID = 0
        if let device { first = try storedDevice(device, app) + 1 }
        return DeviceWalk(app: app, limit: limit, next: first)
    }

    /// Goes on with the list.
    ///
    /// - Parameters:
    ///   - walk: the list.
    ///   - count: how many records to look at.
    /// - Returns: whether it is whole.
    package func goOn(_ walk: inout DeviceWalk, count: Int) -> Bool {
        let end = min(delivery.devices.end, walk.next + DeviceID(count))
        while walk.next < end {
            let device = walk.next
            walk.next += 1
            if !delivery.isStored(device) || delivery.devices[device].app != walk.app { continue }
            if walk.devices.count == walk.limit {
                walk.last = walk.devices.last?.device
                return true
            }
            walk.devices.append(
                DeviceSummary(
                    device: delivery.deviceName(device).string,
                    widgets: Int(delivery.devices[device].widgetCount),
                    isOnline: delivery.isAttached(delivery.devices[device])
                )
            )
        }
        return walk.next >= delivery.devices.end
    }

    func storedDevice(_ name: String, _ app: AppID) throws(ProtocolError) -> DeviceID {
        guard let device = name.withByteView({ delivery.findDevice(app, $0) }) else {
            throw ProtocolError(.deviceUnknown, "no widgets are stored for \(quotation(name))")
        }
        return device
    }

    // MARK: - One device

    /// What is known of a device and its widgets.
    ///
    /// - Throws: `app-unknown` or `device-unknown`.
    /// - Complexity: in proportion to its widgets and decisions.
    package mutating func facts(
        ofDevice name: String,
        app appName: String,
        now: Instant
    ) throws(ProtocolError) -> DeviceFacts {
        tick(now)
        let app = try declaredApp(appName)
        let device = try storedDevice(name, app)
        let record = delivery.devices[device]
        var widgets: [WidgetFacts] = []
        var widget = record.firstWidget
        while widget != WidgetRecord.none {
            widgets.append(facts(of: widget))
            widget = delivery.widgets[widget].nextOfDevice
        }
        return DeviceFacts(
            app: appName,
            device: name,
            isPaused: paused.has(app),
            connection: delivery.isAttached(record) ? record.connection : nil,
            isForeground: record.has(DeviceRecord.foreground),
            media: record.media == .none ? nil : "\(record.media)",
            widgets: widgets,
            decisions: decisions(of: device)
        )
    }

    private func facts(of widget: WidgetID) -> WidgetFacts {
        let record = delivery.widgets[widget]
        let schedule = delivery.schedules[widget]
        return WidgetFacts(
            widget: delivery.widgetName(widget).string,
            kind: kindName(record.kind),
            configuration: matcher.configurationText(of: widget),
            stage: "\(record.stage)",
            cause: record.stage == .idle ? nil : record.cause,
            waitsUntil: waitEnd(of: widget),
            lastReload: record.lastReload,
            lastReloadAt: schedule.lastReload(asOf: now.monotonic).map {
                wallTime(ofMonotonic: $0)
            },
            isAnswered: !record.has(WidgetRecord.unanswered),
            date: date(of: widget),
            budget: budget(of: widget),
            shown: shown(widget)
        )
    }

    func kindName(_ kind: KindID) -> String {
        delivery.names.view(kinds[Int(kind)].name, kinds[Int(kind)].nameCount).string
    }

    /// Until when the widget's reload waits at the latest, in ms since 1970.
    private func waitEnd(of widget: WidgetID) -> Int64? {
        switch delivery.widgets[widget].stage {
        case .idle, .held, .ready: nil
        case .debounced: now.wall + stormWait(widget)
        case .deferred: wallTime(ofMonotonic: earliest(widget).time)
        case .queued:
            now.wall + origins[rules(of: widget).origin].expectedWait(at: scheduleClock.now)
        }
    }

    private func date(of widget: WidgetID) -> WidgetFacts.Date? {
        let schedule = delivery.schedules[widget]
        if schedule.timelineAt == .max { return nil }
        let origin = rules(of: widget).origin
        let slot = origins[origin].ledger.time(of: schedule.slot)
        return WidgetFacts.Date(
            at: now.wall + dateWait(widget),
            slot: slot.map { now.wall + ($0 / 1_000 * 1_000 - scheduleClock.now) }
        )
    }

    func budget(of widget: WidgetID) -> WidgetFacts.Budget? {
        let policy = rules(of: widget).budget
        if !policy.isLimited { return nil }
        let state = delivery.schedules[widget].budget
        let phase = phase(widget)
        let copy = WidgetBudget(policy: policy, state: state, phase: phase)
        let next = state.earliest(
            policy,
            mayUseReserve: false,
            at: now.monotonic,
            phase: phase
        )
        return WidgetFacts.Budget(
            used: copy.used(at: now),
            allowance: copy.allowance(at: now) ?? 0,
            reserve: copy.reserve(at: now),
            nextAt: next > now.monotonic ? wallTime(ofMonotonic: next) : nil
        )
    }

    /// The carried values that are known.
    private func shown(_ widget: WidgetID) -> String? {
        let kind = delivery.widgets[widget].kind
        if !kinds[Int(kind)].rules.carries { return nil }
        let count = widgetFields.carriedByteCount(widget, kind: kind, catalog: fieldCatalog)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            unsafe written = widgetFields.writeCarried(
                widget,
                kind: kind,
                catalog: fieldCatalog,
                to: UnsafeMutableRawPointer(memory.baseAddress!)
            )
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Decisions

    private func decisions(of device: DeviceID) -> [DecisionFacts] {
        var kinds: [WidgetID: KindID] = [:]
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            kinds[widget] = delivery.widgets[widget].kind
            widget = delivery.widgets[widget].nextOfDevice
        }
        var facts: [DecisionFacts] = []
        decisions.forEach(device) { decision in
            let kind = kinds[decision.widget]
            let sentence = kind.map { sentences(of: $0) }
            facts.append(
                DecisionFacts(
                    at: decision.at,
                    widget: kind == nil ? nil : delivery.widgetName(decision.widget).string,
                    reason: decision.reason,
                    cause: decision.cause,
                    until: decision.until,
                    text: (sentence ?? DecisionSentence(KindPolicy(), perSecond: nil))
                        .text(decision.reason)
                )
            )
        }
        return facts
    }

    /// What is said of decisions about a kind's widgets.
    func sentences(of kind: KindID) -> DecisionSentence {
        let name = kindName(kind)
        let declaration = apps[Int(kinds[Int(kind)].app)].declaration
        let policy = declaration.kinds.first { Array($0.kind.utf8) == Array(name.utf8) }?.policy
        return DecisionSentence(
            policy ?? KindPolicy(),
            perSecond: origins[kinds[Int(kind)].rules.origin].perSecond
        )
    }
}
