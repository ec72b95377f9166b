package import WidgetTimelines

/// The widgets of a game in which characters fight dragons and then heal.
package struct GameWidgets: WidgetBundle {
    /// Makes the bundle.
    package init() {}

    /// The widgets of the bundle, in the order of the gallery.
    package var body: some Widget {
        CharacterDetail()
        GuildWall()
        DragonWatch()
        Leaderboard()
    }
}
