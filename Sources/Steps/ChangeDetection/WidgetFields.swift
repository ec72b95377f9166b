public import DataStructures
package import ReloadModel
internal import StoreFormat

/// What each widget had last at the fields that its kind shows and carries.
///
///     blocks[widget] ─► block in the arena: hashes of shown values, texts of carried ones
///
/// A push is a change for a widget if it brings a shown field whose value the widget did not have;
/// a field that the push lacks is unchanged, and null is a value. Values are compared by 64-bit
/// hashes, so a change is missed with a chance of about 2^-64.
///
/// Only widgets that a push was applied to have a block: 16 bytes, 8 for each shown field, and for
/// each carried one 2 and its text, of which there are at most 512 bytes. A widget of a kind without
/// fields costs its 4 bytes in the table, and those only if some widget of a higher number has fields.
@safe @usableFromInline
package struct WidgetFields: ~Copyable {
    /// Where a push has its value of a field: by field, and stamped, so that nothing is cleared from
    /// push to push.
    ///
    /// Not private: the compiler of Swift 6.3.1 loses the private type of a non-copyable one's table
    /// in other modules' debug builds.
    struct Place: BitwiseCopyable {
        var stamp: UInt64
        var value: UInt32
    }

    /// A bit for each place of a kind's list.
    typealias Places = UInt16

    @usableFromInline var blocks = Slab<UInt32>()
    @usableFromInline var arena = ByteArena()
    var marks = PageMarks()
    /// Pages that were written before they changed, and that the checkpoint has not taken yet.
    var copies = RecordStack<UInt32>()
    /// Pages below are not owed to a checkpoint any more.
    var nextOwedPage: UInt32 = 0
    private var places = Slab<Place>()
    private var stamp: UInt64 = 0
    #if DEBUG
    /// For tests that set it: blocks of widgets as they were when they were first said to change.
    var formerBlocks: [WidgetID: [UInt8]]?
    #endif

    package init() {}

    /// Bytes held from the system, used or not.
    package var byteCount: Int { blocks.byteCount + arena.byteCount + places.byteCount }

    /// Bytes in blocks that are in use.
    package var usedByteCount: Int { arena.usedByteCount }

    // MARK: - Pushes

    /// Takes over what a push brings, and says whether it is a change for a widget that it matches.
    ///
    /// Carried values are the latest also if nothing that is shown changes. Pushes must come in
    /// their order, as the matcher has them.
    ///
    /// - Parameters:
    ///   - push: the handle in `fields`, or `PushFields.none` if it was not read.
    ///   - fields: the batch.
    ///   - widget: is taken to be of `kind` since its last `remove`.
    ///   - kind: the widget's.
    ///   - catalog: the fields that are named now.
    /// - Returns: false if the push is unchanged for the widget.
    package mutating func apply(
        _ push: UInt32,
        of fields: borrowing PushFields,
        to widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        if kind.count == 0 { return true }
        guard push != PushFields.none, fields.pushes[Int(push)].generation >= kind.generation else {
            // Read when the list was another: what it brings for this one is not known.
            remove(widget, catalog: catalog)
            return true
        }
        let given = locate(fields.pushes[Int(push)], of: fields, kind, catalog)
        var current = block(of: widget, kind, catalog)
        if given & kind.carried != 0 || current == ByteArena.none && given != 0 {
            willChange(widget, catalog)
        }
        // Most values are as long as those before, or none is carried: then the block stays.
        let stays =
            current == ByteArena.none
            ? given == 0 : storeTexts(current, given, of: fields, kind, catalog)
        if !stays {
            current = refit(current, given, of: fields, kind, catalog)
            place(current, for: widget)
            _ = storeTexts(current, given, of: fields, kind, catalog)
        }
        if kind.shown == 0 { return true }
        if current == ByteArena.none { return false }
        return compare(widget, current, given & kind.shown, of: fields, kind, catalog)
    }

    /// The places that a push brings values for; notes where it has them.
    @inline(__always)
    private mutating func locate(
        _ push: PushFields.Push,
        of fields: borrowing PushFields,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> Places {
        if catalog.fields.end > places.end {
            places.reserve(through: catalog.fields.end - 1, filling: Place(stamp: 0, value: 0))
        }
        stamp += 1
        for index in push.first..<push.end {
            places[fields.values[Int(index)].field] = Place(stamp: stamp, value: index)
        }
        var given: Places = 0
        for place in 0..<Int(kind.count)
        where places[catalog.field(at: place, of: kind)].stamp == stamp {
            given |= 1 << Places(place)
        }
        return given
    }

    /// What the located push has at a place.
    @inline(__always)
    private func value(
        at place: Int,
        of fields: borrowing PushFields,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> PushFields.Value {
        fields.values[Int(places[catalog.field(at: place, of: kind)].value)]
    }

    /// Compares what a push brings with what the widget has, and keeps it.
    @inline(__always)
    private mutating func compare(
        _ widget: WidgetID,
        _ reference: UInt32,
        _ given: Places,
        of fields: borrowing PushFields,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> Bool {
        let block = unsafe FieldBlock(arena.pointer(reference), kind)
        var header = unsafe block.header
        var isChanged = header.owesChange
        if isChanged { willChange(widget, catalog) }
        var rest = given
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            let hash = value(at: place, of: fields, kind, catalog).hash
            if header.known & 1 << Places(place) != 0, unsafe block[hashAt: place] == hash {
                continue
            }
            if !isChanged { willChange(widget, catalog) }
            isChanged = true
            unsafe block[hashAt: place] = hash
        }
        if !isChanged { return false }
        header.known |= given
        header.owesChange = false
        unsafe block.header = header
        return true
    }

    // MARK: - Texts

    /// The lengths of the texts with what a push brings, and that of the whole object.
    ///
    /// What it does not bring stays. What it brings is taken in the order of the kind's list as far
    /// as there is room for it; the rest is not known from then on, whatever it was before.
    @inline(__always)
    private func fit(
        _ given: Places,
        of fields: borrowing PushFields,
        _ kept: FieldBlock.Lengths,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> (FieldBlock.Lengths, objectByteCount: Int) {
        var lengths = kept
        // A brace in front, and behind each member a comma or the other brace.
        var byteCount = 1
        for place in 0..<Int(kind.carriedCount) where given & 1 << Places(place) == 0 {
            if kept[place] == 0 { continue }
            byteCount += catalog.key(at: place, of: kind).count + Int(kept[place]) + 1
        }
        for place in 0..<Int(kind.carriedCount) where given & 1 << Places(place) != 0 {
            let textCount = value(at: place, of: fields, kind, catalog).textCount
            let more = catalog.key(at: place, of: kind).count + Int(textCount) + 1
            let fits = textCount > 0 && byteCount + more <= FieldCatalog.carriedByteLimit
            lengths[place] = fits ? textCount : 0
            if fits { byteCount += more }
        }
        return (lengths, max(byteCount, 2))
    }

    /// A block, the old one or another, with room for what a push brings.
    @inline(never)
    private mutating func refit(
        _ old: UInt32,
        _ given: Places,
        of fields: borrowing PushFields,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> UInt32 {
        let kept = old == ByteArena.none ? .zero : lengths(old, kind)
        let (lengths, objectByteCount) = fit(given, of: fields, kept, kind, catalog)
        if old != ByteArena.none && lengths == kept { return old }
        return rebuild(old, kind, lengths, objectByteCount)
    }

    /// A block with room for texts of these lengths, instead of another one whose hashes it has, and
    /// of whose texts those that keep their length.
    mutating func rebuild(
        _ old: UInt32,
        _ kind: KindFields,
        _ lengths: FieldBlock.Lengths,
        _ objectByteCount: Int
    ) -> UInt32 {
        let byteCount = unsafe FieldBlock.byteCount(kind, lengths)
        let new = arena.allocate(byteCount)
        let block = unsafe FieldBlock(arena.pointer(new), kind)
        var header = FieldBlock.Header(kind)
        if old != ByteArena.none {
            let other = unsafe FieldBlock(arena.pointer(old), kind)
            header = unsafe other.header
            unsafe block.copyHashes(of: other)
            unsafe block.copyTexts(of: other, lengths)
        }
        let freed = Int(header.byteCount)
        header.byteCount = UInt16(byteCount)
        header.objectByteCount = UInt16(objectByteCount)
        header.carried = 0
        for place in 0..<Int(kind.carriedCount) where lengths[place] > 0 {
            header.carried |= 1 << Places(place)
        }
        unsafe block.header = header
        unsafe block.lengths = lengths
        if old != ByteArena.none { arena.free(old, freed) }
        return new
    }

    /// Stores the texts that a push brings where there is exactly room for them; returns whether
    /// there was for all.
    @inline(__always)
    private func storeTexts(
        _ reference: UInt32,
        _ given: Places,
        of fields: borrowing PushFields,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> Bool {
        let block = unsafe FieldBlock(arena.pointer(reference), kind)
        var text = unsafe block.texts
        var hadRoom = true
        for place in 0..<Int(kind.carriedCount) {
            let length = unsafe block[lengthAt: place]
            if given & 1 << Places(place) != 0 {
                let value = value(at: place, of: fields, kind, catalog)
                if value.textCount != length {
                    hadRoom = false
                } else if length > 0 {
                    unsafe fields.copyText(of: value, to: text)
                }
            }
            unsafe text += Int(length)
        }
        return hadRoom
    }

    // MARK: - Blocks

    /// Every change of a widget's block comes here first: a checkpoint that is under way still has to
    /// have the block as it was.
    @inline(__always)
    private mutating func willChange(_ widget: WidgetID, _ catalog: borrowing FieldCatalog) {
        #if DEBUG
        if formerBlocks != nil && formerBlocks![widget] == nil {
            formerBlocks![widget] = blockBytes(of: widget)
        }
        #endif
        let page = SlabPages.page(of: widget)
        if marks.willChange(page) { copy(page, catalog) }
    }

    #if DEBUG
    /// The memory of a widget's block, as it is; empty if there is none.
    func blockBytes(of widget: WidgetID) -> [UInt8] {
        if widget >= blocks.end || blocks[widget] == ByteArena.none { return [] }
        return arena.view(blocks[widget], Int(header(blocks[widget]).byteCount)).array
    }
    #endif

    /// The block of a widget; none if there is none, or of another generation.
    @inline(__always)
    private mutating func block(
        of widget: WidgetID,
        _ kind: KindFields,
        _ catalog: borrowing FieldCatalog
    ) -> UInt32 {
        if widget >= blocks.end || blocks[widget] == ByteArena.none { return ByteArena.none }
        if header(blocks[widget]).generation == kind.generation { return blocks[widget] }
        remove(widget, catalog: catalog)
        return ByteArena.none
    }

    @inlinable @inline(__always)
    func header(_ reference: UInt32) -> FieldBlock.Header {
        unsafe arena.pointer(reference).load(as: FieldBlock.Header.self)
    }

    @inline(__always)
    private func lengths(_ reference: UInt32, _ kind: KindFields) -> FieldBlock.Lengths {
        unsafe FieldBlock(arena.pointer(reference), kind).lengths
    }

    mutating func place(_ block: UInt32, for widget: WidgetID) {
        blocks.reserve(through: widget, filling: ByteArena.none)
        marks.grow(to: pageCount)
        blocks[widget] = block
    }

    /// Says that a reload of the widget was dropped: the next push is a change, whatever it brings.
    package mutating func forgetShown(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) {
        let kind = catalog.fields(of: kind)
        if kind.shown == 0 { return }
        willChange(widget, catalog)
        var current = block(of: widget, kind, catalog)
        if current == ByteArena.none {
            current = rebuild(current, kind, .zero, 2)
            place(current, for: widget)
        }
        let block = unsafe FieldBlock(arena.pointer(current), kind)
        unsafe block.header.known = 0
        unsafe block.header.owesChange = true
    }

    /// Forgets a widget that is removed, or configured anew.
    package mutating func remove(_ widget: WidgetID, catalog: borrowing FieldCatalog) {
        if widget >= blocks.end || blocks[widget] == ByteArena.none { return }
        willChange(widget, catalog)
        arena.free(blocks[widget], Int(header(blocks[widget]).byteCount))
        blocks[widget] = ByteArena.none
    }
}
