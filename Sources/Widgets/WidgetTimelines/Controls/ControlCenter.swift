public import Foundation

/// An app's access to its controls: lists them and requests reloads.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlcenter>.
@available(iOS 18, macOS 26, watchOS 26, *)
public final class ControlCenter: Sendable {
    /// The center of the device for which this code runs.
    public static let shared = ControlCenter()

    private init() {}

    /// Requests a new value for all controls of a kind.
    public func reloadControls(ofKind kind: String) {
        WidgetCenter.shared.reloadTimelines(ofKind: kind)
    }

    /// Requests a new value for all of the app's controls.
    public func reloadAllControls() {
        let center = WidgetCenter.shared
        for kind in Set(center.controls.map(\.kind)).sorted() {
            center.reloadTimelines(ofKind: kind)
        }
    }

    /// The app's controls on the device.
    public func currentControls() async throws -> [ControlInfo] {
        WidgetCenter.shared.controls
    }
}

/// A control that a person has added.
@available(iOS 18, macOS 26, watchOS 26, *)
public struct ControlInfo: Identifiable, Hashable, Sendable {
    /// The kind with which the control was declared.
    public let kind: String
    /// The control's identifier.
    public let id: String

    /// The push token of the control; always nil, because controls have none here.
    public var pushInfo: ControlPushInfo?

    /// Makes a control of a device.
    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Nil: the configuration is not kept.
    public func configurationIntent<Intent: ControlConfigurationIntent>(
        of type: Intent.Type = Intent.self
    ) -> Intent? { nil }
}

/// What a server needs to push to a control.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlpushinfo>.
@available(iOS 18, macOS 26, watchOS 26, *)
public struct ControlPushInfo: Hashable, Sendable {
    /// The control's device token.
    public let token: Data
}
