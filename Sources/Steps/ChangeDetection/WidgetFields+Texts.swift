internal import Basics

/// Keeping the texts of inlined values in the widgets' blocks.
extension WidgetFields {
    /// The lengths of the widget's texts after a push, and the length of the whole object.
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
    ) -> (FieldBlock.Lengths, objectByteCount: Int) {
        var lengths = kept
        // A brace in front, and after each member a comma or the other brace.
        var byteCount = 1
        for position in 0..<Int(kind.inlinedCount) where !given[position] {
            if kept[position] == 0 { continue }
            byteCount += catalog.key(at: position, of: kind).count + Int(kept[position]) + 1
        }
        for position in 0..<Int(kind.inlinedCount) where given[position] {
            let textCount = value(at: position, of: fields, kind: kind, catalog: catalog).textCount
            let more = catalog.key(at: position, of: kind).count + Int(textCount) + 1
            let fits = textCount > 0 && byteCount + more <= FieldCatalog.inlinedByteLimit
            lengths[position] = fits ? textCount : 0
            if fits { byteCount += more }
        }
        return (lengths, max(byteCount, 2))
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
        let (lengths, objectByteCount) = fit(
            given,
            of: fields,
            kept: kept,
            kind: kind,
            catalog: catalog
        )
        if old != .none && lengths == kept { return old }
        return rebuild(old, kind: kind, lengths: lengths, objectByteCount: objectByteCount)
    }

    /// Replaces a block by one with space for texts of these lengths, and for as many other keys as
    /// before or as many as are named. It has the old block's hashes and keys, and those of its
    /// texts whose length stays the same.
    mutating func rebuild(
        _ old: ArenaBlock,
        kind: KindFields,
        lengths: FieldBlock.Lengths,
        objectByteCount: Int,
        otherKeyCount: Int? = nil
    ) -> ArenaBlock {
        assert(objectByteCount >= 2, "an object has two braces")
        assert(objectByteCount <= FieldCatalog.inlinedByteLimit, "more than RELOAD can have")
        let keyCount = otherKeyCount ?? (old == .none ? 0 : header(old).otherKeyCount)
        let byteCount = unsafe FieldBlock.byteCount(
            kind,
            lengths: lengths,
            otherKeyCount: keyCount
        )
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
