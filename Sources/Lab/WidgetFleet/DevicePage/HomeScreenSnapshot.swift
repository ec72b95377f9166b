/// The screen of a device at one moment, as its page shows it. The page receives it as JSON.
package struct HomeScreenSnapshot: Codable, Equatable, Sendable {
    /// The device's name.
    package var device: String
    package var app: String
    package var online = true
    /// True if the app is in the foreground.
    package var foreground = false
    /// What the app plays: `silent`, `audio` or `navigation`.
    package var media = "silent"
    /// The device's clock, in ms since 1970.
    package var now: Int64
    /// The page that is visible, from 0; nil while the screen is off.
    package var page: Int?
    /// The number of pages.
    package var pages = 1
    package var widgets: [WidgetSnapshot] = []

    package init(device: String, app: String, now: Int64) {
        self.device = device
        self.app = app
        self.now = now
    }
}

/// A widget on the screen of a device.
package struct WidgetSnapshot: Codable, Equatable, Sendable {
    /// The last reload of a widget.
    package struct Reload: Codable, Equatable, Sendable {
        /// The cause.
        package var cause: String
        /// In ms since 1970.
        package var at: Int64
        /// True if the widget displayed something else afterwards.
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
    /// The size in points.
    package var width: Double
    package var height: Double
    package var page = 0
    package var isPlaceholder = false
    /// The text of the current entry; empty for a placeholder without content.
    package var text: [TextLine] = []
    /// True while its provider is being called.
    package var isAsking = false
    package var isVisible = false
    /// Nil before the first reload.
    package var lastReload: Reload?
    /// The next reload that is scheduled, in ms since 1970; nil if there is none.
    package var nextReload: Int64?
    /// `never`, `atEnd` or `after`; nil while there is no timeline.
    package var policy: String?
    /// Reloads charged to the budget in the last 24 hours.
    package var budgetUsed = 0
    /// Nil if its reloads are free.
    package var budgetAllowance: Int?
    /// The number of entries in its timeline.
    package var entries = 0
    /// The entry that is displayed; nil if there is none.
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
