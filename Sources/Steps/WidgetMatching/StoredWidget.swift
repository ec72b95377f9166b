internal import DataStructures

/// A stored widget: its values, and where it stands among the keys.
struct StoredWidget: BitwiseCopyable {
    /// The `position` of a widget under several keys, of which `key` is the block then.
    static var linkedManyTimes: UInt32 { UInt32.max }
    /// The `position` of a widget under no key.
    static var notLinked: UInt32 { UInt32.max - 1 }

    /// `Shape.none` if the widget was removed.
    var shape: ShapeID
    /// With one parameter: its value.
    ///
    /// With more: the block of them, in `configurations`.
    var values: UInt32
    /// With one key: the key and the position among its postings.
    ///
    /// With more: the block of links, in `configurations`, and `linkedManyTimes`.
    var key: UInt32 = ByteArena.none
    var position: UInt32 = notLinked
}
