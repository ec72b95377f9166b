package import Basics
internal import FrameCodec

/// The end of devices: by an operator, or when nothing has been heard of them for
/// `RouterLimits.deviceIdle` (`DeliveryTable.heard`).
///
///     DELETE ───────────────────────────────────┐
///     once a second: the next devices ─► overdue? ─► [ `removed` in the journal ]
///
/// Which ones end, and when, is in the journal, because it depends on a setting that may differ in
/// the next process. All devices are looked at in turn, a few each second: 16 million in about an
/// hour, which is nothing against the time that they may be idle.
extension Router {
    /// Does what is due about once a second: adapts the counts of hot keys, and forgets idle
    /// producers and devices and old keys of requests.
    mutating func forgetIdle() {
        watchKeys()
        if !state.fanOuts.isSearching {
            forgetIdleProducers(atMost: RouterLimits.producersPerTick)
            forgetIdleDevices()
        }
        forgetOldRequestKeys(atMost: RouterLimits.requestKeysPerSweep)
    }

    /// The devices that are looked at in a second.
    private static var devicesPerSweep: Int { 4_096 }
    /// The work of removing devices in a second, so that it takes less than half a millisecond; at
    /// least one is removed. 160 widgets a second are 13 million a day.
    private static var removalsPerSweep: Int { 160 * WorkCost.registration }

    /// Removes devices of which nothing has been heard for long, among the next ones.
    mutating func forgetIdleDevices() {
        let end = state.reloads.delivery.devices.end
        var left = min(Self.devicesPerSweep, Int(end))
        let most = outbox.work.spent + Self.removalsPerSweep
        while left > 0, outbox.work.spent < most {
            if nextIdleDevice >= end { nextIdleDevice = 0 }
            let device = DeviceID(rawValue: nextIdleDevice)
            let isOverdue = state.reloads.delivery.isOverdue(
                device,
                limit: limits.deviceIdle,
                clock: state.reloads.clock
            )
            if isOverdue { forget(device) }
            nextIdleDevice += 1
            left -= 1
        }
    }

    /// Removes a device with everything that is stored for it, because an operator asks for it. Its
    /// app need not be declared any more; the router must not be busy.
    ///
    /// - Throws: `app-unknown` or `device-unknown`.
    package mutating func forgetDevice(
        _ name: String,
        app: String,
        now: Instant
    ) throws(ProtocolError) {
        assert(!isSearching, "a match of the search may name its widgets")
        tick(now)
        let app = try knownApp(app)
        forget(try storedDevice(name, of: app))
    }

    private mutating func forget(_ device: DeviceID) {
        let app = state.reloads.delivery.devices[device].app
        if capture.isOn {
            let name = state.reloads.delivery.deviceName(device).string
            Array("{\"device\":\"\(name)\",\"widgets\":[]}".utf8).withByteView { body in
                let app = state.reloads.catalog.apps[app].declaration.app
                capture.recordReport(.widgets, app: app, body: body)
            }
        }
        commit(.deviceForgotten(device: device))
        outbox.observer.counters.devicesForgotten += 1
    }
}
