import AppIntents
import WidgetKit

/// The configuration of the widget: which character it shows.
struct SelectCharacter: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Select Character"

    @Parameter(title: "Character") var character: String?

    init() {}

    init(character: String) {
        self.character = character
    }
}
