/// A device's screen at a moment, as its page shows it.
package struct HomeScreenSnapshot: Codable, Equatable, Sendable {
    /// The device's name.
    package var device: String
    package var app: String
    package var online = true
    /// Whether the app is open.
    package var foreground = false
    /// What the app plays: `silent`, `audio` or `navigation`.
    package var media = "silent"
    /// The device's clock, in ms since 1970.
    package var now: Int64
    /// The page in sight, from 0 on; nil while nobody looks.
    package var page: Int?
    /// How many there are.
    package var pages = 1
    package var widgets: [WidgetSnapshot] = []

    package init(device: String, app: String, now: Int64) {
        self.device = device
        self.app = app
        self.now = now
    }
}

/// A widget on a device's screen.
package struct WidgetSnapshot: Codable, Equatable, Sendable {
    /// What became of a reload.
    package struct Reload: Codable, Equatable, Sendable {
        /// Why it happened.
        package var cause: String
        /// In ms since 1970.
        package var at: Int64
        /// Whether something else is to be seen since.
        package var changed: Bool

        package init(cause: String, at: Int64, changed: Bool) {
            self.cause = cause
            self.at = at
            self.changed = changed
        }
    }

    package var id: String
    package var kind: String
    package var displayName: String
    /// The name of its `WidgetFamily`.
    package var family: String
    /// In points.
    package var width: Double
    package var height: Double
    package var page = 0
    package var isPlaceholder = false
    package var text: [TextLine] = []
    /// Whether a provider works for it.
    package var isAsking = false
    package var isVisible = false
    package var lastReload: Reload?
    /// In ms since 1970; nil if none is known.
    package var nextReload: Int64?
    /// `never`, `atEnd` or `after`; nil while there is no timeline.
    package var policy: String?
    package var budgetUsed = 0
    /// Nil if its reloads are not counted.
    package var budgetAllowance: Int?
    /// How many entries its timeline has.
    package var entries = 0
    /// The one that is shown; nil if there is none.
    package var entryIndex: Int?

    package init(
        id: String,
        kind: String,
        displayName: String,
        family: String,
        width: Double,
        height: Double
    ) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.family = family
        self.width = width
        self.height = height
    }
}
