internal import DataStructures

/// The record of a stored widget: its shape, its values and its keys. `WidgetIndex.widgets` holds
/// them by `WidgetID`.
struct StoredWidget: BitwiseCopyable {
    /// The `position` of a widget with a block of links.
    static var linksInBlock: UInt32 { UInt32.max }
    /// The `position` of a widget without keys.
    static var notLinked: UInt32 { UInt32.max - 1 }

    /// `Shape.none` if no widget is stored at this number.
    var shape: ShapeID
    /// The value of a widget with one parameter; for several, their block in `configurations`;
    /// without parameters, `ByteArena.none`.
    var values: UInt32
    /// The widget's only key; or the block of links in `configurations`, if `position` is
    /// `linksInBlock`.
    var key: UInt32 = ByteArena.none
    /// The position among the postings of the only key; or `linksInBlock`, or `notLinked`.
    var position: UInt32 = notLinked
}
