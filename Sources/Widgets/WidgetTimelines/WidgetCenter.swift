/// What an app knows of its widgets, and asks for.
///
/// `shared` is the center of the device for which code runs: each simulated device has its own. Where
/// no device runs the code, it is one that has no widgets.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetcenter>.
public final class WidgetCenter: Sendable {
    @TaskLocal private static var current = WidgetCenter(device: nil)

    private let device: (any WidgetCenterDevice)?

    private init(device: (any WidgetCenterDevice)?) {
        self.device = device
    }

    /// The center of the device for which this code runs.
    public static var shared: WidgetCenter { current }

    /// Runs code of a device's app: its `shared` is the device's.
    package static func run<Result, Failure: Error>(
        on device: any WidgetCenterDevice,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        $current.withValue(WidgetCenter(device: device)) {
            do throws(Failure) {
                result = .success(try body())
            } catch {
                result = .failure(error)
            }
        }
        return try result!.get()
    }

    /// The same for code that waits.
    package static func run<Result: Sendable>(
        on device: any WidgetCenterDevice,
        _ body: () async -> Result
    ) async -> Result {
        await $current.withValue(WidgetCenter(device: device)) { await body() }
    }

    /// Tells which of the app's widgets there are on the device.
    public func getCurrentConfigurations(
        _ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void
    ) {
        completion(.success(device?.currentWidgets() ?? []))
    }

    /// Which of the app's widgets there are on the device.
    public func currentConfigurations() async throws -> [WidgetInfo] {
        device?.currentWidgets() ?? []
    }

    /// Asks for new timelines of all widgets of a kind.
    ///
    /// Whether and when that happens the device decides.
    public func reloadTimelines(ofKind kind: String) {
        device?.reload(kind: kind)
    }

    /// Asks for new timelines of all of the app's widgets.
    public func reloadAllTimelines() {
        device?.reload(kind: nil)
    }

    /// With what the app's widgets can be pushed to; nil if none of them has a `WidgetPushHandler`.
    public var currentPushInfo: WidgetPushInfo? {
        get async { device?.pushInfo() }
    }

    /// Keys of the user activity with which a tapped widget opens its app.
    public struct UserInfoKey {
        /// The kind of the tapped widget.
        public static let kind = "WGWidgetUserInfoKeyKind"
        /// Its family.
        public static let family = "WGWidgetUserInfoKeyFamily"
        /// The identifier of the live activity that was tapped.
        public static let activityID = "WGWidgetUserInfoKeyActivityID"
    }
}

/// The device behind a `WidgetCenter`; told and asked on any thread.
package protocol WidgetCenterDevice: Sendable {
    func currentWidgets() -> [WidgetInfo]
    /// - Parameter kind: nil for all.
    func reload(kind: String?)
    func pushInfo() -> WidgetPushInfo?
}
