package import Basics

/// Pushes by APNs, which the driver takes when it can send them.
///
///     step ─► forEachLaneWithAPNsPushes ─► makeAPNsPush … ─► APNs ─► apnsPushEnded
extension Router {
    /// The settings for APNs of an app; nil if it has none.
    package func apnsSettings(of app: AppID) -> APNsSettings? {
        state.catalog.apps.has(app) ? state.apnsSettings(of: app) : nil
    }

    /// The apps with settings for APNs, in the order of their numbers.
    package var appsWithAPNs: [AppID] {
        state.catalog.apps.ids.filter { state.hasAPNsSettings($0) }
    }

    /// The name of an app.
    package func appName(_ app: AppID) -> String { state.catalog.apps[app].declaration.app }

    /// Calls `body` with each lane in which devices wait and whose app is not paused; they may turn
    /// out to need no push.
    ///
    /// - Complexity: proportional to the lanes in which devices wait.
    package func forEachLaneWithAPNsPushes(_ body: (APNsLaneID) -> Void) {
        for lane in outbox.agenda.lanes.active where !state.paused.has(lane.app) { body(lane) }
    }

    /// Whether devices wait in a lane, whose app has settings and is not paused; they may turn out
    /// to need no push.
    package func hasAPNsPushes(in lane: APNsLaneID) -> Bool {
        outbox.agenda.lanes.count(in: lane) > 0 && !state.paused.has(lane.app)
            && state.hasAPNsSettings(lane.app)
    }

    /// Makes the next push of a lane. It is under way until `apnsPushEnded`.
    ///
    /// - Parameter lane: the lane.
    /// - Returns: the push; nil if there is none to be made now.
    package mutating func makeAPNsPush(in lane: APNsLaneID) -> OutgoingAPNsPush? {
        if !hasAPNsPushes(in: lane) { return nil }
        while let device = outbox.agenda.lanes.popFirst(in: lane) {
            outbox.work.charge(WorkCost.reload)
            if !state.isAPNsPushDue(to: device) { continue }
            if state.delivery.lane(of: device) != lane {
                state.delivery.enqueue(device, in: &outbox.agenda)
                continue
            }
            outbox.apnsPush = nil
            commit(.delivered(device: device))
            if let push = outbox.apnsPush { return push }
        }
        return nil
    }

    /// Makes all pushes that are due, as if APNs accepted each of them at once.
    mutating func acceptAPNsPushes() {
        for app in state.catalog.apps.ids where state.hasAPNsSettings(app) {
            for lane in APNsLaneID.all(of: app) {
                while let push = makeAPNsPush(in: lane) {
                    apnsPushEnded(push.device, number: push.number, outcome: .accepted)
                }
            }
        }
    }

    /// The token that a push goes to; valid until the router changes.
    package func pushToken(of push: OutgoingAPNsPush) -> ByteView {
        switch push.channel {
        case .widgets: state.delivery.pushToken(push.device)
        case .background: state.delivery.text(of: state.delivery.appToken(push.device))
        case .controls: state.delivery.text(of: state.delivery.controlToken(push.control))
        }
    }

    /// The kinds that a push reloads, in the order of the device's widgets: what a background push
    /// has to name.
    package func kinds(of push: OutgoingAPNsPush) -> [String] {
        var kinds: [KindID] = []
        var widget = state.delivery.devices[push.device].firstWidget
        while !widget.isNone {
            let record = state.delivery.widgets[widget]
            if record.lastReload == push.number && !kinds.contains(record.kind) {
                kinds.append(record.kind)
            }
            widget = record.nextOfDevice
        }
        return kinds.map { kindName($0) }
    }

    /// Records what became of a push. A push that is not under way any more, because its
    /// device was removed or registered anew, is ignored.
    package mutating func apnsPushEnded(
        _ device: DeviceID,
        number: UInt64,
        outcome: APNsPushOutcome
    ) {
        if !state.isPushing(device, number: number) { return }
        var outcome = outcome.clamped
        if outcome == .accepted && state.isTrialForControls(device) { outcome = .acceptedOnTrial }
        commit(.apnsPushEnded(device: device, number: number, outcome: outcome))
    }
}

extension ReloadState {
    /// Whether a push to a device is due, apart from the time: it has pending reloads, no session,
    /// and no push under way.
    func isAPNsPushDue(to device: DeviceID) -> Bool {
        if !delivery.isStored(device) { return false }
        let record = delivery.devices[device]
        return record.has(DeviceRecord.pushable) && !record.has(DeviceRecord.pushing)
            && !record.firstPending.isNone && !delivery.isAttached(record)
    }
}
