/// A kind of widget.
///
///     struct CharacterDetail: Widget {
///         var body: some WidgetConfiguration {
///             StaticConfiguration(kind: "com.mygame.character-detail", provider: Provider()) { entry in
///                 Text("\(entry.health) %")
///             }
///         }
///     }
///
/// Source: <https://developer.apple.com/documentation/swiftui/widget>.
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    init()
    var body: Body { get }
}

/// The kinds of widget of an app.
///
/// Source: <https://developer.apple.com/documentation/swiftui/widgetbundle>.
public protocol WidgetBundle {
    associatedtype Body: WidgetList
    init()
    @WidgetBundleBuilder var body: Body { get }
}

extension WidgetBundle {
    /// What the bundle declares, in its order.
    public static var declarations: [WidgetDeclaration] { Self().body.declarations }
}

extension Widget {
    /// What the widget declares.
    public static var declaration: WidgetDeclaration { Self().body.declaration }
}

/// What a bundle is made of.
public protocol WidgetList {
    var declarations: [WidgetDeclaration] { get }
}

/// Puts the widgets of a bundle together.
@resultBuilder
public enum WidgetBundleBuilder {
    /// A widget of the bundle.
    public static func buildExpression<W: Widget>(_ widget: W) -> WidgetGroup {
        WidgetGroup(declarations: [widget.body.declaration])
    }

    /// A bundle in the bundle.
    public static func buildExpression<B: WidgetBundle>(_ bundle: B) -> WidgetGroup {
        WidgetGroup(declarations: bundle.body.declarations)
    }

    /// The bundle.
    public static func buildBlock(_ groups: WidgetGroup...) -> WidgetGroup {
        WidgetGroup(declarations: groups.flatMap(\.declarations))
    }

    /// An `if` without an `else`.
    public static func buildOptional(_ group: WidgetGroup?) -> WidgetGroup {
        group ?? WidgetGroup(declarations: [])
    }

    /// An `if` that holds, or a `switch`.
    public static func buildEither(first group: WidgetGroup) -> WidgetGroup { group }

    /// An `else`, or a `switch`.
    public static func buildEither(second group: WidgetGroup) -> WidgetGroup { group }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ group: WidgetGroup) -> WidgetGroup { group }
}

/// Widgets, in their order.
public struct WidgetGroup: WidgetList {
    /// What each of them declares.
    public let declarations: [WidgetDeclaration]
}
