internal import ReloadModel
internal import Times

/// The devices of a lane to which pushes are due: those with an urgent one first.
struct PushQueue {
    private var urgent = ReadyQueue()
    private var ready = ReadyQueue()

    /// Whether no device is queued; those that are may turn out to need no push.
    var isEmpty: Bool { urgent.isEmpty && ready.isEmpty }
    /// The number of entries.
    var count: Int { urgent.count + ready.count }

    mutating func append(_ device: DeviceID, isUrgent: Bool) {
        if isUrgent {
            urgent.append(device, arrival: .none)
        } else {
            ready.append(device, arrival: .none)
        }
    }

    /// Removes and returns the next device; nil if none is queued.
    mutating func popFirst() -> DeviceID? { urgent.popFirst() ?? ready.popFirst() }
}
