public import Basics
internal import StoreFormat

/// The last values that each widget had at the fields that its kind observes and inlines. They
/// decide whether a push is a change for a widget, and fill RELOAD's inlined values.
///
///     blocks[widget] ─► block in the arena: hashes of observed values, texts of inlined ones
///
/// A push is a change for a widget if it has a value of an observed field that the widget did not
/// have. A field that the push lacks is unchanged, and null is a value. Values are compared by
/// 64-bit hashes, so a change is missed with a probability of about 2^-64.
///
/// A widget may be of several entities, of which each has values of its own: the push's key says
/// of which it is. A field that is also inlined has one value, the last, because RELOAD has only
/// one. If the kind names a newest field, an update that is older than another of its key changes
/// nothing.
///
/// Only widgets to which a push was applied have a block: 16 bytes, 8 for each observed field, and
/// for each inlined one 2 and its text, of which there are at most 512 bytes in all; 4 for its key,
/// 9 for the order of updates, and as much again, with the observed fields, for each of at most
/// `otherKeyLimit` other keys. A widget of a
/// kind without fields costs its 4 bytes in the table, and those only if some widget with a higher
/// number has fields.
@usableFromInline
package struct WidgetFields: ~Copyable {
    /// Which value of the push being applied belongs to a field. An entry is valid only if its
    /// stamp is the current one, so that nothing is cleared from push to push.
    ///
    /// It is not private, because in debug builds of other modules Swift 6.3.1 does not find the
    /// private type of a table's elements in a non-copyable struct.
    struct LocatedValue: BitwiseCopyable {
        /// The number of the push for which the entry was made.
        var stamp: UInt64
        /// The value's index in `PushFields.values`.
        var value: UInt32
    }

    /// The most keys of a widget whose values are kept beside those of the last push; the values of
    /// the key that had no push for the longest time are given up for those of another one.
    package static var otherKeyLimit: Int { 7 }

    /// The block of each widget in `arena`; `none` if it has none.
    @usableFromInline var blocks = Slab<WidgetID, ArenaBlock>()
    @usableFromInline var arena = ByteArena()
    /// Which pages of widgets have changed.
    var marks = PageMarks()
    /// Pages that were copied before they changed, and that the checkpoint has not collected yet.
    var copies = RecordStack<UInt32>()
    /// The checkpoint has finished with all pages below this number.
    var nextUnwrittenPage: UInt32 = 0
    /// The values of the push being applied, by field.
    var places = Slab<FieldID, LocatedValue>()
    /// The number of the push being applied.
    var stamp: UInt64 = 0
    #if DEBUG
    /// For tests, which set it: the blocks of widgets as they were before their first recorded
    /// change.
    var formerBlocks: [WidgetID: [UInt8]]?
    #endif

    /// Makes a table in which no widget has values.
    package init() {}

    /// Bytes allocated from the system, used or not.
    package var byteCount: Int { blocks.byteCount + arena.byteCount + places.byteCount }

    /// Bytes of blocks in use.
    package var usedByteCount: Int { arena.usedByteCount }

    // MARK: - Pushes

    /// Applies a push, or `none` if it was not read, to a widget that it matches, and returns what
    /// it is to the widget, which has been of `kind` since its last `remove`.
    ///
    /// The latest inlined values are kept even if no observed value changes. Pushes must be applied
    /// in the order in which they arrived.
    package mutating func apply(
        _ push: PushHandle,
        of fields: borrowing PushFields,
        to widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> PushEffect {
        let kind = catalog.fields(of: kind)
        if kind.isEmpty { return .change }
        guard push != .none, fields.pushes[push.index].generation >= kind.generation else {
            // The push was read under an earlier list: what it has at the fields of this one is not
            // known.
            remove(widget, catalog: catalog)
            return .change
        }
        let given = locate(fields.pushes[push.index], of: fields, kind: kind, catalog: catalog)
        var current = block(of: widget, kind: kind, catalog: catalog)
        if kind.keyCount > 0 || kind.hasNewest {
            let update = update(of: fields, kind: kind, catalog: catalog)
            if isOlder(update, block: current, kind: kind) { return .outdated }
            current = enter(update, of: widget, block: current, kind: kind, catalog: catalog)
        }
        if !given.isDisjoint(with: kind.inlined) || current == .none && !given.isEmpty {
            copyBeforeWrite(widget, catalog: catalog)
        }
        // Most values are as long as the ones before, or none is inlined: then the block is reused.
        let stays =
            current == .none
            ? given.isEmpty
            : storeTexts(current, given: given, of: fields, kind: kind, catalog: catalog)
        if !stays {
            current = refit(current, given: given, of: fields, kind: kind, catalog: catalog)
            place(current, for: widget)
            _ = storeTexts(current, given: given, of: fields, kind: kind, catalog: catalog)
        }
        if kind.observed.isEmpty { return .change }
        if current == .none { return .unchanged }
        let isChange = compare(
            widget,
            block: current,
            given: given.intersection(kind.observed),
            of: fields,
            kind: kind,
            catalog: catalog
        )
        return isChange ? .change : .unchanged
    }

    /// Records where the push has its values, and returns the positions of the list for which it
    /// has any.
    @inline(__always)
    private mutating func locate(
        _ push: PushFields.Push,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> FieldPositions {
        assert(push.first <= push.end, "values of a push")
        assert(kind.count <= UInt16.bitWidth, "\(kind.count) fields")
        if let last = catalog.fields.ids.last {
            places.reserve(through: last, filling: LocatedValue(stamp: 0, value: 0))
        }
        stamp += 1
        for index in push.first..<push.end {
            places[fields.values[Int(index)].field] = LocatedValue(stamp: stamp, value: index)
        }
        var given: FieldPositions = []
        for position in 0..<Int(kind.count)
        where places[catalog.field(at: position, of: kind)].stamp == stamp {
            given.insert(FieldPositions(position))
        }
        return given
    }

    /// The value that the located push has at a position.
    @inline(__always)
    func value(
        at position: Int,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> PushFields.Value {
        assert(places[catalog.field(at: position, of: kind)].stamp == stamp, "no value")
        return fields.values[Int(places[catalog.field(at: position, of: kind)].value)]
    }

    /// Compares the push's values with the widget's, and keeps them; returns whether any has
    /// changed.
    @inline(__always)
    private mutating func compare(
        _ widget: WidgetID,
        block reference: ArenaBlock,
        given: FieldPositions,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        assert(given.isSubset(of: kind.observed), "values that are not observed")
        let block = unsafe FieldBlock(arena.pointer(reference), kind: kind)
        var header = unsafe block.header
        var isChanged = header.nextPushIsChange
        if isChanged { copyBeforeWrite(widget, catalog: catalog) }
        var rest = given
        while let position = rest.popFirst() {
            let hash = value(at: position, of: fields, kind: kind, catalog: catalog).hash
            if header.known[position], unsafe block[hashAt: position] == hash { continue }
            if !isChanged { copyBeforeWrite(widget, catalog: catalog) }
            isChanged = true
            unsafe block[hashAt: position] = hash
        }
        if !isChanged { return false }
        header.known.formUnion(given)
        header.nextPushIsChange = false
        unsafe block.header = header
        return true
    }

    // MARK: - Blocks

    /// Must be called before any change of a widget's block: a running checkpoint may not have
    /// written the block yet.
    @inline(__always)
    mutating func copyBeforeWrite(_ widget: WidgetID, catalog: borrowing FieldCatalog) {
        #if DEBUG
        if formerBlocks != nil && formerBlocks![widget] == nil {
            formerBlocks![widget] = blockBytes(of: widget)
        }
        #endif
        let page = SlabPages.page(of: widget.rawValue)
        if marks.copyBeforeWrite(page) { copy(page, catalog: catalog) }
    }

    #if DEBUG
    /// The bytes of a widget's block; empty if it has none.
    func blockBytes(of widget: WidgetID) -> [UInt8] {
        if !blocks.has(widget) || blocks[widget] == .none { return [] }
        return unsafe arena.view(blocks[widget], count: Int(header(blocks[widget]).byteCount)).array
    }
    #endif

    /// The block of a widget; frees it and returns none if it is of another generation.
    @inline(__always)
    private mutating func block(
        of widget: WidgetID,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock {
        if !blocks.has(widget) || blocks[widget] == .none { return .none }
        if header(blocks[widget]).generation == kind.generation { return blocks[widget] }
        remove(widget, catalog: catalog)
        return .none
    }

    @inlinable @inline(__always)
    func header(_ reference: ArenaBlock) -> FieldBlock.Header {
        unsafe arena.pointer(reference).load(as: FieldBlock.Header.self)
    }

    /// The lengths of the texts in a block of the kind's present list.
    @inline(__always)
    func lengths(_ reference: ArenaBlock, kind: KindFields) -> FieldBlock.Lengths {
        unsafe FieldBlock(arena.pointer(reference), kind: kind).lengths
    }

    /// Enters the block of a widget into the table.
    mutating func place(_ block: ArenaBlock, for widget: WidgetID) {
        assert(block != .none || blocks.has(widget), "no block for widget \(widget)")
        blocks.reserve(through: widget, filling: .none)
        marks.grow(to: pageCount)
        blocks[widget] = block
    }

    /// Makes the next push a change for the widget, whatever values it has, because a reload of the
    /// widget was dropped.
    package mutating func forgetObserved(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) {
        let kind = catalog.fields(of: kind)
        if kind.observed.isEmpty { return }
        copyBeforeWrite(widget, catalog: catalog)
        var current = block(of: widget, kind: kind, catalog: catalog)
        if current == .none {
            current = rebuild(current, kind: kind, lengths: .zero, catalog: catalog)
            place(current, for: widget)
        }
        let block = unsafe FieldBlock(arena.pointer(current), kind: kind)
        unsafe block.header.known = []
        unsafe block.header.nextPushIsChange = true
    }

    /// Drops the values of a widget that is removed or configured anew.
    package mutating func remove(_ widget: WidgetID, catalog: borrowing FieldCatalog) {
        if !blocks.has(widget) || blocks[widget] == .none { return }
        copyBeforeWrite(widget, catalog: catalog)
        unsafe arena.free(blocks[widget], byteCount: Int(header(blocks[widget]).byteCount))
        blocks[widget] = .none
    }
}

/// What a push is to the fields of a widget that it matches.
package enum PushEffect: Sendable {
    /// It changes what the widget shows.
    case change
    /// It leaves all observed fields as they are.
    case unchanged
    /// It is older than another push of its key, by the field that the kind names as `newest`.
    case outdated
}

extension WidgetFields {
    /// Asserts that every block has the layout of its header, that blocks made under a list in
    /// force fit that list, and that bytes are counted correctly. `kind` is nil for widgets that do
    /// not exist.
    ///
    /// - Complexity: proportional to the number of widgets.
    package func checkInvariants(kind: (WidgetID) -> KindID?, catalog: borrowing FieldCatalog) {
        var byteCount = 0
        for widget in blocks.ids where blocks[widget] != .none {
            guard let kind = kind(widget) else {
                assertionFailure("widget \(widget) is gone, and has values")
                continue
            }
            checkBlock(of: widget, list: catalog.fields(of: kind), catalog: catalog)
            byteCount += ByteArena.size(ofBlock: Int(header(blocks[widget]).byteCount))
        }
        assert(arena.usedByteCount == byteCount, "blocks of widgets that are gone are kept")
    }

    /// Asserts that a block has the layout of its header.
    private func checkBlock(
        of widget: WidgetID,
        list: KindFields,
        catalog: borrowing FieldCatalog
    ) {
        let block = unsafe FieldBlock(arena.pointer(blocks[widget]))
        let header = unsafe block.header
        let lengths = unsafe block.lengths
        assert(header.generation <= catalog.generation, "widget \(widget) is of a later generation")
        assert(header.known.isSubset(of: header.observed), "hashes of fields not observed")
        var texts: FieldPositions = []
        for position in 0..<Int(header.inlinedCount) where lengths[position] > 0 {
            texts.insert(FieldPositions(position))
        }
        assert(header.inlined == texts, "texts that widget \(widget) has")
        assert(
            unsafe Int(header.byteCount) == FieldBlock.byteCount(header, lengths: lengths),
            "the size of the block of widget \(widget)"
        )
        assert(header.otherKeyCount == 0 || header.hasKey, "other keys of a widget without keys")
        if header.generation != list.generation { return }
        assert(header.hasKey == (list.keyCount > 0), "the key of widget \(widget)")
        assert(header.hasOrder == list.hasNewest, "the order of widget \(widget)")
        unsafe assert(block.hasDistinctKeys, "a key of widget \(widget) stands twice")
        assert(header.observed == list.observed, "observed fields of widget \(widget)")
        assert(header.inlinedCount == list.inlinedCount, "inlined fields of widget \(widget)")
        let objectByteCount = catalog.objectByteCount(lengths, of: list)
        assert(objectByteCount == Int(header.objectByteCount), "the length of the object")
        assert(objectByteCount <= FieldCatalog.inlinedByteLimit, "more than RELOAD can have")
    }
}
