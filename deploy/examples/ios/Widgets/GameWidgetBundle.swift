import SwiftUI
import WidgetKit

/// The widgets of the game.
@main
struct GameWidgetBundle: WidgetBundle {
    var body: some Widget {
        CharacterWidget()
    }
}

/// Shows how a character heals.
struct CharacterWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: Game.characterKind,
            intent: SelectCharacter.self,
            provider: CharacterProvider()
        ) { entry in
            CharacterView(entry: entry)
        }
        .configurationDisplayName("Character")
        .description("How your character heals.")
        .supportedFamilies([.systemSmall, .systemMedium])
        .pushHandler(GamePushHandler.self)
    }
}
