/// What a control looks like: a button or a switch.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgettemplate>.
public protocol ControlWidgetTemplate: View {}

/// A template of any type.
public struct AnyControlWidgetTemplate: ControlWidgetTemplate {
    private let view: AnyView

    /// Wraps a template.
    public init(_ template: some ControlWidgetTemplate) {
        view = AnyView(template)
    }

    /// The template.
    public var body: some View { view }
}

/// A control that performs an intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgetbutton>.
@available(iOS 18, *)
public struct ControlWidgetButton: ControlWidgetTemplate {
    let label: AnyView

    /// The label.
    public var body: some View { label }
}

/// A control that switches something on and off.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgettoggle>.
@available(iOS 18, *)
public struct ControlWidgetToggle: ControlWidgetTemplate {
    let label: AnyView
    let value: AnyView

    /// The label and the value.
    public var body: some View {
        label
        value
    }
}
