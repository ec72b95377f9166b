/// What a control looks like: a button or a switch.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgettemplate>.
public protocol ControlWidgetTemplate: View {}

extension ControlWidgetTemplate {
    /// Accepts the colour of the control.
    public func tint(_ color: Color?) -> some ControlWidgetTemplate { self }
    /// Accepts whether the control can be used.
    public func disabled(_ isDisabled: Bool) -> some ControlWidgetTemplate { self }
    /// Accepts a text about what the control does.
    public func controlWidgetActionHint(
        _ hint: LocalizedStringResource
    ) -> some ControlWidgetTemplate { self }
    /// Accepts a text about the control's state.
    public func controlWidgetStatus(
        _ status: LocalizedStringResource
    ) -> some ControlWidgetTemplate { self }
}

/// No template.
public struct EmptyControlWidgetTemplate: ControlWidgetTemplate {
    /// Makes the template.
    public init() {}
    /// Nothing.
    public var body: some View { EmptyView() }
}

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

/// Combines the template of a block.
@resultBuilder
public enum ControlWidgetTemplateBuilder {
    /// A template of the block.
    public static func buildExpression(
        _ template: some ControlWidgetTemplate
    ) -> AnyControlWidgetTemplate { AnyControlWidgetTemplate(template) }
    /// The block.
    public static func buildBlock(
        _ template: AnyControlWidgetTemplate
    ) -> AnyControlWidgetTemplate { template }
    /// An `if` that holds, or a `switch`.
    public static func buildEither(
        first template: AnyControlWidgetTemplate
    ) -> AnyControlWidgetTemplate { template }
    /// An `else`, or a `switch`.
    public static func buildEither(
        second template: AnyControlWidgetTemplate
    ) -> AnyControlWidgetTemplate { template }
    /// An `if` without an `else`.
    public static func buildOptional(
        _ template: AnyControlWidgetTemplate?
    ) -> AnyControlWidgetTemplate {
        template ?? AnyControlWidgetTemplate(EmptyControlWidgetTemplate())
    }
    /// An `if #available`.
    public static func buildLimitedAvailability(
        _ template: some ControlWidgetTemplate
    ) -> AnyControlWidgetTemplate { AnyControlWidgetTemplate(template) }
}

/// A control that performs an intent.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgetbutton>.
@available(iOS 18, *)
public struct ControlWidgetButton: ControlWidgetTemplate {
    private let label: AnyView

    /// Makes a button.
    public init<Content: View>(
        action: some AppIntent,
        @ViewBuilder label: @escaping () -> Content
    ) {
        self.label = AnyView(label())
    }

    /// Makes a button with a view for the time while it is active.
    public init<Content: View, Active: View>(
        action: some AppIntent,
        @ViewBuilder label: @escaping () -> Content,
        @ViewBuilder actionLabel: @escaping (Bool) -> Active
    ) {
        self.label = AnyView(label())
    }

    /// Makes a button with a title.
    public init<Active: View>(
        _ title: LocalizedStringResource,
        action: some AppIntent,
        @ViewBuilder actionLabel: @escaping (Bool) -> Active
    ) {
        label = AnyView(Text(title))
    }

    /// Makes a button with a title.
    public init(_ title: LocalizedStringResource, action: some AppIntent) {
        label = AnyView(Text(title))
    }

    /// The label.
    public var body: some View { label }
}

/// A control that switches something on and off.
///
/// Source: <https://developer.apple.com/documentation/widgetkit/controlwidgettoggle>.
@available(iOS 18, *)
public struct ControlWidgetToggle: ControlWidgetTemplate {
    private let label: AnyView
    private let value: AnyView

    /// Makes a switch.
    public init<Content: View>(
        isOn: Bool,
        action: some SetValueIntent<Bool>,
        @ViewBuilder label: @escaping () -> Content
    ) {
        self.label = AnyView(label())
        value = AnyView(Text(verbatim: isOn ? "on" : "off"))
    }

    /// Makes a switch with a view for its value.
    public init<Content: View, Value: View>(
        isOn: Bool,
        action: some SetValueIntent<Bool>,
        @ViewBuilder label: @escaping () -> Content,
        @ViewBuilder valueLabel: @escaping (Bool) -> Value
    ) {
        self.label = AnyView(label())
        value = AnyView(valueLabel(isOn))
    }

    /// Makes a switch with a title and a view for its value.
    public init<Value: View>(
        _ title: LocalizedStringResource,
        isOn: Bool,
        action: some SetValueIntent<Bool>,
        @ViewBuilder valueLabel: @escaping (Bool) -> Value
    ) {
        label = AnyView(Text(title))
        value = AnyView(valueLabel(isOn))
    }

    /// Makes a switch with a title and a view for its value.
    @_disfavoredOverload
    public init<Value: View>(
        _ title: some StringProtocol,
        isOn: Bool,
        action: some SetValueIntent<Bool>,
        @ViewBuilder valueLabel: @escaping (Bool) -> Value
    ) {
        label = AnyView(Text(title))
        value = AnyView(valueLabel(isOn))
    }

    /// The label and the value.
    public var body: some View {
        label
        value
    }
}
