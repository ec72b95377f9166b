internal import Basics
internal import LoadReporting

/// What APNs does with the pushes that it has accepted: it delivers each after a while, keeps one
/// for a device without a network, and drops what has expired.
///
///     accepted ──delay──► delivered
///        └─ no network ─► kept, the latest alone ──network──► delivered, or expired
struct FleetInbox {
    /// The pushes that have not come to their devices: when each expires. A device has one at most.
    private var kept: [Int: WallTime] = [:]
    /// The pushes of each device so far that were accepted, and what could have caused one.
    private var accepted: ContiguousArray<UInt32>
    private var causes: ContiguousArray<UInt32>
    /// The number of the last publisher's push that counts as a cause, for each device.
    private var lastCause: ContiguousArray<Int>
    /// True for each device whose app is gone.
    private var gone: ContiguousArray<Bool>
    private var random: SplitMix64
    private let plan: APNsPlan
    /// What was counted.
    private var counts = FleetReport.APNs()

    init(_ plan: APNsPlan, devices: Int, seed: UInt64) {
        self.plan = plan
        accepted = ContiguousArray(repeating: 0, count: devices)
        causes = ContiguousArray(repeating: 0, count: devices)
        lastCause = ContiguousArray(repeating: -1, count: devices)
        gone = ContiguousArray(repeating: false, count: devices)
        // A random stream that differs from those of the devices.
        random = SplitMix64(seed: seed, stream: 1 << 42)
    }

    /// Starts the measurement.
    mutating func begin() { counts = FleetReport.APNs() }

    // MARK: - Causes

    /// A publisher's push matches a widget of a device. Several widgets of it are one cause.
    mutating func matched(_ device: Int, push number: Int) {
        if lastCause[device] == number { return }
        lastCause[device] = number
        causes[device] += 1
    }

    /// The router is to push to a device for another reason: a date, or a request of its app.
    mutating func expects(_ device: Int) { causes[device] += 1 }

    // MARK: - Pushes

    /// APNs has accepted a push, which is of no use after `expiry`; returns how long it takes.
    mutating func accept(_ device: Int, expiry: WallTime) -> Milliseconds {
        counts.accepted += 1
        accepted[device] += 1
        // More than could have been caused: one has come twice.
        if accepted[device] > causes[device] { counts.duplicates += 1 }
        if kept.updateValue(expiry, forKey: device) != nil { counts.replaced += 1 }
        return delay()
    }

    /// How long a push takes.
    mutating func delay() -> Milliseconds {
        plan.delay > 0 ? .milliseconds(Int64(random.exponential(mean: plan.delay))) : .zero
    }

    /// Whether a push is kept for a device.
    func hasPush(for device: Int) -> Bool { kept[device] != nil }

    /// Whether a push is kept for any device of which this holds.
    func hasPush(forAny condition: (Int) -> Bool) -> Bool { kept.keys.contains(where: condition) }

    /// The counts of the run, at its end.
    var summary: FleetReport.APNs {
        var summary = counts
        summary.kept = kept.count
        return summary
    }

    /// A device with a network gets what is kept for it; returns whether that is a push that has
    /// not expired.
    mutating func deliver(to device: Int, at now: WallTime) -> Bool {
        guard let expiry = kept.removeValue(forKey: device) else { return false }
        if expiry < now {
            counts.expired += 1
            return false
        }
        counts.delivered += 1
        return true
    }

    // MARK: - Devices without the app

    /// Chooses the devices whose owners have removed the app; returns their numbers.
    mutating func removeApps() -> [Int] {
        for device in gone.indices where random.unit() * 100 < plan.deadPercent {
            gone[device] = true
        }
        counts.devicesGone = gone.count { $0 }
        return gone.indices.filter { gone[$0] }
    }

    /// Whether a device has no such app any more.
    func isGone(_ device: Int) -> Bool { gone[device] }
}
