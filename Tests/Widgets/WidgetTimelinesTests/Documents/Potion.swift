// swift-format-ignore-file
// What the app of Apple's "Keeping a Widget Up To Date" does when a character receives a healing
// potion.
import Intents
import WidgetKit

final class SelectCharacterIntent: INIntent {
    var character: String?

    init(character: String?) {
        self.character = character
    }
}

enum Potion {
    static func received(by characterThatReceivedHealingPotion: String) {
WidgetCenter.shared.getCurrentConfigurations { result in
    guard case .success(let widgets) = result else { return }


    // Iterate over the WidgetInfo elements to find one that matches
    // the character from the push notification.
    if let widget = widgets.first(
        where: { widget in
            let intent = widget.configuration as? SelectCharacterIntent
            return intent?.character == characterThatReceivedHealingPotion
        }
    ) {
        WidgetCenter.shared.reloadTimelines(ofKind: widget.kind)
    }
}
    }

    static func signedOut() {
 WidgetCenter.shared.reloadAllTimelines()
    }

    static func reloadDetail() {
 WidgetCenter.shared.reloadTimelines(ofKind: "com.mygame.character-detail")
    }
}
