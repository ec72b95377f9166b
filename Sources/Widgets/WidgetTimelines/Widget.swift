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

extension Widget {
    /// What the widget declares: one kind, and of a group those of all its widgets.
    public static var declarations: [WidgetDeclaration] { Self().body.declarations }
}
