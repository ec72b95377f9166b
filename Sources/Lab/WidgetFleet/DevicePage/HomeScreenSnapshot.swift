internal import WidgetTimelines

/// The screen of a device at one moment, as its page shows it. The page receives it as JSON.
struct HomeScreenSnapshot: Encodable, Equatable {
    /// The device's name.
    var device: String
    /// The app whose widgets are shown.
    var app: String
    /// Whether the device has a network.
    var online = true
    /// Whether the app is in the foreground.
    var foreground = false
    /// What the app plays: `silent` or `audio`.
    var media = "silent"
    /// The device's clock, in ms since 1970.
    var now: Int64
    /// The page that is visible, from 0; nil while the screen is off.
    var page: Int?
    /// The number of pages.
    var pages = 1
    /// The widgets of all pages, in their order on the screen.
    var widgets: [WidgetSnapshot] = []
}

/// A widget on the screen of a device.
struct WidgetSnapshot: Encodable, Equatable {
    /// The last reload of a widget.
    struct Reload: Encodable, Equatable {
        /// The cause, such as `push`, or the device's own reason, such as `added`.
        var cause: String
        /// When the new timeline arrived, in ms since 1970.
        var at: Int64
        /// True if the widget displayed something else afterwards.
        var changed: Bool
    }

    /// The id of the widget, unique on its device.
    var id: String
    /// The kind of the widget, such as `com.mygame.character-detail`.
    var kind: String
    /// The name of the kind in the gallery of widgets.
    var displayName: String
    /// The name of its `WidgetFamily`.
    var family: String
    /// The page of the screen that the widget is on, from 0.
    var page = 0
    /// Whether the widget has no timeline yet.
    var isPlaceholder = false
    /// The text of the current entry; empty for a placeholder without content.
    var text: [TextLine] = []
    /// The colour of the background that the view has set; nil for the usual one.
    var background: String?
    /// Whether the provider is being called.
    var isAsking = false
    /// Whether the page of the widget is visible.
    var isVisible = false
    /// The last reload, for which the page makes the widget flash; nil before the first.
    var lastReload: Reload?
    /// The next reload that is scheduled, in ms since 1970; nil if there is none.
    var nextReload: Int64?
    /// The policy of the timeline: `never`, `atEnd` or `after`; nil while there is no timeline.
    var policy: String?
    /// Reloads charged to the device's own budget in the last 24 hours.
    var budgetUsed = 0
    /// Reloads that the budget allows in 24 hours; nil if it has no limit.
    var budgetAllowance: Int?
    /// The number of entries in its timeline.
    var entries = 0
    /// The entry that is displayed; nil if there is none.
    var entryIndex: Int?
}

/// A command that was given on the page of a device.
struct PageCommand {
    enum Action: Equatable {
        /// Turns to a page of the screen; nil turns the screen off.
        case look(page: Int?)
        /// Connects the device with the network, or takes the network away.
        case setOnline(Bool)
        /// Opens or leaves the app.
        case setForeground(Bool)
    }

    /// The name of the device.
    let device: String
    let action: Action
}
