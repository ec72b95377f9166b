internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// WIDGETS: the complete list of a device's widgets.
extension ReloadState {
    /// Replaces the widgets of a device. Everything is checked before anything is changed. A widget
    /// that is listed again unchanged keeps its place in the index, and what is pending or
    /// scheduled for it; so apart from reading the list, the cost is proportional to what has
    /// changed. Returns a repetition if the list says nothing new; otherwise a change, or nothing
    /// if an empty list of an unknown device has come without a session.
    ///
    /// - Throws: why the frame is refused.
    mutating func register(
        from sender: FrameSender,
        message: WidgetsMessage,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        let app = sender.app
        var name = try deviceName(from: sender, named: message.device)
        let known = reloads.delivery.findDevice(of: app, named: name)
        let need = try check(message, of: app, admission: admission, into: &out)
        let count = need.count
        // Decoded again: the names that were checked may have overwritten this one.
        name = try deviceName(from: sender, named: message.device)
        if admission == .new && known == nil && reloads.delivery.devices.count >= limits.devices {
            throw ProtocolError(
                .tooManyDevices,
                message: "\(limits.devices) devices are stored; no more are accepted"
            )
        }
        if known == nil && count == 0 { return sender.hasSession ? .change : .none }
        if admission == .new {
            try checkRoom(for: need, name: name, known: known, app: app, into: &out)
        }
        let device = known ?? reloads.delivery.insertDevice(of: app, named: name)
        // A former device with this number may have left its pushes.
        if known == nil { reloads.apns.forgetPushes(to: device) }
        if count == 0 {
            remove(device, from: sender.connection, into: &out)
            return .change
        }
        copyBeforeWrite(of: device)
        let changes = try replaceWidgets(of: device, app: app, with: message, into: &out)
        reloads.delivery.devices[device].widgetCount = UInt16(count)
        matcher.updatePatternLoad(of: device, in: reloads.delivery)
        let tokens = registerTokens(
            of: device,
            by: message,
            hasNewControl: changes.hasNewToken,
            into: &out
        )
        let saysAnythingNew = changes.isOtherList || tokens.areNew
        if saysAnythingNew { recordChanged(of: device) }
        // What the log will not have is not heard either.
        let isLogged =
            saysAnythingNew || admission == .logged
            || reloads.delivery.isSignOfLife(
                device,
                limit: limits.deviceIdle,
                clock: reloads.clock
            )
        if isLogged { reloads.delivery.heard(of: device, clock: &reloads.clock) }
        reloads.takeOver(device, by: sender.connection, into: &out)
        if known == nil && !sender.hasSession { reloads.attachOwnSession(of: device, into: &out) }
        reloads.updateReach(of: device, into: &out)
        if tokens.hasUnheardPush { reloads.repeatPush(to: device, into: &out) }
        reloads.delivery.enqueuePending(device, apns: reloads.apns, in: &out.agenda)
        let first = reloads.delivery.devices[device].firstWidget
        // The timer of the grace is the first widget's, which may be another one now.
        let grace = reloads.apns.graceEnd(of: first, in: reloads.delivery, by: reloads.catalog)
        if grace != nil { reloads.updateTimer(first, into: &out) }
        if isLogged { return .change }
        return .repetition(
            device: device,
            connection: sender.connection,
            hasTokens: tokens.areConfirmed
        )
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
            let kind = try reloads.catalog.declaredKind(of: app, named: kindName)
            if let family = entry.family {
                _ = try scratch.identifiers.identifier(family, of: location + ".family")
            }
            if let token = entry.pushToken {
                let count = try scratch.checkToken(token, at: location + ".pushToken")
                if !reloads.catalog.kinds[kind].rules.isControl {
                    throw ProtocolError(
                        .bodyInvalid,
                        message: "\(location).pushToken is a control's, and the app file does not "
                            + "say that kind \(quotation(kindName.string)) is one"
                    )
                }
                need.add(ownToken: count)
            }
            try matcher.addConfiguration(
                entry.configuration ?? WidgetMatcher.noParameters,
                of: kind,
                at: location,
                admission: admission,
                to: &need,
                into: &out
            )
        }
        if let token = message.pushToken {
            need.add(token: try scratch.checkToken(token, at: "pushToken"))
        }
        if let token = message.appPushToken {
            need.add(ownToken: try scratch.checkToken(token, at: "appPushToken"))
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

    /// Replaces a device's widgets by a list that was checked, and returns what differs from the
    /// former list.
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
        let former = reloads.delivery.detachWidgets(of: device)
        var old = FormerWidgets(former)
        var edited: EditedWidgets?
        var (isChange, hasNewToken, hasNewFamily) = (false, false, false)
        var list = message.makeWidgets()
        var last = WidgetID.none
        while let entry = try list.next() {
            let kind = try reloads.catalog.declaredKind(
                of: app,
                named: try scratch.identifiers.identifier(entry.kind, of: "kind")
            )
            let family = try scratch.family(of: entry)
            let id = try scratch.identifiers.identifier(entry.id, of: "id")
            let configuration = entry.configuration ?? WidgetMatcher.noParameters
            let widget: WidgetID
            if let listed = old.take(id, using: &scratch.widgetNames, in: reloads.delivery) {
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
                    reloads.delivery.rename(widget, to: name)
                    _ = change(widget, kind: kind, configuration: configuration, into: &out)
                } else {
                    widget = reloads.insert(
                        name,
                        of: device,
                        kind: kind,
                        configuration: configuration,
                        in: &matcher
                    )
                }
            }
            if reloads.delivery.setFamily(of: widget, to: family) { hasNewFamily = true }
            let isNewToken = reloads.apns.replaceToken(
                of: widget,
                by: entry.pushToken,
                using: &scratch.identifiers,
                in: &reloads.delivery
            )
            if isNewToken { hasNewToken = true }
            reloads.delivery.append(widget, to: device, after: last)
            last = widget
        }
        let gone = old.remaining
        remove(gone, into: &out)
        isChange = isChange || !gone.isEmpty
        if isChange { reloads.delivery.restorePending(device) }
        return ListChanges(isOtherList: isChange || hasNewFamily, hasNewToken: hasNewToken)
    }

    private mutating func change(
        _ widget: WidgetID,
        kind: KindID,
        configuration: ByteView,
        into out: inout Outbox
    ) -> Bool {
        reloads.change(
            widget,
            kind: kind,
            configuration: configuration,
            in: &matcher,
            during: &fanOuts,
            into: &out
        )
    }

    /// Removes a device with its widgets and all that is stored for them: configurations, tokens,
    /// budgets, dates and waiting reloads. If the frame that removes it came on another connection
    /// than that of its gateway, the gateway is informed; `none` stands for no frame.
    mutating func remove(
        _ device: DeviceID,
        from connection: ConnectionSlot,
        into out: inout Outbox
    ) {
        copyBeforeWrite(of: device)
        remove(reloads.delivery.detachWidgets(of: device), into: &out)
        reloads.delivery.restorePending(device)
        reloads.delivery.reportDetached(device, from: connection, because: .removed, into: &out)
        out.observer.decisions.forget(device)
        out.agenda.lanes.remove(device)
        reloads.apns.remove(device, in: &reloads.delivery)
        reloads.delivery.removeDevice(device)
        recordChanged(of: device)
    }

    private mutating func remove(_ widgets: [WidgetID], into out: inout Outbox) {
        out.work.charge(widgets.count &* WorkCost.registration)
        for widget in widgets {
            reloads.remove(widget, from: &matcher, during: &fanOuts, into: &out)
        }
    }
}
