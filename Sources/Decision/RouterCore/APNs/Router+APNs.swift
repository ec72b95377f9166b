package import Basics

/// Pushes by APNs, which the driver takes when it can send them.
///
///     step ─► forEachLaneWithAPNsPushes ─► makeAPNsPush … ─► APNs ─► apnsPushEnded
extension Router {
    /// The settings for APNs of an app; nil if it has none.
    package func apnsSettings(of app: AppID) -> APNsSettings? {
        state.reloads.catalog.apps.has(app) ? state.reloads.catalog.apnsSettings(of: app) : nil
    }

    /// The apps with settings for APNs, in the order of their numbers.
    package var appsWithAPNs: [AppID] {
        state.reloads.catalog.apps.ids.filter { state.reloads.catalog.hasAPNsSettings($0) }
    }

    /// The name of an app.
    package func appName(_ app: AppID) -> String { state.reloads.catalog.apps[app].declaration.app }

    /// Calls `body` with each lane in which devices wait and whose app is not paused. The app may
    /// have no settings any more, and the devices may turn out to need no push.
    ///
    /// - Complexity: proportional to the lanes in which devices wait.
    package func forEachLaneWithAPNsPushes(_ body: (APNsLaneID) -> Void) {
        for lane in outbox.agenda.lanes.active where !state.reloads.schedules.paused.has(lane.app) {
            body(lane)
        }
    }

    /// Whether devices wait in a lane, whose app has settings and is not paused; they may turn out
    /// to need no push.
    package func hasAPNsPushes(in lane: APNsLaneID) -> Bool {
        outbox.agenda.lanes.count(in: lane) > 0 && !state.reloads.schedules.paused.has(lane.app)
            && state.reloads.catalog.hasAPNsSettings(lane.app)
    }

    /// Makes the next push of a lane, which is under way until `apnsPushEnded`; nil if there is
    /// none to be made now.
    package mutating func makeAPNsPush(in lane: APNsLaneID) -> OutgoingAPNsPush? {
        if !hasAPNsPushes(in: lane) { return nil }
        while let device = outbox.agenda.lanes.popFirst(in: lane) {
            outbox.work.charge(WorkCost.reload)
            if !state.reloads.delivery.isAPNsPushDue(to: device) { continue }
            if state.reloads.apns.lane(of: device, in: state.reloads.delivery) != lane {
                state.reloads.delivery.enqueue(
                    device,
                    apns: state.reloads.apns,
                    in: &outbox.agenda
                )
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
        for app in state.reloads.catalog.apps.ids where state.reloads.catalog.hasAPNsSettings(app) {
            for lane in APNsLaneID.all(of: app) {
                while let push = makeAPNsPush(in: lane) {
                    apnsPushEnded(push.device, number: push.number, outcome: .accepted)
                }
            }
        }
    }

    /// The token that a push goes to; valid until the router changes.
    package func pushToken(of push: OutgoingAPNsPush) -> ByteView {
        let owner = TokenOwner(device: push.device, control: push.control, channel: push.channel)
        return state.reloads.apns.text(of: owner, in: state.reloads.delivery)
    }

    /// The kinds that a push reloads, in the order of the device's widgets: what a background push
    /// has to name.
    package func kinds(of push: OutgoingAPNsPush) -> [String] {
        var kinds: [KindID] = []
        var widget = state.reloads.delivery.devices[push.device].firstWidget
        while !widget.isNone {
            let record = state.reloads.delivery.widgets[widget]
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
        if !state.reloads.apns.isPushing(device, number: number, in: state.reloads.delivery) {
            return
        }
        var outcome = outcome.clamped
        if outcome == .accepted
            && state.reloads.apns.isTrialForControls(device, in: state.reloads.delivery)
        {
            outcome = .acceptedOnTrial
        }
        commit(.apnsPushEnded(device: device, number: number, outcome: outcome))
    }
}
