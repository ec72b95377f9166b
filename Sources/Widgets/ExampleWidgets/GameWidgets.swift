package import WidgetTimelines

/// The widgets of a game in which characters fight dragons and then heal.
package struct GameWidgets: WidgetBundle {
    package init() {}

    package var body: some Widget {
        CharacterDetail()
        GuildWall()
        DragonWatch()
        Leaderboard()
    }
}
