internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import WidgetMatching

/// WIDGETS: what a device shows, all of it.
extension ReloadState {
    /// Replaces the widgets of a device.
    ///
    /// Everything is checked before anything is changed.
    ///
    /// A widget that is listed again as it was keeps its place in the index and what is pending or
    /// scheduled for it; so the cost is in proportion to what changed.
    ///
    /// - Returns: a change, also if that is to forget what is not known.
    mutating func register(
        _ connection: UInt32,
        _ message: WidgetsMessage,
        _ admission: Admission,
        _ out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        let app = delivery.sessions[connection].app
        var name = try deviceName(connection, message.device)
        let known = delivery.findDevice(app, name)
        let need = try check(message, app, admission, &out)
        let count = need.count
        // The names that were checked may have been decoded to where this one was.
        name = try deviceName(connection, message.device)
        if admission == .asked && known == nil && delivery.devices.count >= limits.devices {
            throw ProtocolError(
                .tooManyDevices,
                "\(limits.devices) devices are stored; no more are taken"
            )
        }
        if known == nil && count == 0 { return .change }
        if admission == .asked { try checkRoom(for: need, name, known, app, &out) }
        let device = known ?? delivery.insertDevice(app, name)
        keepRecord(of: device)
        let isChange = try replaceWidgets(of: device, app, message, &out)
        if count == 0 {
            out.observer.decisions.forget(device)
            delivery.removeDevice(device)
            recordChanged(of: device)
            return .change
        }
        delivery.devices[device].widgetCount = UInt16(count)
        let token = message.pushToken.map { scratch.identifiers.decode($0) }
        let isNewToken = !delivery.hasPushToken(device, token)
        if isNewToken { delivery.setPushToken(device, token) }
        let saysAnythingNew = isChange || isNewToken
        if saysAnythingNew { recordChanged(of: device) }
        takeOver(device, connection, &out)
        return saysAnythingNew ? .change : .attachment(connection: connection, device: device)
    }

    private mutating func check(
        _ message: WidgetsMessage,
        _ app: AppID,
        _ admission: Admission,
        _ out: inout Outbox
    ) throws(ProtocolError) -> RegistrationNeed {
        // A list that was accepted under a higher limit stays valid when a log is followed; it cannot have
        // been longer than a device's count can say.
        let limit = admission == .asked ? limits.widgetsPerDevice : Int(UInt16.max)
        var list = message.makeWidgets()
        var need = RegistrationNeed()
        var seen: Set<[UInt8]> = []
        while let entry = try list.next() {
            if seen.count == limit {
                throw ProtocolError(
                    .tooManyWidgets,
                    "the list has more than \(limit) widgets"
                )
            }
            out.work.charge(WorkCost.registration)
            let place = "widgets[\(seen.count)]"
            let id = try scratch.identifiers.identifier(entry.id, place + ".id")
            guard seen.insert(id.array).inserted else {
                throw ProtocolError(
                    .widgetDuplicate,
                    "\(place).id is \(quotation(id.string)), which was listed before"
                )
            }
            need.add(text: id.count)
            let kindName = try scratch.identifiers.identifier(entry.kind, place + ".kind")
            let kind = try declaredKind(app, kindName)
            if let family = entry.family {
                _ = try scratch.identifiers.identifier(family, place + ".family")
            }
            do throws(ConfigurationError) {
                need.add(
                    try matcher.cost(
                        ofKind: kind,
                        configuration: entry.configuration ?? Self.noParameters
                    )
                )
            } catch {
                throw ProtocolError(
                    .configurationInvalid,
                    "\(place).configuration: \(error.message)"
                )
            }
        }
        if let token = message.pushToken {
            let bytes = scratch.identifiers.decode(token)
            if bytes.count >= RouterLimits.pushTokenBytes {
                throw ProtocolError(
                    .identifierInvalid,
                    "pushToken must be shorter than \(RouterLimits.pushTokenBytes) bytes"
                )
            }
            need.add(text: bytes.count)
        }
        return need
    }

    private mutating func replaceWidgets(
        of device: DeviceID,
        _ app: AppID,
        _ message: WidgetsMessage,
        _ out: inout Outbox
    ) throws(ProtocolError) -> Bool {
        var old = FormerWidgets(detachWidgets(of: device))
        var isChange = false
        var list = message.makeWidgets()
        var last = WidgetRecord.none
        while let entry = try list.next() {
            let id = try scratch.identifiers.identifier(entry.id, "id")
            let kind = try declaredKind(app, try scratch.identifiers.identifier(entry.kind, "kind"))
            let configuration = entry.configuration ?? Self.noParameters
            let widget: WidgetID
            if let former = old.take(id, &scratch.widgetNames, in: delivery) {
                // The list is taken in its former order unless a widget stands further in front than before.
                isChange = isChange || !former.isFirst
                widget = former.widget
                isChange = change(widget, kind, configuration, &out) || isChange
            } else {
                isChange = true
                widget = insertWidget(device, id, kind, configuration)
            }
            if last == WidgetRecord.none {
                delivery.devices[device].firstWidget = widget
            } else {
                delivery.widgets[last].nextOfDevice = widget
            }
            delivery.widgets[widget].nextOfDevice = WidgetRecord.none
            last = widget
        }
        out.work.charge(old.left.count &* WorkCost.registration)
        for widget in old.left { removeWidget(widget, &out) }
        isChange = isChange || !old.left.isEmpty
        if isChange { restorePending(device) }
        return isChange
    }

    /// A configuration without parameters, in memory that lives as long as the process.
    private static var noParameters: ByteView {
        let text: StaticString = "{}"
        return unsafe ByteView(base: text.utf8Start, count: 2)
    }

    /// Takes the widgets off a device; the pending chain is built anew later.
    private mutating func detachWidgets(of device: DeviceID) -> [WidgetID] {
        var widgets: [WidgetID] = []
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            widgets.append(widget)
            widget = delivery.widgets[widget].nextOfDevice
        }
        delivery.devices[device].firstWidget = WidgetRecord.none
        return widgets
    }

    /// Builds the pending chain anew from the flags of the widgets that a device has now.
    mutating func restorePending(_ device: DeviceID) {
        delivery.devices[device].firstPending = WidgetRecord.none
        let former = delivery.devices[device].cause
        var cause: ReloadCause?
        var widget = delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            if delivery.widgets[widget].stage == .ready {
                delivery.widgets[widget].nextPending = delivery.devices[device].firstPending
                delivery.devices[device].firstPending = widget
                if cause != former { cause = delivery.widgets[widget].cause }
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
        if let cause { delivery.devices[device].cause = cause }
        if delivery.devices[device].firstPending == WidgetRecord.none {
            // No reload is pending any more, so neither an expiry nor an urgency is left.
            delivery.devices[device].voidAt = .min
            delivery.devices[device].flags &= ~DeviceRecord.urgent
        }
    }

    private mutating func insertWidget(
        _ device: DeviceID,
        _ id: ByteView,
        _ kind: KindID,
        _ configuration: ByteView
    ) -> WidgetID {
        let widget: WidgetID
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            widget = try matcher.insert(kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        delivery.countBytes(delivery.devices[device].app, matcher.index.storedCost - cost)
        place(widget, of: device, id, kind)
        return widget
    }

    /// Gives a widget that the matcher has its place beside it.
    mutating func place(_ widget: WidgetID, of device: DeviceID, _ id: ByteView, _ kind: KindID) {
        let record = WidgetRecord(
            device: device,
            name: delivery.names.store(id),
            kind: kind,
            nameCount: UInt8(id.count)
        )
        delivery.widgets.reserve(through: widget, filling: .empty)
        delivery.widgets[widget] = record
        let budget = ReloadBudget(now: clock.now.monotonic, phase: phase(widget))
        let schedule = WidgetSchedule(budget: budget)
        delivery.schedules.reserve(through: widget, filling: schedule)
        delivery.schedules[widget] = schedule
        delivery.count(delivery.devices[device].app) { $0.widgets += 1 }
        delivery.countBytes(delivery.devices[device].app, StoredCost.text(id.count))
    }

    /// Gives a listed widget the kind and configuration that it has now.
    ///
    /// A widget whose configuration changes stays the same widget to its user, so a pending reload stays
    /// pending. Only its timeline's date is dropped: it belonged to the former configuration.
    ///
    /// - Returns: whether these are others than before.
    private mutating func change(
        _ widget: WidgetID,
        _ kind: KindID,
        _ configuration: ByteView,
        _ out: inout Outbox
    ) -> Bool {
        if matcher.hasConfiguration(widget, kind: kind, equalTo: configuration) { return false }
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            try matcher.replace(widget, kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        let app = delivery.devices[delivery.widgets[widget].device].app
        delivery.countBytes(app, matcher.index.storedCost - cost)
        fanOuts.replaced(widget, behind: numbers.burst)
        dropDate(widget, .removed, &out)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        let former = delivery.widgets[widget].kind
        delivery.widgets[widget].kind = kind
        if former != kind && delivery.widgets[widget].stage == .queued {
            // Its turn was one at the former kind's origin.
            delivery.setStage(widget, .idle)
            decide(widget, 0, &out)
        }
        arm(widget, &out)
        return true
    }

    private mutating func removeWidget(_ widget: WidgetID, _ out: inout Outbox) {
        let record = delivery.widgets[widget]
        if record.stage != .idle {
            out.observer.counters.endings[.removed] &+= 1
            note(widget, .removed, &out)
        }
        dropDate(widget, .removed, &out)
        // An entry in its origin's queue finds that it is not meant any more.
        delivery.setStage(widget, .idle)
        out.agenda.setTimer(widget, .max)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        delivery.names.free(record.name, Int(record.nameCount))
        let app = delivery.devices[record.device].app
        let cost = matcher.index.storedCost
        matcher.remove(widget)
        let nameCost = StoredCost.text(Int(record.nameCount))
        delivery.count(app) { $0.widgets -= 1 }
        delivery.countBytes(app, matcher.index.storedCost - cost - nameCost)
        delivery.widgets[widget] = .empty
        fanOuts.removed(widget, behind: numbers.burst)
    }
}
