internal import Basics
internal import Platform
internal import RouterCore

/// The pushes that have no answer yet, by the number under which their pool knows them: an index,
/// which is used again once its push has ended.
struct PushesUnderWay {
    struct Entry {
        let device: DeviceID
        /// What the router calls the push.
        let number: UInt64
        let lane: APNsLane
        let service: APNsService
        /// The provider token that it was sent with.
        let tokenNumber: UInt64
        let sentAt: ExactTime
    }

    private var entries: ContiguousArray<Entry?> = []
    private var free: ContiguousArray<Int> = []

    var count: Int { entries.count - free.count }

    /// Adds a push, and returns its index.
    mutating func insert(_ entry: Entry) -> UInt64 {
        guard let index = free.popLast() else {
            entries.append(entry)
            return UInt64(entries.count - 1)
        }
        entries[index] = entry
        return UInt64(index)
    }

    /// Removes the push with an index; nil if there is none.
    mutating func remove(_ index: UInt64) -> Entry? {
        guard index < entries.count, let entry = entries[Int(index)] else { return nil }
        entries[Int(index)] = nil
        free.append(Int(index))
        return entry
    }

    mutating func removeAll() {
        entries = []
        free = []
    }
}

extension PushesUnderWay.Entry {
    /// A push of a lane, as it is made now.
    init(_ push: OutgoingAPNsPush, of lane: APNsLane) {
        self.init(
            device: push.device,
            number: push.number,
            lane: lane,
            service: lane.service,
            tokenNumber: lane.service.tokenNumber,
            sentAt: .now
        )
    }
}
