internal import Basics

/// Devices adopt the rules of their widgets' kinds and their app's settings for APNs, some devices
/// at a time.
extension ReloadState {
    /// The next `count` devices adopt the rules of their widgets' kinds, and their app's settings.
    mutating func adoptRules(devices count: Int, into out: inout Outbox) {
        for _ in 0..<count where reloads.catalog.adoption.isActive {
            let device = reloads.catalog.adoption.next
            let adoption = reloads.catalog.adoption
            reloads.catalog.adoption.advance(end: reloads.delivery.devices.ids.count)
            if !reloads.delivery.isStored(device) { continue }
            reloads.adopt(device, into: &out) { adoption.formerRules(of: $0, on: device) }
            if adoption.hasFormerSettings(of: reloads.delivery.devices[device].app, on: device) {
                settingsChanged(of: device, into: &out)
                reloads.resumeReached(device, into: &out)
            }
        }
    }

    /// Lets all widgets adopt at once what they have yet to adopt.
    mutating func finishAdoption(into out: inout Outbox) {
        while reloads.catalog.adoption.isActive { adoptRules(devices: 1, into: &out) }
    }
}
