/// The widgets of an app.
///
///     struct GameWidgets: WidgetBundle {
///         var body: some Widget {
///             CharacterDetail()
///             BattleLog()
///         }
///     }
///
/// Source: <https://developer.apple.com/documentation/swiftui/widgetbundle>.
public protocol WidgetBundle {
    associatedtype Body: Widget
    /// Makes the bundle.
    init()
    /// The widgets of the bundle.
    @WidgetBundleBuilder var body: Body { get }
}

extension WidgetBundle {
    /// The declarations of the bundle's widgets, in its order.
    public static var declarations: [WidgetDeclaration] { Self().body.body.declarations }
}

/// Combines the widgets of a block into a group.
@resultBuilder
public enum WidgetBundleBuilder {
    /// A widget of the bundle.
    public static func buildExpression<W: Widget>(_ widget: W) -> WidgetGroup {
        WidgetGroup(widget.body.declarations)
    }

    /// Widgets that a builder has combined.
    public static func buildExpression(_ group: WidgetGroup) -> WidgetGroup { group }

    /// A control of the bundle.
    public static func buildExpression<Control: ControlWidget>(_ control: Control) -> WidgetGroup {
        WidgetGroup([control.body.declaration])
    }

    /// The bundle.
    public static func buildBlock<each W: Widget>(_ widgets: repeat each W) -> WidgetGroup {
        var declarations: [WidgetDeclaration] = []
        for widget in repeat each widgets { declarations += widget.body.declarations }
        return WidgetGroup(declarations)
    }

    /// An `if` without an `else`.
    public static func buildOptional(_ group: WidgetGroup?) -> WidgetGroup {
        group ?? WidgetGroup()
    }

    /// An `if` that holds, or a `switch`.
    public static func buildEither(first group: WidgetGroup) -> WidgetGroup { group }

    /// An `else`, or a `switch`.
    public static func buildEither(second group: WidgetGroup) -> WidgetGroup { group }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ group: WidgetGroup) -> WidgetGroup { group }
}

/// Several widgets, in their order.
public struct WidgetGroup: Widget {
    /// The declarations of all widgets of the group.
    public let body: WidgetDeclarations

    /// Makes an empty group.
    public init() {
        self.init([])
    }

    init(_ declarations: [WidgetDeclaration]) {
        body = WidgetDeclarations(declarations: declarations)
    }
}
