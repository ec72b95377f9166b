package import ReloadModel
package import RouterMetrics

/// How a router does at one moment, beside its counters: plain values.
package struct RouterFigures: Equatable, Sendable {
    /// Apps that are told by name; further ones are told together.
    package static var appLimit: Int { 100 }
    /// The same of origins.
    package static var originLimit: Int { 100 }
    /// Hot keys that are told.
    package static var keyLimit: Int { 20 }
    /// How far ahead origins' seconds are looked at.
    package static var ledgerSeconds: Int { 120 }
    /// The name of what is beyond a limit; an app of this name is counted among them.
    package static var others: String { "(others)" }

    package var pending = PendingFigures()
    package var roles = RoleCounts()
    package var stored = StoredCounts()
    /// The most that `stored.bytes` may be.
    package var storedBytesLimit = 0
    /// Devices that a RELOAD is due for.
    package var readyDevices = 0
    /// Widgets that pushes concern and that are still to be handed out.
    package var fanOutMatches = 0
    /// Timers that run.
    package var timers = 0
    package var memory = MemoryFigures()
    /// In the order in which they were first declared, so that they keep their names; beyond
    /// `appLimit` one for all others.
    package var apps: [AppFigures] = []
    /// How many are paused of all apps, also of those that are told together.
    package var pausedApps = 0
    package var origins: [OriginFigures] = []
    /// The hottest first.
    package var hotKeys: [HotKeyFigures] = []

    package init() {}
}

/// Reloads that wait, by what they wait for.
package struct PendingFigures: Equatable, Sendable {
    package var debounced = 0
    package var deferred = 0
    package var queued = 0
    package var held = 0
    package var ready = 0

    package init() {}

    package var total: Int { debounced + deferred + queued + held + ready }
}

/// Bytes that are held from the system, used or not.
package struct MemoryFigures: Equatable, Sendable {
    /// Values, keys and what they lead to.
    package var index = 0
    /// Widgets, devices and their names, and what pushes are read with.
    package var widgets = 0
    /// Budgets, dates and timers, without the origins' ledgers.
    package var schedules = 0
    /// What widgets show and carry.
    package var fields = 0
    /// The last decisions on each device.
    package var decisions = 0
    /// With the producers, and without what the kernel has.
    package var connections = 0

    package init() {}
}

/// An app, and what was counted of it.
package struct AppFigures: Equatable, Sendable {
    package var app: String
    package var counts = AppCounts()
    package var isPaused = false
    /// What it has of what quotas bound; nil for what is not counted by app.
    package var used = AppQuotas()
    /// What it may have: as the app file says, or else a setting.
    package var quotas = AppQuotas()

    package init(app: String) {
        self.app = app
    }
}

/// An origin: who waits for it, and its busiest second of the next ones.
package struct OriginFigures: Equatable, Sendable {
    package var app: String
    /// Empty for the one that an app's kinds have if they name none.
    package var origin: String
    /// Entries of its queue; some may have gone another way meanwhile.
    package var waiting = 0
    /// The most that have their date in one second, and the most that were given a place in one.
    package var peakAsked = 0
    package var peakGiven = 0

    package init(app: String, origin: String) {
        self.app = app
        self.origin = origin
    }
}

/// A key by which many pushes have found widgets lately.
package struct HotKeyFigures: Equatable, Sendable {
    package var app: String
    package var kind: String
    /// Such as `character=elf-42`.
    package var key: String
    /// About how many pushes, and how many widgets they have found.
    package var pushes: UInt64
    package var matched: UInt64

    package init(app: String, kind: String, key: String, pushes: UInt64, matched: UInt64) {
        self.app = app
        self.kind = kind
        self.key = key
        self.pushes = pushes
        self.matched = matched
    }
}
