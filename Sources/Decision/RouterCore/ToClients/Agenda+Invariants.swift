internal import Basics
internal import ReloadScheduling

extension Agenda {
    /// Checks the wheel of timers and the queues.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("Agenda.timers", by: timers.checkInvariants())
        try checkPart("Agenda.ready", by: ready.checkInvariants())
        try checkPart("Agenda.urgent", by: urgent.checkInvariants())
        for queue in waiting.values {
            try checkPart("Agenda.waiting", by: queue.checkInvariants())
        }
    }

    /// The devices that the next step finds in `ready` and `urgent`, stale entries included.
    func readyDevices() -> Set<DeviceID> {
        var devices: Set<DeviceID> = []
        ready.visit { devices.insert($0) }
        urgent.visit { devices.insert($0) }
        return devices
    }

    /// Whether a device is among those that wait until a connection takes output.
    func isWaiting(_ device: DeviceID, for connection: ConnectionSlot) -> Bool {
        var isFound = false
        waiting[connection]?.visit { if $0 == device { isFound = true } }
        return isFound
    }

    /// Whether a device waits because its app is paused, or was resumed and the device has not
    /// continued yet.
    func isPaused(_ device: DeviceID, of app: AppID) -> Bool {
        paused[app]?.contains(device) ?? false || released.contains { $0.contains(device) }
    }
}
