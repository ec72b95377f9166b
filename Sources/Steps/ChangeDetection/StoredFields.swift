package import Basics
package import StoreFormat

/// The values of one widget as they lie in a store, readable without the kind's list of fields; for
/// tools that display a store.
///
/// See `WidgetFields.write` for the format.
package struct StoredFields {
    /// The number of the widget.
    package let widget: WidgetID
    /// How many fields the widget observes.
    package let observedCount: Int
    /// The number of observed fields whose value is known.
    package let knownCount: Int
    /// Of how many keys there are values.
    package let keyCount: Int
    /// Whether the next push counts as a change, whatever values it has.
    package let nextPushIsChange: Bool
    /// The inlined values as JSON texts, in the order of the kind's list; empty if not known.
    package let inlined: [ByteView]

    /// Calls `body` with each widget of a page that has values.
    ///
    /// - Parameters:
    ///   - reader: is at the first byte that `WidgetFields.write` wrote; afterwards after the last.
    ///   - first: the number of the page's first widget.
    ///   - body: called with each widget that has values.
    /// - Throws: `corrupt`.
    package static func forEach(
        from reader: inout StoreReader,
        page first: UInt32,
        body: (StoredFields) -> Void
    ) throws(StoreError) {
        var present = try reader.read(UInt64.self)
        while present != 0 {
            let offset = UInt32(present.trailingZeroBitCount)
            present &= present - 1
            body(try StoredFields(WidgetID(rawValue: first + offset), reading: &reader))
        }
    }

    private init(_ widget: WidgetID, reading reader: inout StoreReader) throws(StoreError) {
        self.widget = widget
        let observed = FieldPositions(rawValue: try reader.read(UInt16.self))
        observedCount = observed.count
        let inlinedCount = Int(try reader.read(UInt8.self))
        var header = FieldBlock.Header(.none)
        header.flags = try reader.read(UInt8.self)
        header.observed = observed
        nextPushIsChange = header.nextPushIsChange
        keyCount = header.hasKey ? header.otherKeyCount + 1 : 0
        if header.otherKeyCount > WidgetFields.otherKeyLimit {
            throw reader.corrupt("too many keys")
        }
        knownCount = try reader.read(UInt16.self).nonzeroBitCount
        _ = try reader.read(raw: knownCount * MemoryLayout<UInt64>.size)
        var lengths: [Int] = []
        for _ in 0..<inlinedCount {
            lengths.append(try reader.readCount(atMost: FieldCatalog.inlinedByteLimit))
        }
        var inlined: [ByteView] = []
        for length in lengths { inlined.append(try reader.read(raw: length)) }
        self.inlined = inlined
        _ = try reader.read(raw: header.keysByteCount)
    }
}
