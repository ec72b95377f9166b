internal import ReloadModel

/// Devices that a RELOAD is due for, first in first out, in memory that is used again.
///
///     devices   d7 d3 d9 d1 d4 …
///     runs      ── came at 5 ──│── came at 8 ── …
struct ReadyQueue {
    /// Devices behind each other that pushes have made ready which came together.
    private struct Run {
        /// The place behind the last of them.
        var end: Int
        var arrival: Int64
    }

    private var devices: ContiguousArray<DeviceID> = []
    private var head = 0
    private var runs: ContiguousArray<Run> = []
    private var run = 0
    /// When the push came that has made the device ready which was taken out last; 0 if it was no
    /// push.
    private(set) var arrival: Int64 = 0

    var isEmpty: Bool { head == devices.count }
    var count: Int { devices.count - head }

    mutating func append(_ device: DeviceID, arrival: Int64) {
        devices.append(device)
        let last = runs.count - 1
        if last >= 0 && runs[last].arrival == arrival {
            runs[last].end = devices.count
        } else {
            runs.append(Run(end: devices.count, arrival: arrival))
        }
    }

    /// The device so many places behind the first.
    func peek(_ distance: Int) -> DeviceID? {
        head + distance < devices.count ? devices[head + distance] : nil
    }

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
        }
        return device
    }
}
