/// An app's access to its widgets: lists them and requests reloads.
///
/// `shared` is the center of the device for which code runs: each simulated device has its own. In
/// code that no simulated device runs, it is a center without widgets.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetcenter>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public final class WidgetCenter: Sendable {
    @TaskLocal private static var current = WidgetCenter(device: nil)

    private let device: (any WidgetCenterDevice)?

    private init(device: (any WidgetCenterDevice)?) { self.device = device }

    /// The center of the device for which this code runs.
    public static var shared: WidgetCenter { current }

    /// Runs code of a device's app, for which `shared` is that device's center.
    package static func run<Result>(
        on device: any WidgetCenterDevice,
        body: () -> Result
    ) -> Result {
        $current.withValue(WidgetCenter(device: device), operation: body)
    }

    /// Runs asynchronous code of a device's app, for which `shared` is that device's center.
    package static func run<Result: Sendable>(
        on device: any WidgetCenterDevice,
        body: () async -> Result
    ) async -> Result {
        await $current.withValue(WidgetCenter(device: device)) { await body() }
    }

    /// Passes the app's widgets on the device to `completion`.
    @preconcurrency
    public func getCurrentConfigurations(
        _ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void
    ) {
        completion(.success(device?.currentWidgets() ?? []))
    }

    /// The app's widgets on the device.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    public func currentConfigurations() async throws -> [WidgetInfo] {
        device?.currentWidgets() ?? []
    }

    /// Requests new timelines for all widgets of a kind.
    ///
    /// The device decides whether and when they are reloaded.
    public func reloadTimelines(ofKind kind: String) { device?.reload(kind: kind) }

    /// Requests new timelines for all of the app's widgets.
    public func reloadAllTimelines() { device?.reload(kind: nil) }

    /// Accepts that recommended configurations have changed.
    @available(iOS 16, macOS 13, watchOS 9, visionOS 26, *)
    public func invalidateConfigurationRecommendations() {}

    /// Accepts that the relevance of a kind has changed.
    @available(iOS 18, macOS 15, watchOS 11, visionOS 26, *)
    public func invalidateRelevance(ofKind kind: String) {}

    /// The app's controls on the device.
    var controls: [ControlInfo] { device?.currentControls() ?? [] }

    /// The push token of the app's widgets; nil if none of them has a `WidgetPushHandler`.
    @available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
    public var currentPushInfo: WidgetPushInfo? {
        get async { device?.pushInfo() }
    }

    /// Keys of the user activity with which a tapped widget opens its app.
    public struct UserInfoKey {
        /// The kind of the tapped widget.
        public static let kind = "WGWidgetUserInfoKeyKind"
        /// The family of the tapped widget.
        public static let family = "WGWidgetUserInfoKeyFamily"
        /// The identifier of the live activity that was tapped.
        public static let activityID = "WGWidgetUserInfoKeyActivityID"
    }
}

/// The device that a `WidgetCenter` belongs to; called on any thread.
package protocol WidgetCenterDevice: Sendable {
    /// The app's widgets on the device.
    func currentWidgets() -> [WidgetInfo]
    /// The app's controls on the device.
    func currentControls() -> [ControlInfo]
    /// Requests new timelines for widgets.
    ///
    /// - Parameter kind: the kind to reload; nil for all.
    func reload(kind: String?)
    /// The push token; nil if no widget has a `WidgetPushHandler`.
    func pushInfo() -> WidgetPushInfo?
}

extension WidgetCenterDevice {
    /// No controls.
    package func currentControls() -> [ControlInfo] { [] }
}
