public import Foundation

/// A widget that a person has put on a screen of the device, as its app reports it to the router.
///
/// WidgetKit gives a widget no name: the `id` of a `WidgetInfo` is the value itself. So it is made
/// of what the value says, in whatever order `currentConfigurations()` lists the widgets, and gets
/// a name of that:
///
/// ```swift
/// ReportedWidget(
///     kind: info.kind, family: "\(info.family)",
///     configuration: ["character": .init(intent?.character)])
/// ```
public struct ReportedWidget: Codable, Hashable, Sendable {
    /// The widget's identifier, unique on the device once it is registered.
    public internal(set) var id: String
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
    ///   - id: the `id` of a control's `ControlInfo`; nil for a widget, which WidgetKit does not
    ///     name: it gets the same name wherever and whenever it looks the same.
    ///   - kind: the kind with which the widget's configuration was declared.
    ///   - family: the widget's size; nil if it does not matter.
    ///   - configuration: the values that the person has chosen; those that are nil are left out.
    ///   - pushToken: the token of a control's `ControlInfo`; nil for a widget.
    public init(
        id: String? = nil,
        kind: String,
        family: String? = nil,
        configuration: [String: ConfigurationValue?] = [:],
        pushToken: Data? = nil
    ) {
        self.kind = kind
        self.family = family
        self.configuration = configuration.compactMapValues(\.self)
        self.pushToken = pushToken?.hexadecimal
        self.id = id ?? Self.name(ofKind: kind, family: family, configuration: self.configuration)
    }
}
