/// How a switch looks. It is not drawn.
public protocol ToggleStyle {
    associatedtype Body: View
    /// What the style is applied to.
    typealias Configuration = ToggleStyleConfiguration
    /// The view in the style.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a `ToggleStyle` is applied to.
public struct ToggleStyleConfiguration {
    /// Whether it is on.
    public let isOn: Bool
    /// The view beside it.
    public let label: AnyView
}

/// A style of the system.
public struct SystemToggleStyle: ToggleStyle {
    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `switch`.
public struct SwitchToggleStyle: ToggleStyle {
    /// Makes the style.
    public init() {}
    /// Makes the style with a colour.
    public init(tint: Color) {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `button`.
public struct ButtonToggleStyle: ToggleStyle {
    /// Makes the style.
    public init() {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

extension ToggleStyle where Self == SystemToggleStyle {
    /// The style `automatic`.
    public static var automatic: SystemToggleStyle { SystemToggleStyle() }
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style `switch`.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style `button`.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
