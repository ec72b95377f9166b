public import Foundation

/// Is told with what an app's widgets can be pushed to.
///
/// Source:
/// <https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications>.
public protocol WidgetPushHandler {
    init()

    /// There is a token, or another one than before, or other widgets that it is for.
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

/// With what an app's widgets can be pushed to.
public struct WidgetPushInfo: Hashable, Sendable {
    /// For `/3/device/` of the Apple Push Notification service, in hexadecimal there.
    public let token: Data

    package init(token: Data) {
        self.token = token
    }
}
