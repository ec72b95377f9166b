public import Foundation

/// Receives the push token of an app's widgets.
///
/// Source:
/// <https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications>.
@available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
public protocol WidgetPushHandler {
    /// Makes a handler; the device makes one for each call.
    init()

    /// Called when the first token arrives, when the token changes, and when the set of widgets for
    /// which it is valid changes.
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

/// What a server needs to push to an app's widgets.
@available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
public struct WidgetPushInfo: Sendable {
    /// The device token for `/3/device/` of the Apple Push Notification service, where it is
    /// written in hexadecimal.
    public let token: Data

    /// Makes a push info of a token.
    package init(token: Data) {
        self.token = token
    }
}
