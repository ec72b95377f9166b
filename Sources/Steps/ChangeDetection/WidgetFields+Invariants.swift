package import Basics

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
