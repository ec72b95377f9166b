internal import Basics

/// The devices of a lane to which pushes are due: those with an urgent one first.
struct APNsQueue {
    private var urgent = ReadyQueue()
    private var ready = ReadyQueue()
    /// Where the lane is in `APNsLanes.active`; nil if it has no entries.
    var place: Int?

    /// The number of entries; several may be of the same device.
    var count: Int { urgent.count + ready.count }

    mutating func append(_ device: DeviceID, isUrgent: Bool) {
        if isUrgent {
            urgent.append(device, arrival: .none)
        } else {
            ready.append(device, arrival: .none)
        }
    }

    /// Drops the entries of devices that are not in `valid`, and all but the first of each other
    /// device.
    mutating func compact(keeping valid: borrowing DeviceSet) {
        var former = APNsQueue()
        former.place = place
        swap(&former, &self)
        var seen = DeviceSet()
        while let device = former.urgent.popFirst() {
            if valid.contains(device) && seen.insert(device) { append(device, isUrgent: true) }
        }
        while let device = former.ready.popFirst() {
            if valid.contains(device) && seen.insert(device) { append(device, isUrgent: false) }
        }
    }

    /// Removes and returns the next device; nil if none is queued.
    mutating func popFirst() -> DeviceID? { urgent.popFirst() ?? ready.popFirst() }
}
