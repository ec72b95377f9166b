import APNsMock
import Platform
import Times

/// What a mock of APNs has accepted, by the numbers of the devices, which are their tokens.
final class APNsTally {
    /// How many pushes to each device were accepted.
    private var counts: ContiguousArray<Int>
    /// When each push was accepted, in order.
    private var times: ContiguousArray<ExactTime> = []
    /// Devices with at least one accepted push.
    private(set) var reachedCount = 0
    /// When a request last came, accepted or not; `none` before the first.
    private(set) var lastRequest = ExactTime.none

    init(devices: Int) {
        counts = ContiguousArray(repeating: 0, count: devices)
    }

    /// Counts a request by its answer.
    func put(_ request: MockRequest, answer: MockAnswer?) {
        lastRequest = .now
        guard answer?.status == 200, let device = request.token.flatMap({ Int($0) }),
            counts.indices.contains(device)
        else { return }
        if counts[device] == 0 { reachedCount += 1 }
        counts[device] += 1
        times.append(lastRequest)
    }

    /// Accepted pushes.
    var acceptedCount: Int { times.count }
    /// Devices without an accepted push.
    var lostCount: Int { counts.count - reachedCount }
    /// Accepted pushes beyond the first of each device.
    var duplicateCount: Int { times.count - reachedCount }
    /// When the first push was accepted; `none` before.
    var firstAccepted: ExactTime { times.first ?? .none }
    /// When the last push was accepted; `none` before the first.
    var lastAccepted: ExactTime { times.last ?? .none }

    /// The most pushes that were accepted within a second of a clock that is not known: that of
    /// which the busiest second is the least busy, to 10 ms.
    var busiestSecond: Int {
        guard let start = times.first else { return 0 }
        return (0..<100).map { shift in
            var counts: [Int64: Int] = [:]
            for time in times {
                counts[((time - start) / .milliseconds(10) + Int64(shift)) / 100, default: 0] += 1
            }
            return counts.values.max() ?? 0
        }.min() ?? 0
    }

    /// The most pushes that were accepted within any stretch of a second, across two seconds of the
    /// router's clock.
    var busiestStretch: Int {
        var (most, first) = (0, 0)
        for index in times.indices {
            while times[index] - times[first] >= .seconds(1) { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}

@available(*, unavailable)
extension APNsTally: Sendable {}
