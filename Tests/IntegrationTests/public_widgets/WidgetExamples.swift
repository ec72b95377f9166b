// The bundle of those widgets of WidgetExamples that test_public_widgets.py draws.
import SwiftUI
import WidgetKit

@main struct PublicWidgets: WidgetBundle {
    var body: some Widget {
        IntentWidget()
        InteractiveWidget()
        LockScreenWidget()
        SharedViewWidget()
    }
}
