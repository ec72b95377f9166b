import ReloadRouterKit
import WidgetKit

/// What the app reports by itself, since WidgetKit does not call the push handler when a person
/// only chooses another character for a widget.
enum Registration {
    /// Registers the widgets as they are now, and reports that the app is in the foreground: until
    /// it no longer is, reloads cost no budget.
    static func appBecameActive(_ reporter: DeviceReporter = Game.reporter) async throws {
        let widgets = try await WidgetCenter.shared.currentConfigurations().map(\.reported)
        let token = await WidgetCenter.shared.currentPushInfo?.token
        try await reporter.register(widgets, pushToken: token, environment: Game.environment)
        guard !widgets.isEmpty else { return }
        try await reporter.update(foreground: true)
    }

    /// Reports that the app is no longer in the foreground.
    static func appLeftForeground(_ reporter: DeviceReporter = Game.reporter) async throws {
        guard await !reporter.widgets(ofKind: Game.characterKind).isEmpty else { return }
        try await reporter.update(foreground: false)
    }
}
