internal import Basics

/// The apps that an operator has paused: their pushes are not accepted, and their reloads wait.
///
/// A pause lasts until the app is resumed or the process ends. A reload waits in the stage that it
/// has reached: its timer stays in the wheel, its widget in the origin's queue or in the device's
/// pending chain, and the agenda keeps the devices that have such a chain.
struct PausedApps {
    /// For how long the expired timer of a paused app's widget is set again: from once to
    /// twice this time, so that timers that expired together expire at different times afterwards.
    static var retryInterval: Milliseconds { .seconds(5) }

    private(set) var apps: Set<AppID> = []
    /// The origins of these apps.
    private var origins: Set<OriginID> = []

    /// Whether no app is paused.
    @inline(__always)
    var isEmpty: Bool { apps.isEmpty }

    /// Whether the app is paused.
    @inline(__always)
    func has(_ app: AppID) -> Bool { !apps.isEmpty && apps.contains(app) }

    /// Whether the origin belongs to a paused app.
    @inline(__always)
    func has(origin: OriginID) -> Bool { !origins.isEmpty && origins.contains(origin) }

    /// Pauses an app; `setOrigins` must follow.
    mutating func insert(_ app: AppID) { apps.insert(app) }

    /// Resumes an app; `setOrigins` must follow.
    mutating func remove(_ app: AppID) { apps.remove(app) }

    /// Replaces `origins` by the numbers of all origins that belong to paused apps.
    mutating func setOrigins(_ origins: Set<OriginID>) { self.origins = origins }
}
