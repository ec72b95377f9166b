/// A widget that a person has put on the device's screen.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/widgetinfo>.
public struct WidgetInfo: Identifiable {
    /// What the widget's configuration was declared with.
    public let kind: String
    /// Its size.
    public let family: WidgetFamily
    /// What the person has chosen; nil if it is no `INIntent`, or there is nothing to choose.
    public let configuration: INIntent?
    /// The same for as long as the widget stays on the screen.
    public let id: String
    private let appIntent: (any WidgetConfigurationIntent)?

    /// - Parameters:
    ///   - kind: what the widget's configuration was declared with.
    ///   - family: its size.
    ///   - id: the device's name for it.
    ///   - configuration: what the person has chosen.
    package init(
        kind: String,
        family: WidgetFamily,
        id: String,
        configuration: WidgetChoice = .none
    ) {
        self.kind = kind
        self.family = family
        self.id = id
        switch configuration {
        case .none: (self.configuration, appIntent) = (nil, nil)
        case .intent(let intent): (self.configuration, appIntent) = (intent, nil)
        case .appIntent(let intent): (self.configuration, appIntent) = (nil, intent)
        }
    }

    /// What the person has chosen, if it is an app intent of this type.
    public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
        of type: Intent.Type = Intent.self
    ) -> Intent? {
        appIntent as? Intent
    }
}

extension WidgetInfo: Hashable {
    /// Whether both are the same widget.
    public static func == (left: WidgetInfo, right: WidgetInfo) -> Bool {
        left.id == right.id && left.kind == right.kind && left.family == right.family
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// What a person has chosen for a widget.
package enum WidgetChoice {
    case none
    case intent(INIntent)
    case appIntent(any WidgetConfigurationIntent)
}
