/// A widget that a person has put on the device's screen.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetinfo>.
public struct WidgetInfo: Identifiable {
    /// The kind with which the widget's configuration was declared.
    public let kind: String
    /// The widget's size.
    public let family: WidgetFamily
    /// The configuration that the person has chosen; nil if it is not an `INIntent`, or if there is
    /// none.
    public let configuration: INIntent?
    /// The widget's identifier; it stays the same while the widget is on the screen.
    public let id: String
    private let appIntent: (any WidgetConfigurationIntent)?
    /// Whether it is a control, which `ControlCenter` lists.
    package let isControl: Bool

    /// - Parameters:
    ///   - kind: the kind with which the widget's configuration was declared.
    ///   - family: the widget's size.
    ///   - id: the widget's identifier on the device.
    ///   - configuration: the configuration that the person has chosen.
    ///   - isControl: whether it is a control.
    package init(
        kind: String,
        family: WidgetFamily,
        id: String,
        configuration: WidgetChoice = .none,
        isControl: Bool = false
    ) {
        self.isControl = isControl
        self.kind = kind
        self.family = family
        self.id = id
        switch configuration {
        case .none: (self.configuration, appIntent) = (nil, nil)
        case .intent(let intent): (self.configuration, appIntent) = (intent, nil)
        case .appIntent(let intent): (self.configuration, appIntent) = (nil, intent)
        case .control: (self.configuration, appIntent) = (nil, nil)
        }
    }

    /// The configuration that the person has chosen, if it is an app intent of this type; otherwise
    /// nil.
    public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
        of type: Intent.Type = Intent.self
    ) -> Intent? {
        appIntent as? Intent
    }
}

extension WidgetInfo: Hashable {
    /// Whether both values describe the same widget; their configurations may differ.
    public static func == (left: WidgetInfo, right: WidgetInfo) -> Bool {
        left.id == right.id && left.kind == right.kind && left.family == right.family
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// The configuration that a person has chosen for a widget.
package enum WidgetChoice {
    /// The widget cannot be configured.
    case none
    /// The configuration of an `IntentConfiguration`.
    case intent(INIntent)
    /// The configuration of an `AppIntentConfiguration`.
    case appIntent(any WidgetConfigurationIntent)
    /// The configuration of an `AppIntentControlConfiguration`.
    case control(any ControlConfigurationIntent)
}
