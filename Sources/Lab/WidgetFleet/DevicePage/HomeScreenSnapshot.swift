/// The screen of a device at one moment, as its page shows it. The page receives it as JSON.
package struct HomeScreenSnapshot: Codable, Equatable, Sendable {
    /// The device's name.
    package var device: String
    /// The name of the app whose widgets are shown.
    package var app: String
    /// Whether the device has a network.
    package var online = true
    /// Whether the app is in the foreground.
    package var foreground = false
    /// What the app plays: `silent`, `audio` or `navigation`.
    package var media = "silent"
    /// The device's clock, in ms since 1970.
    package var now: Int64
    /// The page that is visible, from 0; nil while the screen is off.
    package var page: Int?
    /// The number of pages of the screen.
    package var pages = 1
    /// The widgets of all pages, in their order on the screen.
    package var widgets: [WidgetSnapshot] = []

    /// Makes the screen of a device that is online, is turned off, and has no widgets.
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
        /// The cause, such as `push`, or the device's own reason, such as `added`.
        package var cause: String
        /// When the new timeline arrived, in ms since 1970.
        package var at: Int64
        /// True if the widget displayed something else afterwards.
        package var changed: Bool

        /// Makes a record of a reload; `at` is in ms since 1970.
        package init(cause: String, at: Int64, changed: Bool) {
            self.cause = cause
            self.at = at
            self.changed = changed
        }
    }

    /// The id of the widget, unique on its device.
    package var id: String
    /// The kind of the widget, such as `com.mygame.character-detail`.
    package var kind: String
    /// The name of the kind in the gallery of widgets.
    package var displayName: String
    /// The name of its `WidgetFamily`.
    package var family: String
    /// The width in points.
    package var width: Double
    /// The height in points.
    package var height: Double
    /// The page of the screen that the widget is on, from 0.
    package var page = 0
    /// Whether the widget has no timeline yet.
    package var isPlaceholder = false
    /// The text of the current entry; empty for a placeholder without content.
    package var text: [TextLine] = []
    /// The colour of the background that the view has set; nil for the usual one.
    package var background: String?
    /// Whether the provider is being called.
    package var isAsking = false
    /// Whether the page of the widget is visible.
    package var isVisible = false
    /// The last reload; nil before the first.
    package var lastReload: Reload?
    /// The next reload that is scheduled, in ms since 1970; nil if there is none.
    package var nextReload: Int64?
    /// The policy of the timeline: `never`, `atEnd` or `after`; nil while there is no timeline.
    package var policy: String?
    /// Reloads charged to the device's own budget in the last 24 hours.
    package var budgetUsed = 0
    /// Reloads that the budget allows in 24 hours; nil if it has no limit.
    package var budgetAllowance: Int?
    /// The number of entries in its timeline.
    package var entries = 0
    /// The entry that is displayed; nil if there is none.
    package var entryIndex: Int?

    /// Makes a widget without content; the sizes are in points.
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
