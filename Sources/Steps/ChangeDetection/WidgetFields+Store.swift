package import Basics
package import StoreFormat

/// The stored form of widgets' values.
///
///     which of the widgets have a block, a bit each                     64 bits
///     for each of them, ascending:
///       observed fields, a bit each │ number of inlined fields          16 + 8 bits
///       flags: 1 the next push is a change, whatever it has; 2 it has a key; 4 it has an order;
///         from 8, the number of other keys                               8 bits
///       fields whose hash is known, a bit each                          16 bits
///       hash of each of them …                                          64 bits each
///       length of each inlined text, 0 if it is not known …             varints
///       texts …
///       its key, and order │ each other key, and order, known fields, hashes …
///
/// What has no flag of a key or an order is of a version that had none. An order has 64 bits, and
/// 8 for its form.
///
/// Fields have the order of the kind's list. Values that a widget had under an earlier list of its
/// kind are meaningless and are left out; so the stored form does not depend on the numbers of
/// generations.
extension WidgetFields {
    /// Writes the values of at most a page of widgets, in use or not.
    package func write(
        _ widgets: NumberRange<WidgetID>,
        catalog: borrowing FieldCatalog,
        to writer: inout StoreWriter
    ) {
        precondition(widgets.count <= SlabPages.length, "more widgets than a page has")
        Self.write(widgets, blocks: blocks, arena: arena, catalog: catalog, to: &writer)
    }

    /// Writes the values of some widgets. It is static, so that a page can be written into `copies`
    /// of the same `WidgetFields`.
    static func write(
        _ widgets: NumberRange<WidgetID>,
        blocks: borrowing Slab<WidgetID, ArenaBlock>,
        arena: borrowing ByteArena,
        catalog: borrowing FieldCatalog,
        to writer: inout StoreWriter
    ) {
        let start = writer.count
        writer.put(0 as UInt64)
        var present: UInt64 = 0
        for widget in widgets where blocks.has(widget) && blocks[widget] != .none {
            let block = unsafe FieldBlock(arena.pointer(blocks[widget]))
            if unsafe !catalog.generations.contains(block.header.generation) { continue }
            present |= 1 << UInt64(widget.index - widgets.startIndex)
            unsafe write(block, to: &writer)
        }
        writer.patch(present, at: start)
    }

    /// Writes the stored form of the block of one widget.
    private static func write(_ block: FieldBlock, to writer: inout StoreWriter) {
        let header = unsafe block.header
        let lengths = unsafe block.lengths
        unsafe writer.put(block.observed.rawValue)
        unsafe writer.put(UInt8(block.inlinedCount))
        writer.put(header.flags)
        writer.put(header.known.rawValue)
        for position in 0..<UInt16.bitWidth where header.known[position] {
            unsafe writer.put(block[hashAt: position])
        }
        for position in unsafe 0..<block.inlinedCount {
            writer.put(varint: UInt64(lengths[position]))
        }
        let textCount = Int(lengths.wrappedSum())
        unsafe writer.put(raw: ByteView(base: block.texts, count: textCount))
        unsafe writer.put(raw: block.keysView)
    }

    /// Restores the values that `write` has written to the same widgets, none of which has values
    /// yet; `kind` is nil for those that are none. The kinds must have the same lists as when the
    /// values were written, and pushes the same decision seed. The reader is at the first byte that
    /// `write` wrote, and afterwards after the last. After an error, some of the widgets have their
    /// values and others do not.
    ///
    /// - Throws: `corrupt`.
    package mutating func restore(
        _ widgets: NumberRange<WidgetID>,
        kind: (WidgetID) -> KindID?,
        catalog: borrowing FieldCatalog,
        from reader: inout StoreReader
    ) throws(StoreError) {
        precondition(widgets.count <= SlabPages.length, "more widgets than a page has")
        var present = try reader.read(UInt64.self)
        while present != 0 {
            let offset = present.trailingZeroBitCount
            present &= present - 1
            guard offset < widgets.count else { throw reader.corrupt("a widget of another page") }
            let widget = widgets[widgets.startIndex + offset]
            guard let kind = kind(widget) else { throw reader.corrupt("no widget \(widget)") }
            assert(!blocks.has(widget) || blocks[widget] == .none)
            let stored = try StoredFields(widget, reading: &reader)
            let fields = catalog.fields(of: kind)
            guard let block = restoredBlock(stored, kind: fields, catalog: catalog) else {
                throw reader.corrupt("values that the kind's widgets do not have")
            }
            place(block, for: widget)
        }
    }

    /// Makes the block of one widget; nil if no widget of the kind has such values.
    private mutating func restoredBlock(
        _ stored: StoredFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock? {
        let header = stored.header
        if kind.isEmpty || header.observed != kind.observed
            || header.inlinedCount != kind.inlinedCount
            || catalog.objectByteCount(stored.lengths, of: kind) > FieldCatalog.inlinedByteLimit
        {
            return nil
        }
        // Keys are dropped that a version wrote which had others, or none.
        let haveSameForm = (header.flags ^ FieldBlock.Header(kind).flags) & 6 == 0
        let reference = rebuild(
            .none,
            kind: kind,
            lengths: stored.lengths,
            otherKeyCount: haveSameForm ? header.otherKeyCount : 0,
            catalog: catalog
        )
        let block = unsafe FieldBlock(arena.pointer(reference), kind: kind)
        var offset = 0
        for position in 0..<UInt16.bitWidth where header.known[position] {
            unsafe block[hashAt: position] = UInt64(littleEndian: stored.hashes.word(at: offset))
            offset += 8
        }
        unsafe stored.texts.copy(to: block.texts)
        unsafe block.header.known = header.known
        unsafe block.header.nextPushIsChange = header.nextPushIsChange
        if haveSameForm { unsafe block.setKeys(stored.keys) }
        // A key may not stand twice, nor have what no key has.
        if unsafe !block.hasDistinctKeys || !block.areKeysValid {
            unsafe arena.free(reference, byteCount: Int(block.header.byteCount))
            return nil
        }
        return reference
    }
}

/// Writes the values of all widgets page by page while they keep changing. It works as
/// `TrackedSlab` does, except that a page is copied as the bytes to be written.
extension WidgetFields {
    /// The number of pages of widgets that have, or had, values.
    package var pageCount: UInt32 { SlabPages.count(blocks.end) }

    /// Starts to record which pages change; `isSaved` says whether the present values count as
    /// unchanged.
    package mutating func startTracking(isSaved: Bool) {
        marks.startTracking(pageCount: pageCount, isSaved: isSaved)
    }

    /// Marks all pages as changed, because the kinds' lists have changed. No checkpoint may be
    /// under way.
    ///
    /// Values in any page may have become meaningless, so all pages must be written again.
    package mutating func listsChanged() { marks.changeAll() }

    /// Starts a checkpoint: `nextUnwritten` will return the values that widgets have now.
    package mutating func beginCheckpoint() {
        marks.beginCheckpoint()
        nextUnwrittenPage = 0
    }

    /// Returns the number of the next page that the checkpoint has not written yet, and its bytes
    /// in the format of `write`, valid until the next change; nil if no page is left. The lists of
    /// the catalog must not have changed since `beginCheckpoint`.
    package mutating func nextUnwritten(
        catalog: borrowing FieldCatalog
    ) -> (page: UInt32, bytes: ByteView)? {
        if copies.isEmpty, let page = marks.nextUnwrittenPage(from: nextUnwrittenPage) {
            nextUnwrittenPage = page + 1
            marks.markWritten(page)
            copy(page, catalog: catalog)
        }
        return copies.popLast().map { ($0.name, $0.body) }
    }

    /// Ends the checkpoint before it is complete.
    package mutating func abandonCheckpoint() {
        copies.removeAll()
        marks.abandonCheckpoint()
    }

    /// Saves a page as the bytes to be written.
    @inline(never)
    mutating func copy(_ page: UInt32, catalog: borrowing FieldCatalog) {
        copies.begin(page)
        Self.write(
            SlabPages.ids(of: page),
            blocks: blocks,
            arena: arena,
            catalog: catalog,
            to: &copies.writer
        )
    }
}
