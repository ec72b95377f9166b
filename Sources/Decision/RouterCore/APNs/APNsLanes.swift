internal import Basics

/// The devices to which APNs pushes are due, by lane.
///
///     append ──► the queue of a lane ──► popFirst
///                     └─ the first entry makes the lane active, the last one that leaves ends that
///
/// What looks for pushes looks at active lanes alone, so that apps without any cost nothing. An
/// entry of a device that has left its lane is stale, and is dropped when it is met.
struct APNsLanes {
    /// By `APNsLaneID.index`.
    private var queues: ContiguousArray<APNsQueue> = []
    /// The devices with a valid entry.
    private var devices = DeviceSet()
    /// The number of these devices.
    private(set) var deviceCount = 0
    /// The lanes with entries, some of them perhaps stale; in no order.
    private(set) var active: ContiguousArray<APNsLaneID> = []

    /// The stale entries of a lane that are never dropped before they are met.
    private static var staleEntries: Int { 64 }

    /// Queues a device for a push, unless it is queued for one.
    mutating func append(_ device: DeviceID, in lane: APNsLaneID, isUrgent: Bool) {
        if !devices.insert(device) { return }
        deviceCount += 1
        enter(device, in: lane, isUrgent: isUrgent)
    }

    /// Moves a device ahead in its lane; does nothing if it is in none.
    mutating func expedite(_ device: DeviceID, in lane: APNsLaneID) {
        if devices.contains(device) { enter(device, in: lane, isUrgent: true) }
    }

    /// Takes a device out of its lane, because it is removed, or belongs into another one.
    mutating func remove(_ device: DeviceID) {
        // An entry that remains becomes stale.
        if devices.remove(device) { deviceCount -= 1 }
    }

    /// The entries of a lane, some of them perhaps stale.
    func count(in lane: APNsLaneID) -> Int {
        lane.index < queues.count ? queues[lane.index].count : 0
    }

    /// Removes and returns the next device of a lane that is queued for a push; nil if there is
    /// none.
    mutating func popFirst(in lane: APNsLaneID) -> DeviceID? {
        if lane.index >= queues.count { return nil }
        defer { deactivateIfEmpty(lane) }
        while let device = queues[lane.index].popFirst() {
            if devices.remove(device) {
                deviceCount -= 1
                return device
            }
        }
        return nil
    }

    /// Adds an entry to a lane. A lane that is stopped is not emptied, so its stale entries are
    /// dropped when they are as many as all devices in lanes: then each costs as much as adding it.
    private mutating func enter(_ device: DeviceID, in lane: APNsLaneID, isUrgent: Bool) {
        while queues.count <= lane.index { queues.append(APNsQueue()) }
        queues[lane.index].append(device, isUrgent: isUrgent)
        if queues[lane.index].place == nil {
            queues[lane.index].place = active.count
            active.append(lane)
        }
        if queues[lane.index].count > 2 * deviceCount + Self.staleEntries {
            queues[lane.index].compact(keeping: devices)
            deactivateIfEmpty(lane)
        }
    }

    private mutating func deactivateIfEmpty(_ lane: APNsLaneID) {
        guard queues[lane.index].count == 0, let place = queues[lane.index].place else { return }
        queues[lane.index].place = nil
        let last = active.removeLast()
        if last == lane { return }
        active[place] = last
        queues[last.index].place = place
    }
}
