internal import ReloadModel

/// Apps that an operator has paused: their pushes are not taken, and their reloads wait.
///
/// A pause lasts until the app is resumed or the process ends. A reload waits at the place that it has
/// reached: its timer stays in the wheel, its widget in the origin's queue or in the device's pending
/// chain, and the agenda keeps the devices that have such a chain.
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
