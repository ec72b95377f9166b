package import DataStructures
package import ReloadModel
package import StoreFormat

/// What one widget has, as it stands in a store: to be looked at, without the kind's list of fields.
///
/// See `WidgetFields.write`.
package struct StoredFields {
    package let widget: WidgetID
    /// How many fields the widget shows, and of how many of them the value is known.
    package let shownCount: Int
    package let knownCount: Int
    /// Whether the next push is a change, whatever it brings.
    package let owesChange: Bool
    /// The carried values, JSON each, empty if not known.
    package let carried: [ByteView]

    /// Hands out what the widgets of a page have.
    ///
    /// - Parameters:
    ///   - reader: stands at what `WidgetFields.write` has put, and then behind it.
    ///   - first: the first widget of the page.
    ///   - body: is given each widget that has something.
    /// - Throws: `corrupt`.
    package static func forEach(
        from reader: inout StoreReader,
        page first: WidgetID,
        _ body: (StoredFields) -> Void
    ) throws(StoreError) {
        var present = try reader.read(UInt64.self)
        while present != 0 {
            let offset = WidgetID(present.trailingZeroBitCount)
            present &= present - 1
            body(try StoredFields(first + offset, reading: &reader))
        }
    }

    private init(_ widget: WidgetID, reading reader: inout StoreReader) throws(StoreError) {
        self.widget = widget
        shownCount = try reader.read(UInt16.self).nonzeroBitCount
        let carriedCount = Int(try reader.read(UInt8.self))
        owesChange = try reader.readBool()
        knownCount = try reader.read(UInt16.self).nonzeroBitCount
        _ = try reader.read(raw: knownCount * MemoryLayout<UInt64>.size)
        var lengths: [Int] = []
        for _ in 0..<carriedCount {
            lengths.append(try reader.readCount(atMost: FieldCatalog.carriedByteLimit))
        }
        var carried: [ByteView] = []
        for length in lengths { carried.append(try reader.read(raw: length)) }
        self.carried = carried
    }
}
