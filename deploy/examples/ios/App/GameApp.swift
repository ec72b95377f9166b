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

    /// Reports it although the system is about to suspend the app. If there is no time left for it,
    /// the router takes the app to have left five minutes after its last report.
    private func leaveForeground() {
        BackgroundTime(
            begin: { UIApplication.shared.beginBackgroundTask(expirationHandler: $0) },
            end: { UIApplication.shared.endBackgroundTask($0) },
            body: { try? await Registration.appLeftForeground() }
        )
    }
}
