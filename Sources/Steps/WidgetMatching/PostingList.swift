internal import DataStructures
internal import ReloadModel

/// A widget under a key, and what beside standing there it takes to match.
struct Posting: BitwiseCopyable, Equatable {
    /// How often a push may meet a widget under its keys.
    enum Repeats: UInt32, Comparable, BitwiseCopyable {
        case never = 0
        /// Only if it has lists: the keys exclude each other.
        case withLists = 1
        case always = 3

        static func < (left: Repeats, right: Repeats) -> Bool { left.rawValue < right.rawValue }
    }

    /// Widgets number below this, so that a list's length fits beside its size class.
    static var widgetLimit: UInt32 { 1 << 27 }
    private static var checkedBit: UInt32 { 1 << 30 }
    private static var repeatShift: UInt32 { 28 }

    let bits: UInt32

    init(_ widget: WidgetID, needsCheck: Bool, repeats: Repeats = .never) {
        assert(widget < Self.widgetLimit)
        bits =
            widget | (needsCheck ? Self.checkedBit : 0) | repeats.rawValue << Self.repeatShift
    }

    @inline(__always)
    var widget: WidgetID { bits & (Self.widgetLimit - 1) }

    /// Whether the widget has conditions beside the key.
    @inline(__always)
    var needsCheck: Bool { bits & Self.checkedBit != 0 }

    /// Whether a push, with lists or without, may meet the widget more than once.
    @inline(__always)
    func mayRepeat(_ hasLists: Bool) -> Bool {
        bits >> Self.repeatShift & (hasLists ? 1 : 2) != 0
    }

    /// Whether matching it looks at the widget.
    @inline(__always)
    func readsWidget(_ hasLists: Bool) -> Bool { needsCheck || mayRepeat(hasLists) }
}

/// The widgets under one key: eight bytes, of which all that a single widget needs is one half.
///
///     class 0        head is the posting itself; count is 0 or 1
///     class 1…16     head is a block of 2^class postings
///     class 17       head is a directory of blocks of 2^16 postings
///
/// So no list is ever moved by more than 256 KiB, however long it gets.
struct PostingList: BitwiseCopyable {
    static var countBits: UInt32 { 27 }
    static var blockClass: UInt32 { 16 }
    static var directoryClass: UInt32 { 17 }

    var head: UInt32 = ByteArena.none
    /// The size class above the count.
    var shape: UInt32 = 0

    init() {}

    @inline(__always)
    var count: Int { Int(shape & (1 << Self.countBits - 1)) }

    @inline(__always)
    var sizeClass: UInt32 { shape >> Self.countBits }

    /// The posting of a list that has exactly one.
    @inline(__always)
    var single: Posting? { sizeClass == 0 && count == 1 ? Posting(bits: head) : nil }

    mutating func set(head: UInt32, sizeClass: UInt32, count: Int) {
        self.head = head
        shape = sizeClass << Self.countBits | UInt32(count)
    }
}

extension Posting {
    @inline(__always)
    init(bits: UInt32) {
        self.bits = bits
    }
}
