internal import ReloadModel

/// Apps that an operator has paused: their pushes are not taken, and their reloads wait.
///
/// It lasts until they are resumed or the process ends. What waits is what waited anyway: timers stay
/// in the wheel, turns in the origins' queues, and RELOADs in their devices' pending chains, whose
/// devices the agenda keeps.
struct PausedApps {
    /// How long the timer of a paused app's widget is put off at least, in ms; twice as long at most,
    /// so that those that have expired together do not all come back together.
    static var retryTime: Int64 { 5_000 }

    private(set) var apps: Set<AppID> = []
    /// The origins of these apps.
    private var origins: Set<UInt32> = []

    @inline(__always)
    var isEmpty: Bool { apps.isEmpty }

    @inline(__always)
    func has(_ app: AppID) -> Bool { !apps.isEmpty && apps.contains(app) }

    @inline(__always)
    func has(origin: UInt32) -> Bool { !origins.isEmpty && origins.contains(origin) }

    mutating func insert(_ app: AppID) { apps.insert(app) }

    mutating func remove(_ app: AppID) { apps.remove(app) }

    mutating func setOrigins(_ origins: Set<UInt32>) { self.origins = origins }
}
