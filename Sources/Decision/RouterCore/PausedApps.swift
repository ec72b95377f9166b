internal import ReloadModel

/// Apps that an operator has paused: their pushes are not taken, and their reloads wait.
///
/// It lasts until they are resumed or the process ends. What waits is what waited anyway: timers stay
/// in the wheel, turns in the origins' queues, and RELOADs in their devices' pending chains, whose
/// devices are kept here.
struct PausedApps {
    /// How long the timer of a paused app's widget is put off at least, in ms; twice as long at most,
    /// so that those that have expired together do not all come back together.
    static var retryTime: Int64 { 5_000 }

    private(set) var apps: Set<AppID> = []
    /// The origins of these apps.
    private var origins: Set<UInt32> = []
    private var devices: [AppID: DeviceSet] = [:]
    /// Of apps that have been resumed: they go on some at a time.
    private var released: [DeviceSet] = []
    /// When their publishers, which are not read from, were last sent a PING; ms, monotonic.
    var lastPing = Int64.min / 2

    @inline(__always)
    var isEmpty: Bool { apps.isEmpty }

    @inline(__always)
    func has(_ app: AppID) -> Bool { !apps.isEmpty && apps.contains(app) }

    @inline(__always)
    func has(origin: UInt32) -> Bool { !origins.isEmpty && origins.contains(origin) }

    mutating func insert(_ app: AppID) { apps.insert(app) }

    mutating func remove(_ app: AppID) {
        apps.remove(app)
        if let devices = devices.removeValue(forKey: app) { released.append(devices) }
    }

    mutating func setOrigins(_ origins: Set<UInt32>) { self.origins = origins }

    /// Lets a device of a paused app wait that something is pending for.
    mutating func wait(_ device: DeviceID, of app: AppID) {
        devices[app, default: DeviceSet()].insert(device)
    }

    /// Whether devices of an app that has been resumed are left.
    @inline(__always)
    var hasReleased: Bool { !released.isEmpty }

    /// Takes out a device that has waited; something else may have become of it meanwhile.
    mutating func popReleased() -> DeviceID? {
        while let last = released.indices.last {
            if let device = released[last].popLast() { return device }
            released.removeLast()
        }
        return nil
    }
}

/// Devices, a bit for each: what comes and goes again and again takes no more room.
private struct DeviceSet {
    private var words: [UInt64] = []

    mutating func insert(_ device: DeviceID) {
        let word = Int(device >> 6)
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(device & 63)
    }

    mutating func popLast() -> DeviceID? {
        while let word = words.last {
            if word == 0 {
                words.removeLast()
                continue
            }
            let bit = 63 - word.leadingZeroBitCount
            words[words.count - 1] &= ~(1 << UInt64(bit))
            return DeviceID((words.count - 1) << 6 | bit)
        }
        return nil
    }
}
