public import Foundation

/// A widget that a person has put on a screen of the device, as its app reports it to the router.
///
/// It is made of a `WidgetInfo` of WidgetKit:
///
/// ```swift
/// ReportedWidget(
///     id: "\(info.id)", kind: info.kind, family: "\(info.family)",
///     configuration: ["character": .init(intent?.character)])
/// ```
public struct ReportedWidget: Codable, Hashable, Sendable {
    /// The widget's identifier, unique on the device.
    public let id: String
    /// The kind with which the widget's configuration was declared; the app file has it, too.
    public let kind: String
    /// The widget's size, such as `systemSmall`; nil if it does not matter.
    public let family: String?
    /// The values that the person has chosen, by which pushes find the widget.
    public let configuration: [String: ConfigurationValue]
    /// A control's push token, in hexadecimal digits; nil for a widget.
    public let pushToken: String?

    /// Makes a widget.
    ///
    /// - Parameters:
    ///   - id: the widget's identifier, unique on the device.
    ///   - kind: the kind with which the widget's configuration was declared.
    ///   - family: the widget's size; nil if it does not matter.
    ///   - configuration: the values that the person has chosen; those that are nil are left out.
    ///   - pushToken: the token of a control's `ControlInfo`; nil for a widget.
    public init(
        id: String,
        kind: String,
        family: String? = nil,
        configuration: [String: ConfigurationValue?] = [:],
        pushToken: Data? = nil
    ) {
        self.id = id
        self.kind = kind
        self.family = family
        self.configuration = configuration.compactMapValues(\.self)
        self.pushToken = pushToken?.hexadecimal
    }
}
