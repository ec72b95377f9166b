internal import Basics

/// The number of a posting list in its key table; reused after the list is removed.
struct PostingListID: SlotNumber {
    let rawValue: UInt32
}

/// The position of a posting among those of its key.
struct PostingPosition: BitwiseCopyable, Equatable {
    let rawValue: UInt32

    @inline(__always)
    init(_ index: Int) {
        assert(index >= 0 && index < Posting.widgetLimit, "position \(index)")
        rawValue = UInt32(truncatingIfNeeded: index)
    }

    /// A number that is no position of any posting.
    @inline(__always)
    init(special rawValue: UInt32) {
        assert(rawValue >= Posting.widgetLimit, "position \(rawValue) may be that of a posting")
        self.rawValue = rawValue
    }

    @inline(__always)
    var index: Int { Int(rawValue) }
}

/// One entry under a key, in 32 bits: a widget, and what is needed beyond the key to match it.
///
///     bit   31      reserved for `KeyTable`
///           30      needs check
///           29, 28  repeats
///           26…0    widget
struct Posting: BitwiseCopyable, Equatable {
    /// Whether one push may find a widget under several of its keys.
    enum Repeat: UInt32, Comparable, BitwiseCopyable {
        case never = 0
        /// Only a push with lists may find the widget under several keys: for single values, the
        /// keys exclude each other.
        case withLists = 1
        case always = 3

        static func < (left: Repeat, right: Repeat) -> Bool { left.rawValue < right.rawValue }
    }

    /// Widget numbers are below this limit, so that a posting fits in 32 bits, and so do the length
    /// and the size class of a list.
    static var widgetLimit: UInt32 { 1 << 27 }
    /// Set if the posting needs a check.
    private static var checkedBit: UInt32 { 1 << 30 }
    /// Number of the lowest bit of `Repeat`.
    private static var repeatShift: UInt32 { 28 }

    let bits: UInt32

    init(_ widget: WidgetID, needsCheck: Bool, repeats: Repeat = .never) {
        assert(widget.rawValue < Self.widgetLimit)
        bits =
            widget.rawValue | (needsCheck ? Self.checkedBit : 0)
            | repeats.rawValue << Self.repeatShift
    }

    @inline(__always)
    var widget: WidgetID { WidgetID(rawValue: bits & (Self.widgetLimit - 1)) }

    /// Whether conditions of the widget's rule remain that the key does not decide.
    @inline(__always)
    var needsCheck: Bool { bits & Self.checkedBit != 0 }

    /// Whether a push, with lists or without, may find the widget under several keys.
    @inline(__always)
    func mayRepeat(_ hasLists: Bool) -> Bool { bits >> Self.repeatShift & (hasLists ? 1 : 2) != 0 }

    /// Whether matching the posting reads the widget's record.
    @inline(__always)
    func readsWidget(_ hasLists: Bool) -> Bool { needsCheck || mayRepeat(hasLists) }
}

/// The postings under a key that has more than one: 8 bytes.
///
///     class 1…16     a block of 2^class postings
///     class 17       a directory of blocks of 2^16 postings
///
/// Growing therefore copies at most 128 KiB of postings at once, however long the list gets.
/// `PostingStore` owns the blocks.
struct PostingList: BitwiseCopyable {
    /// Low bits of `shape` that hold the count.
    static var countBits: UInt32 { 27 }
    /// Size class of the largest list in one block.
    static var blockClass: UInt32 { 16 }
    /// Size class of a list with a directory.
    static var directoryClass: UInt32 { 17 }

    /// The block or directory.
    let block: ArenaBlock
    /// The count in the low 27 bits, the size class in the bits above.
    private var shape: UInt32

    init(_ block: ArenaBlock, sizeClass: UInt32, count: Int) {
        assert(sizeClass > 0 && sizeClass <= Self.directoryClass, "size class \(sizeClass)")
        assert(count > 0 && count < Posting.widgetLimit, "\(count) postings")
        self.block = block
        shape = sizeClass << Self.countBits | UInt32(count)
    }

    @inline(__always)
    var count: Int { Int(shape & (1 << Self.countBits - 1)) }

    /// The size class, which says what `block` is, as listed at `PostingList`.
    @inline(__always)
    var sizeClass: UInt32 { shape >> Self.countBits }

    /// Changes the number of postings; the block stays the same.
    mutating func setCount(_ count: Int) {
        self = PostingList(block, sizeClass: sizeClass, count: count)
    }
}

extension Posting {
    /// The posting with these bits, which must not have the bit reserved for `KeyTable`.
    @inline(__always)
    init(bits: UInt32) {
        assert(bits >> 31 == 0, "the top bit is reserved")
        self.bits = bits
    }
}
