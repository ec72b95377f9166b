/// A kind of widget, as an app declares it.
///
///     struct CharacterDetail: Widget {
///         var body: some WidgetConfiguration {
///             StaticConfiguration(
///                 kind: "com.mygame.character-detail", provider: Provider()
///             ) { entry in
///                 Text("\(entry.health) %")
///             }
///         }
///     }
///
/// Source: <https://developer.apple.com/documentation/swiftui/widget>.
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    /// Makes the widget.
    init()
    /// The configuration of the widget: its kind, provider and view.
    var body: Body { get }
}

extension Widget {
    /// The declarations of the widget: one, or, for a group, those of all its widgets.
    public static var declarations: [WidgetDeclaration] { Self().body.declarations }
}
