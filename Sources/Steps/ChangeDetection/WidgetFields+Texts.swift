internal import Basics

/// Keeping the texts of inlined values in the widgets' blocks.
extension WidgetFields {
    /// The lengths of the widget's texts after a push.
    ///
    /// Values that the push lacks stay. The push's own values are added in the order of the kind's
    /// list as far as the object has space for them; the others count as not known from then on,
    /// whatever they were before.
    @inline(__always)
    private func fit(
        _ given: FieldPositions,
        of fields: borrowing PushFields,
        kept: FieldBlock.Lengths,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> FieldBlock.Lengths {
        var lengths = kept
        for position in 0..<Int(kind.inlinedCount) where given[position] { lengths[position] = 0 }
        for position in 0..<Int(kind.inlinedCount) where given[position] {
            var more = lengths
            more[position] = value(at: position, of: fields, kind: kind, catalog: catalog).textCount
            let fits = catalog.objectByteCount(more, of: kind) <= FieldCatalog.inlinedByteLimit
            if fits { lengths = more }
        }
        return lengths
    }

    /// A block with space for the texts of a push: the old one if they fit, otherwise a new one.
    @inline(never)
    mutating func refit(
        _ old: ArenaBlock,
        given: FieldPositions,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock {
        let kept = old == .none ? .zero : lengths(old, kind: kind)
        let lengths = fit(given, of: fields, kept: kept, kind: kind, catalog: catalog)
        if old != .none && lengths == kept { return old }
        return rebuild(old, kind: kind, lengths: lengths, catalog: catalog)
    }

    /// Replaces a block by one with space for texts of these lengths, and for as many other keys as
    /// before or as many as are named. It has the old block's hashes and keys, and those of its
    /// texts whose length stays the same.
    mutating func rebuild(
        _ old: ArenaBlock,
        kind: KindFields,
        lengths: FieldBlock.Lengths,
        otherKeyCount: Int? = nil,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock {
        let objectByteCount = catalog.objectByteCount(lengths, of: kind)
        assert(objectByteCount <= FieldCatalog.inlinedByteLimit, "more than RELOAD can have")
        let keyCount = otherKeyCount ?? (old == .none ? 0 : header(old).otherKeyCount)
        let byteCount = unsafe FieldBlock.byteCount(kind, lengths: lengths, otherKeyCount: keyCount)
        let new: ArenaBlock = arena.allocate(byteCount)
        let block = unsafe FieldBlock(arena.pointer(new), kind: kind)
        var header = FieldBlock.Header(kind)
        header.byteCount = UInt16(byteCount)
        header.otherKeyCount = keyCount
        unsafe block.header = header
        unsafe block.clearKeys()
        var freed = 0
        if old != .none {
            let other = unsafe FieldBlock(arena.pointer(old), kind: kind)
            header = unsafe other.header
            freed = Int(header.byteCount)
            unsafe block.copyHashes(of: other)
            unsafe block.copyKeys(of: other)
            header.otherKeyCount = keyCount
            unsafe block.copyTexts(of: other, lengths: lengths)
        }
        header.byteCount = UInt16(byteCount)
        header.objectByteCount = UInt16(objectByteCount)
        header.inlined = []
        for position in 0..<Int(kind.inlinedCount) where lengths[position] > 0 {
            header.inlined.insert(FieldPositions(position))
        }
        unsafe block.header = header
        unsafe block.lengths = lengths
        if old != .none { unsafe arena.free(old, byteCount: freed) }
        return new
    }

    /// Stores each text of a push that is exactly as long as its space in the block; returns
    /// whether all of them were.
    @inline(__always)
    func storeTexts(
        _ reference: ArenaBlock,
        given: FieldPositions,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let block = unsafe FieldBlock(arena.pointer(reference), kind: kind)
        var text = unsafe block.texts
        var hadRoom = true
        for position in 0..<Int(kind.inlinedCount) {
            let length = unsafe block[lengthAt: position]
            if given[position] {
                let value = value(at: position, of: fields, kind: kind, catalog: catalog)
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
}
