internal import DataStructures

/// The record of a stored widget: its shape, its values and its keys. `WidgetIndex.widgets` holds
/// them by `WidgetID`.
struct StoredWidget: BitwiseCopyable {
    /// The `position` of a widget with a block of links; `key` is then the block.
    static var linkedManyTimes: UInt32 { UInt32.max }
    /// The `position` of a widget without keys.
    static var notLinked: UInt32 { UInt32.max - 1 }

    /// `Shape.none` if no widget is stored at this number.
    var shape: ShapeID
    /// The value of a widget with one parameter; for several, their block in `configurations`;
    /// without parameters, `ByteArena.none`.
    var values: UInt32
    /// With a single link: the key, and in `position` the position among its postings. With
    /// several: the block of links in `configurations`, and `linkedManyTimes`.
    var key: UInt32 = ByteArena.none
    var position: UInt32 = notLinked
}
