public import Basics

/// The inlined values of a widget, as RELOAD has them.
///
/// The functions that other modules call here are inlined into those modules. A call would copy the
/// widgets' table and the catalog, 328 and 360 bytes, because Swift 6.3 passes even a large
/// borrowed struct as a copy of its bits.
extension WidgetFields {
    /// Whether RELOAD can have all values that the kind inlines; false if the kind inlines none.
    @inlinable @inline(__always)
    package func hasAllInlined(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        guard kind.inlinedCount > 0, let header = currentHeader(widget, kind: kind) else {
            return false
        }
        return header.inlined == kind.inlined
    }

    /// Whether each change of the widget's inlined values has led to a reload request, so that the
    /// last RELOAD had the values that are known now; false if a reload that was to bring them was
    /// dropped, or if the kind inlines fields that it does not observe; nil if no inlined value is
    /// known. No reload of the widget may be pending.
    package func areInlinedFollowed(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool? {
        let kind = catalog.fields(of: kind)
        guard let header = currentHeader(widget, kind: kind), !header.inlined.isEmpty else {
            return nil
        }
        let isObserved = kind.observed.isEmpty || kind.inlined.isSubset(of: kind.observed)
        return isObserved && !header.nextPushIsChange
    }

    /// The length of the text that `writeInlined` writes, in bytes: at most
    /// `FieldCatalog.inlinedByteLimit`.
    @inlinable @inline(__always)
    package func inlinedByteCount(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Int {
        let header = currentHeader(widget, kind: catalog.fields(of: kind))
        return header.map { Int($0.objectByteCount) } ?? 2
    }

    /// Writes the JSON object of the inlined values that are known, `{"hp":30,"level":5}`, to
    /// memory for `inlinedByteCount` bytes; returns the number of bytes written.
    @unsafe @inlinable @inline(__always)
    package func writeInlined(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let kind = catalog.fields(of: kind)
        if currentHeader(widget, kind: kind) == nil {
            return unsafe Self.writeEmptyObject(to: memory)
        }
        let block = unsafe arena.pointer(blocks[widget])
        return unsafe Self.write(
            block,
            kind: kind,
            list: catalog.bytes.pointer(kind.list),
            to: memory
        )
    }

    /// Writes `{}`, and returns 2, the number of bytes written.
    @usableFromInline
    static func writeEmptyObject(to memory: UnsafeMutableRawPointer) -> Int {
        unsafe memory.storeBytes(of: 0x7b, as: UInt8.self)
        unsafe memory.storeBytes(of: 0x7d, toByteOffset: 1, as: UInt8.self)
        return 2
    }

    /// Writes the object of a block of the kind's generation; `list` is the kind's, in the
    /// catalog's bytes. Returns the number of bytes written.
    @unsafe @usableFromInline
    static func write(
        _ block: UnsafeMutableRawPointer,
        kind: KindFields,
        list: UnsafeRawPointer,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        var end = unsafe memory
        func put(_ byte: UInt8) {
            unsafe end.storeBytes(of: byte, as: UInt8.self)
            unsafe end += 1
        }
        func put(_ bytes: ByteView) {
            unsafe bytes.copy(to: end)
            unsafe end += bytes.count
        }
        put(0x7b)
        let block = unsafe FieldBlock(block, kind: kind)
        var text = unsafe block.texts
        var needsComma = false
        for position in 0..<Int(kind.inlinedCount) {
            let length = unsafe block[lengthAt: position]
            if length == 0 { continue }
            if needsComma { put(0x2c) }
            needsComma = true
            unsafe put(kind.key(at: position, in: list))
            unsafe put(ByteView(base: text, count: Int(length)))
            unsafe text += Int(length)
        }
        put(0x7d)
        return unsafe end - memory
    }

    /// The header of a widget's block; nil if it has none of the kind's present generation.
    @inlinable @inline(__always)
    func currentHeader(_ widget: WidgetID, kind: KindFields) -> FieldBlock.Header? {
        if !blocks.has(widget) || blocks[widget] == .none { return nil }
        let header = header(blocks[widget])
        return header.generation == kind.generation ? header : nil
    }
}
