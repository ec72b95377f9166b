internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// WIDGETS: the complete list of a device's widgets.
extension ReloadState {
    /// Replaces the widgets of a device.
    ///
    /// Everything is checked before anything is changed.
    ///
    /// A widget that is listed again unchanged keeps its place in the index, and what is pending or
    /// scheduled for it; so apart from reading the list, the cost is proportional to what has
    /// changed.
    ///
    /// - Returns: a repetition if the list says nothing new; otherwise a change, or nothing if an
    ///   empty list of an unknown device has come without a session.
    /// - Throws: why the frame is refused.
    mutating func register(
        from sender: FrameSender,
        message: WidgetsMessage,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        let app = sender.app
        var name = try deviceName(from: sender, named: message.device)
        let known = delivery.findDevice(of: app, named: name)
        let need = try check(message, of: app, admission: admission, into: &out)
        let count = need.count
        // Decoded again: the names that were checked may have overwritten this one.
        name = try deviceName(from: sender, named: message.device)
        if admission == .new && known == nil && delivery.devices.count >= limits.devices {
            throw ProtocolError(
                .tooManyDevices,
                message: "\(limits.devices) devices are stored; no more are accepted"
            )
        }
        if known == nil && count == 0 { return sender.hasSession ? .change : .none }
        if admission == .new {
            try checkRoom(for: need, name: name, known: known, app: app, into: &out)
        }
        let device = known ?? delivery.insertDevice(of: app, named: name)
        if count == 0 {
            remove(device, from: sender.connection, into: &out)
            return .change
        }
        copyBeforeWrite(of: device)
        let changes = try replaceWidgets(of: device, app: app, with: message, into: &out)
        delivery.devices[device].widgetCount = UInt16(count)
        updatePatternLoad(of: device)
        let isNewToken = replaceTokens(
            of: device,
            by: message,
            hasNewControl: changes.hasNewToken
        )
        var (areConfirmed, hasUnheardPush) = (false, false)
        if isNewToken {
            out.agenda.lanes.remove(device)
            hasUnheardPush = abandonPush(to: device)
            takeTokens(of: device, into: &out)
        } else {
            areConfirmed = confirmTokens(of: device)
        }
        let saysAnythingNew = changes.isOtherList || isNewToken
        if saysAnythingNew { recordChanged(of: device) }
        // What the log will not have is not heard either.
        let isLogged = saysAnythingNew || admission == .logged || isSignOfLife(device)
        if isLogged { heard(of: device) }
        takeOver(device, by: sender.connection, into: &out)
        if known == nil && !sender.hasSession { attachOwnSession(of: device, into: &out) }
        updateReach(of: device, into: &out)
        if hasUnheardPush { repeatPush(to: device, into: &out) }
        if !delivery.devices[device].firstPending.isNone {
            delivery.enqueue(device, in: &out.agenda)
        }
        let first = delivery.devices[device].firstWidget
        // The timer of the grace is the first widget's, which may be another one now.
        if graceEnd(first) != nil { updateTimer(first, into: &out) }
        if isLogged { return .change }
        return .repetition(
            device: device,
            connection: sender.connection,
            hasTokens: areConfirmed
        )
    }

    /// Attaches a device that is new to its own session, which has begun before its widgets came
    /// over HTTP.
    private mutating func attachOwnSession(of device: DeviceID, into out: inout Outbox) {
        let app = delivery.devices[device].app
        let name = delivery.deviceName(device)
        guard let connection = delivery.findDeviceSession(of: app, named: name) else { return }
        attach(device, to: connection, into: &out)
    }

    /// Checks a list of widgets, and adds up what it needs.
    private mutating func check(
        _ message: WidgetsMessage,
        of app: AppID,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> RegistrationNeed {
        // A list that was accepted under a higher limit stays valid when a log is followed; it
        // cannot have been longer than `widgetCount` can say.
        let limit = admission == .new ? limits.widgetsPerDevice : Int(UInt16.max)
        var list = message.makeWidgets()
        var need = RegistrationNeed()
        var seen: Set<[UInt8]> = []
        while let entry = try list.next() {
            if seen.count == limit {
                throw ProtocolError(
                    .tooManyWidgets,
                    message: "the list has more than \(limit) widgets"
                )
            }
            out.work.charge(WorkCost.registration)
            let location = "widgets[\(seen.count)]"
            let id = try scratch.identifiers.identifier(entry.id, of: location + ".id")
            guard seen.insert(id.array).inserted else {
                throw ProtocolError(
                    .widgetDuplicate,
                    message: "\(location).id is \(quotation(id.string)), which was listed before"
                )
            }
            need.add(text: id.count)
            let kindName = try scratch.identifiers.identifier(entry.kind, of: location + ".kind")
            let kind = try declaredKind(of: app, named: kindName)
            if let family = entry.family {
                _ = try scratch.identifiers.identifier(family, of: location + ".family")
            }
            if let token = entry.pushToken {
                let count = try checkToken(token, at: location + ".pushToken")
                if !catalog.kinds[kind].rules.isControl {
                    throw ProtocolError(
                        .bodyInvalid,
                        message: "\(location).pushToken is a control's, and the app file does not "
                            + "say that kind \(quotation(kindName.string)) is one"
                    )
                }
                need.add(ownToken: count)
            }
            try addConfiguration(
                entry.configuration ?? Self.noParameters,
                of: kind,
                at: location,
                admission: admission,
                to: &need,
                into: &out
            )
        }
        if let token = message.pushToken {
            need.add(token: try checkToken(token, at: "pushToken"))
        }
        if let token = message.appPushToken {
            need.add(ownToken: try checkToken(token, at: "appPushToken"))
        }
        return need
    }

    /// What a list says that is new.
    private struct ListChanges {
        /// Whether the widgets differ from those of the former list.
        var isOtherList = false
        /// Whether the token of a control differs.
        var hasNewToken = false
    }

    /// Replaces a device's widgets by a list that was checked.
    ///
    /// - Returns: what differs from the former list.
    private mutating func replaceWidgets(
        of device: DeviceID,
        app: AppID,
        with message: WidgetsMessage,
        into out: inout Outbox
    ) throws(ProtocolError) -> ListChanges {
        let combinations = matcher.index.combinationCount
        defer {
            let combined = matcher.index.combinationCount &- combinations
            out.work.charge(combined &* WorkCost.combination)
        }
        let former = detachWidgets(of: device)
        var old = FormerWidgets(former)
        var edited: EditedWidgets?
        var (isChange, hasNewToken, hasNewFamily) = (false, false, false)
        var list = message.makeWidgets()
        var last = WidgetID.none
        while let entry = try list.next() {
            let kind = try declaredKind(
                of: app,
                named: try scratch.identifiers.identifier(entry.kind, of: "kind")
            )
            let family = try family(of: entry)
            let id = try scratch.identifiers.identifier(entry.id, of: "id")
            let configuration = entry.configuration ?? Self.noParameters
            let widget: WidgetID
            if let listed = old.take(id, using: &scratch.widgetNames, in: delivery) {
                // The order is the former one unless a widget comes earlier than before.
                isChange = isChange || !listed.isFirst
                widget = listed.widget
                isChange =
                    change(widget, kind: kind, configuration: configuration, into: &out) || isChange
            } else {
                isChange = true
                if edited == nil {
                    edited = try editedWidgets(among: former, app: app, in: message, charging: &out)
                }
                let name = try scratch.identifiers.identifier(entry.id, of: "id")
                if let found = edited?.former[name.array] {
                    widget = found
                    old.take(found)
                    delivery.rename(widget, to: name)
                    _ = change(widget, kind: kind, configuration: configuration, into: &out)
                } else {
                    widget = insert(name, of: device, kind: kind, configuration: configuration)
                }
            }
            if delivery.family(of: widget) != family {
                delivery.setFamily(of: widget, to: family)
                hasNewFamily = true
            }
            if replaceToken(of: widget, by: entry.pushToken) { hasNewToken = true }
            if last.isNone {
                delivery.devices[device].firstWidget = widget
            } else {
                delivery.widgets[last].nextOfDevice = widget
            }
            delivery.widgets[widget].nextOfDevice = .none
            last = widget
        }
        out.work.charge(old.remaining.count &* WorkCost.registration)
        for widget in old.remaining { removeWidget(widget, into: &out) }
        isChange = isChange || !old.remaining.isEmpty
        if isChange { restorePending(device) }
        return ListChanges(isOtherList: isChange || hasNewFamily, hasNewToken: hasNewToken)
    }

    /// Gives a control the token that its entry has; nil for none.
    ///
    /// - Returns: whether it had another one.
    private mutating func replaceToken(of widget: WidgetID, by token: JSONText?) -> Bool {
        if token == nil && !delivery.controlToken(widget).isPresent { return false }
        let bytes = token.map { scratch.identifiers.decode($0) }
        if delivery.isEqual(delivery.controlToken(widget), to: bytes) { return false }
        delivery.setControlToken(of: widget, to: bytes)
        return true
    }

    /// Removes all widgets from a device's list and returns them; `restorePending` makes the
    /// pending chain later.
    mutating func detachWidgets(of device: DeviceID) -> [WidgetID] {
        var widgets: [WidgetID] = []
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            widgets.append(widget)
            widget = delivery.widgets[widget].nextOfDevice
        }
        delivery.devices[device].firstWidget = .none
        return widgets
    }

    /// Makes the pending chain again, from the stages of the widgets that the device has now.
    mutating func restorePending(_ device: DeviceID) {
        delivery.devices[device].firstPending = .none
        let former = delivery.devices[device].cause
        var cause: ReloadCause?
        var widget = delivery.devices[device].firstWidget
        while !widget.isNone {
            if delivery.widgets[widget].stage == .ready {
                delivery.widgets[widget].nextPending = delivery.devices[device].firstPending
                delivery.devices[device].firstPending = widget
                if cause != former { cause = delivery.widgets[widget].cause }
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
        if let cause { delivery.devices[device].cause = cause }
        if delivery.devices[device].firstPending.isNone {
            // No reload is pending any more, so neither an expiry nor an urgency is left.
            delivery.devices[device].expiresAt = .min
            delivery.devices[device].flags &= ~DeviceRecord.urgent
        }
    }

    /// Stores a widget whose configuration was checked, and returns its number.
    private mutating func insert(
        _ id: ByteView,
        of device: DeviceID,
        kind: KindID,
        configuration: ByteView
    ) -> WidgetID {
        let widget: WidgetID
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            widget = try matcher.insert(kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        delivery.countBytes(
            of: delivery.devices[device].app,
            adding: matcher.index.storedCost - cost
        )
        place(widget, of: device, named: id, kind: kind)
        return widget
    }

    /// Stores the records of a widget that the matcher already has: its name, kind and schedule.
    mutating func place(_ widget: WidgetID, of device: DeviceID, named id: ByteView, kind: KindID) {
        delivery.widgets.reserve(through: widget, filling: .empty)
        assert(delivery.widgets[widget].device.isNone, "the number has a widget")
        delivery.widgets[widget] = .empty
        delivery.widgets[widget].device = device
        delivery.widgets[widget].kind = kind
        delivery.setName(of: widget, to: id)
        let budget = ReloadBudget(now: clock.now.monotonic, phase: phase(widget))
        let schedule = WidgetSchedule(budget: budget)
        delivery.schedules.reserve(through: widget, filling: schedule)
        delivery.schedules[widget] = schedule
        delivery.count(delivery.devices[device].app) { $0.widgets += 1 }
    }

    /// Gives a listed widget the kind and configuration that it has now.
    ///
    /// A widget whose configuration changes stays the same widget to its user, so a pending reload
    /// stays pending. Only its timeline's date is dropped, because it belonged to the former
    /// configuration.
    ///
    /// - Returns: whether they differ from the former ones.
    private mutating func change(
        _ widget: WidgetID,
        kind: KindID,
        configuration: ByteView,
        into out: inout Outbox
    ) -> Bool {
        if matcher.hasConfiguration(widget, kind: kind, equalTo: configuration) { return false }
        let cost = matcher.index.storedCost
        do throws(ConfigurationError) {
            try matcher.replace(widget, kind: kind, configuration: configuration)
        } catch {
            preconditionFailure("a checked configuration was refused: \(error)")
        }
        let app = delivery.devices[delivery.widgets[widget].device].app
        delivery.countBytes(of: app, adding: matcher.index.storedCost - cost)
        fanOuts.replaced(widget, after: numbers.fanOut)
        dropDate(of: widget, reason: .removed, into: &out)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        let former = delivery.widgets[widget].kind
        delivery.widgets[widget].kind = kind
        if former != kind && delivery.widgets[widget].stage == .queued {
            // The widget waited for a permit of the former kind's origin.
            delivery.setStage(of: widget, to: .idle)
            decide(widget, fanOut: 0, into: &out)
        }
        updateTimer(widget, into: &out)
        return true
    }

    /// Removes a widget that the device does not list any more, with everything that is pending for
    /// it.
    mutating func removeWidget(_ widget: WidgetID, into out: inout Outbox) {
        assert(matcher.index.isStored(widget), "the number has no widget")
        let record = delivery.widgets[widget]
        if record.stage != .idle {
            out.observer.counters.endings[.removed] &+= 1
            log(widget, reason: .removed, into: &out)
        }
        dropDate(of: widget, reason: .removed, into: &out)
        // An entry that is left in its origin's queue is skipped because of this stage.
        delivery.setStage(of: widget, to: .idle)
        out.agenda.setTimer(of: widget, to: .max)
        if rules(of: widget).hasFields { fields.widgets.remove(widget, catalog: fields.catalog) }
        delivery.setControlToken(of: widget, to: nil)
        delivery.removeName(of: widget)
        let app = delivery.devices[record.device].app
        let cost = matcher.index.storedCost
        matcher.remove(widget)
        delivery.count(app) { $0.widgets -= 1 }
        delivery.countBytes(of: app, adding: matcher.index.storedCost - cost)
        delivery.widgets[widget] = .empty
        fanOuts.removed(widget, after: numbers.fanOut)
    }
}
