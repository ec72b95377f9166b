import SwiftUI
import UIKit

/// The app. Only Apple's systems have `App` and its scenes.
@main
struct GameApp: App {
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            CharacterList()
        }
        .onChange(of: phase) { _, phase in
            switch phase {
            case .active: Task { try? await Registration.appBecameActive() }
            case .background: leaveForeground()
            default: break
            }
        }
    }

    /// Reports it although the system is about to suspend the app.
    private func leaveForeground() {
        let assertion = UIApplication.shared.beginBackgroundTask()
        Task {
            try? await Registration.appLeftForeground()
            UIApplication.shared.endBackgroundTask(assertion)
        }
    }
}
