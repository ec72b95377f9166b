/// How a label looks. It is not drawn.
public protocol LabelStyle {
    associatedtype Body: View
    /// What the style is applied to.
    typealias Configuration = LabelStyleConfiguration
    /// The view in the style.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a `LabelStyle` is applied to.
public struct LabelStyleConfiguration {
    /// The text.
    public let title: AnyView
    /// The picture.
    public let icon: AnyView
}

/// A style of the system.
public struct SystemLabelStyle: LabelStyle {
    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `iconOnly`.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `titleOnly`.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `titleAndIcon`.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

extension LabelStyle where Self == SystemLabelStyle {
    /// The style `automatic`.
    public static var automatic: SystemLabelStyle { SystemLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style `iconOnly`.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style `titleOnly`.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style `titleAndIcon`.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
