public import DataStructures
public import ReloadModel

/// The inlined values of a widget, as RELOAD has them.
///
/// What other modules call here is compiled into them: a call would copy the widgets' table and the
/// catalog, 328 and 360 bytes, because Swift 6.3 lends even a large struct by its bits.
extension WidgetFields {
    /// Whether RELOAD can have all values that the kind inlines; false if the kind inlines none.
    @inlinable @inline(__always)
    package func hasAllCarried(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        guard kind.carriedCount > 0, let header = currentHeader(widget, kind) else { return false }
        return header.carried == kind.carried
    }

    /// The length of the text that `writeCarried` writes, in bytes: at most
    /// `FieldCatalog.carriedByteLimit`.
    @inlinable @inline(__always)
    package func carriedByteCount(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Int {
        let header = currentHeader(widget, catalog.fields(of: kind))
        return header.map { Int($0.objectByteCount) } ?? 2
    }

    /// Writes the JSON object of the inlined values that are known: `{"hp":30,"level":5}`.
    ///
    /// - Parameters:
    ///   - widget: a widget of the kind.
    ///   - kind: the widget's kind.
    ///   - catalog: the present fields.
    ///   - memory: has space for `carriedByteCount` bytes.
    /// - Returns: the number of bytes written.
    @unsafe @inlinable @inline(__always)
    package func writeCarried(
        _ widget: WidgetID,
        kind: KindID,
        catalog: borrowing FieldCatalog,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let kind = catalog.fields(of: kind)
        if currentHeader(widget, kind) == nil { return unsafe Self.writeEmptyObject(to: memory) }
        let block = unsafe arena.pointer(blocks[widget])
        return unsafe Self.write(block, kind, list: catalog.bytes.pointer(kind.list), to: memory)
    }

    @usableFromInline
    static func writeEmptyObject(to memory: UnsafeMutableRawPointer) -> Int {
        unsafe memory.storeBytes(of: 0x7b, as: UInt8.self)
        unsafe memory.storeBytes(of: 0x7d, toByteOffset: 1, as: UInt8.self)
        return 2
    }

    /// Writes the object of a block.
    ///
    /// - Parameters:
    ///   - block: of the kind's generation.
    ///   - kind: the widget's.
    ///   - list: the kind's, in the catalog's bytes.
    ///   - memory: has room for the object.
    /// - Returns: the bytes written.
    @unsafe @usableFromInline
    static func write(
        _ block: UnsafeMutableRawPointer,
        _ kind: KindFields,
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
        let block = unsafe FieldBlock(block, kind)
        var text = unsafe block.texts
        var needsComma = false
        for place in 0..<Int(kind.carriedCount) {
            let length = unsafe block[lengthAt: place]
            if length == 0 { continue }
            if needsComma { put(0x2c) }
            needsComma = true
            unsafe put(kind.key(at: place, in: list))
            unsafe put(ByteView(base: text, count: Int(length)))
            unsafe text += Int(length)
        }
        put(0x7d)
        return unsafe end - memory
    }

    /// The header of a widget's block; nil if it has none of the kind's present generation.
    @inlinable @inline(__always)
    func currentHeader(_ widget: WidgetID, _ kind: KindFields) -> FieldBlock.Header? {
        if widget >= blocks.end || blocks[widget] == ByteArena.none { return nil }
        let header = header(blocks[widget])
        return header.generation == kind.generation ? header : nil
    }
}
