package import Basics
package import StoreFormat

/// The values of one widget as they lie in a store, read without the kind's list of fields: for
/// `WidgetFields.restore`, and for tools that display a store.
///
/// See `WidgetFields.write` for the format.
package struct StoredFields {
    /// The number of the widget.
    package let widget: WidgetID
    /// What the block has: its observed and known fields, the number of inlined ones, and the
    /// flags.
    let header: FieldBlock.Header
    /// The hash of each known field.
    let hashes: ByteView
    /// The length of each inlined text; 0 if it is not known.
    let lengths: FieldBlock.Lengths
    /// The inlined texts.
    let texts: ByteView
    /// What the block has of keys.
    let keys: ByteView

    /// How many fields the widget observes.
    package var observedCount: Int { header.observed.count }
    /// The number of observed fields whose value is known.
    package var knownCount: Int { header.known.count }
    /// Of how many keys there are values.
    package var keyCount: Int { header.hasKey ? header.otherKeyCount + 1 : 0 }
    /// Whether the next push counts as a change, whatever values it has.
    package var nextPushIsChange: Bool { header.nextPushIsChange }
    /// The inlined values as JSON texts, in the order of the kind's list; empty if not known.
    package var inlined: [ByteView] {
        var end = 0
        return (0..<Int(header.inlinedCount)).map { position in
            let start = end
            end += Int(lengths[position])
            return texts.slice(start, to: end)
        }
    }

    /// Calls `body` with each widget that has values of the page that begins with the widget
    /// `first`. The reader is at the first byte that `WidgetFields.write` wrote, and afterwards
    /// after the last.
    ///
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

    /// Reads the values of one widget.
    init(_ widget: WidgetID, reading reader: inout StoreReader) throws(StoreError) {
        self.widget = widget
        var header = FieldBlock.Header(.none)
        header.observed = FieldPositions(rawValue: try reader.read(UInt16.self))
        header.inlinedCount = try reader.read(UInt8.self)
        if header.inlinedCount > KindPolicy.fieldLimit { throw reader.corrupt("too many fields") }
        header.flags = try reader.read(UInt8.self)
        if header.otherKeyCount > (header.hasKey ? WidgetFields.otherKeyLimit : 0) {
            throw reader.corrupt("more keys than a widget has")
        }
        header.known = FieldPositions(rawValue: try reader.read(UInt16.self))
        if !header.known.isSubset(of: header.observed) {
            throw reader.corrupt("values of fields that are not observed")
        }
        hashes = try reader.read(raw: header.known.count * 8)
        var lengths = FieldBlock.Lengths.zero
        for position in 0..<Int(header.inlinedCount) {
            let length = try reader.readCount(atMost: FieldCatalog.inlinedByteLimit)
            lengths[position] = UInt16(length)
        }
        texts = try reader.read(raw: Int(lengths.wrappedSum()))
        keys = try reader.read(raw: header.keysByteCount)
        self.header = header
        self.lengths = lengths
    }
}
