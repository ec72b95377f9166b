/// How a list looks. It is not drawn.
public protocol ListStyle {}

/// A style of the system.
public struct SystemListStyle: ListStyle {}

/// The style `plain`.
public struct PlainListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}

extension ListStyle where Self == SystemListStyle {
    /// The style `automatic`.
    public static var automatic: SystemListStyle { SystemListStyle() }
    /// The style `inset`.
    public static var inset: SystemListStyle { SystemListStyle() }
    /// The style `grouped`.
    public static var grouped: SystemListStyle { SystemListStyle() }
    /// The style `insetGrouped`.
    public static var insetGrouped: SystemListStyle { SystemListStyle() }
    /// The style `sidebar`.
    public static var sidebar: SystemListStyle { SystemListStyle() }
}

extension ListStyle where Self == PlainListStyle {
    /// The style `plain`.
    public static var plain: PlainListStyle { PlainListStyle() }
}
