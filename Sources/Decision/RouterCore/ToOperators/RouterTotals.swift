package import Basics

/// The state of a router at one moment in numbers; what it has done is in `RouterCounters`.
package struct RouterTotals: Equatable, Sendable {
    /// The number of apps that are listed by name; further ones are added up.
    package static var appLimit: Int { 100 }
    /// The number of origins that are listed by name; further ones are added up.
    package static var originLimit: Int { 100 }
    /// The number of hot keys that are listed.
    package static var keyLimit: Int { 20 }
    /// The number of coming seconds that are examined in each origin's ledger.
    package static var ledgerSeconds: Int { 120 }
    /// The name of the apps and origins beyond a limit; an app of this name is added to them.
    package static var others: String { "(others)" }

    /// Pending reloads by what they wait for.
    package var pending = PendingTotals()
    /// Connections by role.
    package var roles = RoleCounts()
    /// What is stored.
    package var stored = StoredCounts()
    /// Widgets whose kind the app file does not declare, so that no push matches them.
    package var undeclaredWidgets = 0
    /// Devices whose tokens are revoked.
    package var revocations = 0
    /// The upper limit of `stored.bytes`.
    package var storedBytesLimit = 0
    /// Entries of devices in the queues for the next steps; some may be stale, and a device may
    /// have two.
    package var readyDevices = 0
    /// Matches of fan-outs that have not been applied yet.
    package var fanOutMatches = 0
    /// Devices that wait for a push by APNs; some entries may be stale, and a device may have two.
    package var pushesWaiting = 0
    /// Push tokens to which APNs accepts nothing.
    package var deadTokens = 0
    /// Timers that are set; a widget has at most one.
    package var timers = 0
    /// Memory by what it is used for.
    package var memory = MemoryTotals()
    /// The apps in the order in which they were first declared; beyond `appLimit`, one entry for
    /// all others.
    package var apps: [AppTotals] = []
    /// The number of paused apps, including those that are not listed by name.
    package var pausedApps = 0
    /// The origins in the order in which they were first declared; beyond `originLimit`, one entry
    /// for all others.
    package var origins: [OriginTotals] = []
    /// The keys by which the most pushes have found widgets recently, the hottest first.
    package var hotKeys: [HotKeyTotals] = []

    /// Makes totals that are all 0 or empty.
    package init() {}
}

/// The numbers of pending reloads by what they wait for.
package struct PendingTotals: Equatable, Sendable {
    /// Reloads that wait for the end of a debounce window.
    package var debounced = 0
    /// Reloads that wait for their budget or spacing, or because of a loop of requests.
    package var deferred = 0
    /// Reloads that wait for a permit of their origin.
    package var queued = 0
    /// Reloads that wait for a session of their device.
    package var awaitingSession = 0
    /// Reloads that are sent in the next steps, as soon as their connection accepts output.
    package var ready = 0

    /// All pending reloads.
    package var total: Int { debounced + deferred + queued + awaitingSession + ready }
}

/// Memory that is allocated from the system, used or not, in bytes.
package struct MemoryTotals: Equatable, Sendable {
    /// The index of values and keys, and the widgets found by them.
    package var index = 0
    /// Widgets, devices and their names, and the working memory of matching.
    package var widgets = 0
    /// Budgets, dates and timers, without the origins' ledgers.
    package var schedules = 0
    /// The values of observed and inlined fields.
    package var fields = 0
    /// The last decisions on each device, and the last pushes with what they have matched.
    package var decisions = 0
    /// Connections, sessions and producers, without the kernel's memory.
    package var connections = 0
    /// The minutes of all and of single apps and kinds, which the server keeps.
    package var history = 0
}

/// An app, and what was counted of it since the router started.
package struct AppTotals: Equatable, Sendable {
    /// The app's name.
    package var app: String
    /// Pushes, matches and RELOADs of the app.
    package var counts = AppCounts()
    /// Whether an operator has paused the app.
    package var isPaused = false
    /// What the app uses of each quota; for the apps beyond the limit, their sum.
    package var used = AppQuotas()
    /// The app's quotas: those of the app file, and the operator's settings for others.
    package var quotas = AppQuotas()
}

/// An origin: the length of its queue, and the busiest of its next seconds.
package struct OriginTotals: Equatable, Sendable {
    /// The name of its app.
    package var app: String
    /// The origin's name; empty for the origin of an app's kinds that name none.
    package var origin: String
    /// The entries of its queue; some may be of reloads that no longer wait there.
    package var waiting = 0
    /// The largest number of dates in one second, before they are spread.
    package var peakRequested = 0
    /// The largest number of slots that were given in one second.
    package var peakAssigned = 0
}

/// A key by which many pushes have found widgets recently.
package struct HotKeyTotals: Equatable, Sendable {
    /// The name of the app.
    package var app: String
    /// The name of the kind.
    package var kind: String
    /// The key as text, such as `character=elf-42`.
    package var key: String
    /// About how many pushes have found widgets by the key.
    package var pushes: UInt64
    /// About how many widgets these pushes have found by the key.
    package var matched: UInt64
}
