internal import Basics

/// A queue of devices with pending RELOADs, first in, first out, in memory that is reused.
///
///     devices   d7 d3 d9 d1 d4 …
///     runs      ── came at 5 ──│── came at 8 ── …
struct ReadyQueue {
    /// Devices in succession that were queued because of pushes that arrived together.
    struct Run {
        /// The index after the last of them.
        var end: Int
        /// When the pushes arrived; `none` if something else has queued the devices.
        var arrival: ExactTime
    }

    /// The queued devices in their order; those before `head` are dequeued already.
    private(set) var devices: ContiguousArray<DeviceID> = []
    /// The index in `devices` of the next device to dequeue.
    private(set) var head = 0
    /// The runs of `devices`, in their order, without gaps.
    private(set) var runs: ContiguousArray<Run> = []
    /// The index in `runs` of the run that the last dequeued device was in.
    private(set) var run = 0
    /// When the push arrived because of which the last dequeued device was queued; `none` if it was
    /// not because of a push.
    private(set) var arrival = ExactTime.none

    var isEmpty: Bool { head == devices.count }
    var count: Int { devices.count - head }
    /// The number of devices for which there is memory.
    var capacity: Int { devices.capacity }

    /// Enqueues a device, with the arrival of the push that causes it, or `none`.
    mutating func append(_ device: DeviceID, arrival: ExactTime) {
        devices.append(device)
        let last = runs.count - 1
        if last >= 0 && runs[last].arrival == arrival {
            runs[last].end = devices.count
        } else {
            runs.append(Run(end: devices.count, arrival: arrival))
        }
    }

    /// The device at a distance from the front of the queue; nil if the queue is shorter.
    func peek(_ distance: Int) -> DeviceID? {
        head + distance < devices.count ? devices[head + distance] : nil
    }

    /// Dequeues the next device and sets `arrival`; nil if the queue is empty.
    mutating func popFirst() -> DeviceID? {
        if head == devices.count { return nil }
        let device = devices[head]
        if head == runs[run].end { run += 1 }
        arrival = runs[run].arrival
        head += 1
        if head == devices.count {
            devices.removeAll(keepingCapacity: true)
            runs.removeAll(keepingCapacity: true)
            head = 0
            run = 0
        } else if head >= Self.compactionStep && 2 * head >= devices.count {
            compact()
        }
        return device
    }

    /// The least number of dequeued devices whose memory is reused before the queue is empty.
    private static var compactionStep: Int { 4_096 }

    /// Reuses the memory of the dequeued devices: under constant load the queue is never empty.
    ///
    /// It moves no more devices than were dequeued since the last time.
    @inline(never)
    private mutating func compact() {
        devices.removeFirst(head)
        runs.removeFirst(run)
        for index in runs.indices { runs[index].end -= head }
        head = 0
        run = 0
    }
}
