/// How a button looks and works. It is not drawn.
public protocol PrimitiveButtonStyle {}

/// A style of the system.
public struct SystemPrimitiveButtonStyle: PrimitiveButtonStyle {}

/// The style `plain`.
public struct PlainButtonStyle: PrimitiveButtonStyle {
    /// Makes the style.
    public init() {}
}

/// The style `borderless`.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    /// Makes the style.
    public init() {}
}

/// The style `bordered`.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
    /// Makes the style.
    public init() {}
}

/// The style `borderedProminent`.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    /// Makes the style.
    public init() {}
}

/// The style `automatic`.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
    /// Makes the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The style `automatic`.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// The style `bordered`.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// The style `borderedProminent`.
    public static var borderedProminent: BorderedProminentButtonStyle {
        BorderedProminentButtonStyle()
    }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// The style `borderless`.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// The style `plain`.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == SystemPrimitiveButtonStyle {
    /// The style `glass`.
    public static var glass: SystemPrimitiveButtonStyle { SystemPrimitiveButtonStyle() }
    /// The style `glassProminent`.
    public static var glassProminent: SystemPrimitiveButtonStyle { SystemPrimitiveButtonStyle() }
}

/// How a progress looks. It is not drawn.
public protocol ProgressViewStyle {
    associatedtype Body: View
    /// What the style is applied to.
    typealias Configuration = ProgressViewStyleConfiguration
    /// The view in the style.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a `ProgressViewStyle` is applied to.
public struct ProgressViewStyleConfiguration {
    /// How far it has progressed, from 0 to 1; nil if it is not known.
    public let fractionCompleted: Double?
}

/// A style of the system.
public struct SystemProgressViewStyle: ProgressViewStyle {
    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `linear`.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// Makes the style.
    public init() {}
    /// Makes the style with a colour.
    public init(tint: Color) {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

/// The style `circular`.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// Makes the style.
    public init() {}
    /// Makes the style with a colour.
    public init(tint: Color) {}

    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

extension ProgressViewStyle where Self == SystemProgressViewStyle {
    /// The style `automatic`.
    public static var automatic: SystemProgressViewStyle { SystemProgressViewStyle() }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style `linear`.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style `circular`.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

/// How a gauge looks. It is not drawn.
public protocol GaugeStyle {
    associatedtype Body: View
    /// What the style is applied to.
    typealias Configuration = GaugeStyleConfiguration
    /// The view in the style.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a `GaugeStyle` is applied to.
public struct GaugeStyleConfiguration {
    /// The place of the value, from 0 to 1.
    public let value: Double
}

/// A style of the system.
public struct SystemGaugeStyle: GaugeStyle {
    /// The view in the style.
    public func makeBody(configuration: Configuration) -> some View { EmptyView() }
}

extension GaugeStyle where Self == SystemGaugeStyle {
    /// The style `automatic`.
    public static var automatic: SystemGaugeStyle { SystemGaugeStyle() }
    /// The style `accessoryCircular`.
    public static var accessoryCircular: SystemGaugeStyle { SystemGaugeStyle() }
    /// The style `accessoryCircularCapacity`.
    public static var accessoryCircularCapacity: SystemGaugeStyle { SystemGaugeStyle() }
    /// The style `accessoryLinear`.
    public static var accessoryLinear: SystemGaugeStyle { SystemGaugeStyle() }
    /// The style `accessoryLinearCapacity`.
    public static var accessoryLinearCapacity: SystemGaugeStyle { SystemGaugeStyle() }
    /// The style `linearCapacity`.
    public static var linearCapacity: SystemGaugeStyle { SystemGaugeStyle() }
}
