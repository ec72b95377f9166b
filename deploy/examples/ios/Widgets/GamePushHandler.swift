import ReloadRouterKit
import WidgetKit

/// Registers the widgets and their push token with the router: WidgetKit calls it for the first
/// token, for another one, and when a person adds or removes a widget.
struct GamePushHandler: WidgetPushHandler {
    var reporter = Game.reporter

    init() {}

    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
        // All kinds of the app have this handler, so that the list has all widgets. It is
        // remembered at once; if the system stops the extension before it is sent, the next report
        // of a timeline, or the app's next start, sends it.
        try? reporter.remember(
            widgets.map(\.reported),
            pushToken: pushInfo.token,
            environment: Game.environment
        )
        Task { [reporter] in try? await reporter.refresh() }
    }
}
