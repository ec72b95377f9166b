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

    /// Lets all widgets adopt at once what they have yet to adopt, if one of an app file's kinds is
    /// being adopted: it can change only once it is.
    mutating func finishAdoption(of declarations: AppCatalog, into out: inout Outbox) {
        if !reloads.catalog.adoption.isActive { return }
        for declaration in declarations.apps {
            guard let app = reloads.catalog.appsByName[Array(declaration.app.utf8)] else {
                continue
            }
            for kind in declaration.kinds {
                guard let number = reloads.catalog.apps[app].kindsByName[Array(kind.kind.utf8)],
                    reloads.catalog.adoption.has(number)
                else { continue }
                return finishAdoption(into: &out)
            }
        }
    }

    /// Lets all widgets adopt at once what they have yet to adopt.
    mutating func finishAdoption(into out: inout Outbox) {
        while reloads.catalog.adoption.isActive { adoptRules(devices: 1, into: &out) }
    }
}
