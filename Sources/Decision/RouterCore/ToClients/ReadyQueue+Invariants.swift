internal import Basics

extension ReadyQueue {
    /// Checks that the runs (`ReadyQueue.Run`) divide the queue without gaps, and that `run` is the
    /// index of the next device's run.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head <= devices.count,
            otherwise: "\(head) devices were dequeued of \(devices.count)"
        )
        var begin = 0
        for index in runs.indices {
            try checkInvariant(
                runs[index].end > begin,
                otherwise: "run \(index) ends at \(runs[index].end), and begins at \(begin)"
            )
            begin = runs[index].end
        }
        try checkInvariant(
            begin == devices.count,
            otherwise: "the last run ends at \(begin), and there are \(devices.count) devices"
        )
        try checkInvariant(
            isEmpty || run < runs.count && head <= runs[run].end,
            otherwise: "device \(head) is next, which is not of run \(run)"
        )
    }

    /// Calls `body` with each device that is queued, stale entries included.
    func visit(_ body: (DeviceID) -> Void) {
        for device in devices[head...] { body(device) }
    }
}
