internal import Basics

/// The record of a stored widget: its shape, its values and its keys. `WidgetIndex.widgets` holds
/// them by `WidgetID`.
struct StoredWidget: BitwiseCopyable {
    /// `ShapeID.none` if no widget is stored at this number.
    var shape: ShapeID
    var values: StoredValues
    var links = StoredLinks.none
}

/// The values of a widget in 32 bits, by the number of its parameters: the value itself if there is
/// one, their block in `WidgetIndex.configurations` if there are several.
struct StoredValues: BitwiseCopyable, Equatable {
    /// The values of a widget without parameters.
    @inline(__always)
    static var none: StoredValues { StoredValues(ArenaBlock.none) }

    private let bits: UInt32

    /// The value of the only parameter.
    @inline(__always)
    init(_ value: ValueID) { bits = value.rawValue }

    /// The block of the values of several parameters.
    @inline(__always)
    init(_ block: ArenaBlock) { bits = block.rawValue }

    /// The value of a widget with one parameter.
    @inline(__always)
    var only: ValueID { ValueID(rawValue: bits) }

    /// The block of a widget with several parameters.
    @inline(__always)
    var block: ArenaBlock { ArenaBlock(rawValue: bits) }
}

/// The keys of a widget in 64 bits: none, a single one, or a block of links in
/// `WidgetIndex.configurations`.
struct StoredLinks: BitwiseCopyable, Equatable {
    /// The links of a widget without keys.
    @inline(__always)
    static var none: StoredLinks { StoredLinks(bits: .max, position: notLinked) }

    /// The value of `position` that stands for a block of links.
    @inline(__always)
    private static var inBlock: PostingPosition { PostingPosition(special: .max) }
    /// The value of `position` that stands for no keys.
    @inline(__always)
    private static var notLinked: PostingPosition { PostingPosition(special: .max - 1) }

    /// A key or a block.
    private let bits: UInt32
    private let position: PostingPosition

    @inline(__always)
    private init(bits: UInt32, position: PostingPosition) {
        self.bits = bits
        self.position = position
    }

    /// The only link of a widget.
    @inline(__always)
    init(_ link: KeyLink) { self.init(bits: link.key.rawValue, position: link.position) }

    /// A block of links.
    @inline(__always)
    init(_ block: ArenaBlock) { self.init(bits: block.rawValue, position: Self.inBlock) }

    /// Whether the widget has keys.
    @inline(__always)
    var isLinked: Bool { position != Self.notLinked }

    /// The block of links; nil if the widget has none.
    @inline(__always)
    var block: ArenaBlock? { position == Self.inBlock ? ArenaBlock(rawValue: bits) : nil }

    /// The block of links of a widget that may be found by several keys.
    @inline(__always)
    var certainBlock: ArenaBlock {
        assert(position == Self.inBlock, "the widget has no block of links")
        return ArenaBlock(rawValue: bits)
    }

    /// The only link of a widget with a single key.
    @inline(__always)
    var only: KeyLink {
        assert(isLinked && position != Self.inBlock, "the widget has no single key")
        return KeyLink(key: KeyID(rawValue: bits), position: position)
    }
}
