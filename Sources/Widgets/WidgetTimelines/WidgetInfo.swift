/// A widget that a person has put on the device's screen.
///
/// It has no name: its identity is what it says of itself, so that two widgets with the same kind,
/// family and configuration are equal, and one whose configuration is edited becomes another.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetinfo>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public struct WidgetInfo: Identifiable, @unchecked Sendable {
    /// The kind with which the widget's configuration was declared.
    public let kind: String
    /// The widget's size.
    public let family: WidgetFamily
    /// The configuration that the person has chosen; nil if it is not an `INIntent`, or if there is
    /// none.
    public let configuration: INIntent?
    private let choice: WidgetChoice
    /// What a simulated device calls the widget; on Apple's systems, apps learn no such name.
    package let name: String
    /// Whether it is a control, which `ControlCenter` lists.
    package let isControl: Bool

    /// The widget itself.
    public var id: WidgetInfo { self }

    /// - Parameters:
    ///   - kind: the kind with which the widget's configuration was declared.
    ///   - family: the widget's size.
    ///   - name: what the simulated device calls it.
    ///   - configuration: the configuration that the person has chosen.
    ///   - isControl: whether it is a control.
    package init(
        kind: String,
        family: WidgetFamily,
        name: String,
        configuration: WidgetChoice = .none,
        isControl: Bool = false
    ) {
        self.isControl = isControl
        self.kind = kind
        self.family = family
        self.name = name
        choice = configuration
        self.configuration = if case .intent(let intent) = configuration { intent } else { nil }
    }

    /// The configuration that the person has chosen, if it is an app intent of this type; otherwise
    /// nil.
    @available(iOS 17, macOS 14, watchOS 10, visionOS 26, *)
    public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
        of type: Intent.Type = Intent.self
    ) -> Intent? {
        if case .appIntent(let intent) = choice { intent as? Intent } else { nil }
    }
}

extension WidgetInfo: Hashable {
    /// Whether kinds, families and the values of the configurations are the same.
    public static func == (left: WidgetInfo, right: WidgetInfo) -> Bool {
        left.kind == right.kind && left.family == right.family
            && left.choice.parameters.elementsEqual(right.choice.parameters, by: ==)
    }

    /// Hashes the kind and the family.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(family)
    }
}

extension WidgetInfo: CustomDebugStringConvertible {
    /// A text for people, which may differ from system to system: it is no name.
    public var debugDescription: String {
        let values = choice.parameters.map { "\($0.name): \($0.value)" }
        return "WidgetInfo(\n  \"\(kind)\", \(family), [\(values.joined(separator: ", "))])"
    }
}
