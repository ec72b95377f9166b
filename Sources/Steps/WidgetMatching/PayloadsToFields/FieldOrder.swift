internal import Basics

/// Sorts the fields of a push, so that they can be searched, and drops repeats. Part of
/// `PayloadScanner`.
struct FieldOrder: ~Copyable {
    /// The number of fields up to which repeats are dropped after sorting instead of before.
    private static var fewFields: Int { 64 }

    private let product: ProductHash
    /// For each field of the push, the first field with the same attribute and value, in any list
    /// element. Filled only for a push with lists of objects.
    private var equals = GrowingBuffer<UInt32>(capacity: 64)
    /// Working memory for sorting fields.
    private var workspace = GrowingBuffer<ScannedField>(capacity: 64)

    init(_ product: ProductHash) { self.product = product }

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int { equals.byteCount + workspace.byteCount }

    /// Sorts the fields, and keeps only one of those that are equal: with the same attribute and
    /// value, in the same list element or outside of all.
    ///
    /// So a widget that waits for a value is found once. A list may have thousands of repeats; in a
    /// push with many fields they are dropped before sorting, at almost no cost.
    ///
    /// - Throws: `tooManyProbes`, if more than `PayloadReader.fieldLimit` are left.
    mutating func orderFields(
        _ fields: inout GrowingBuffer<ScannedField>,
        bytes: ScannedBytes,
        using seen: inout SeenTable
    ) throws(PayloadError) {
        if fields.count < 2 { return }
        if fields.count > Self.fewFields { dropRepeats(of: &fields, bytes: bytes, using: &seen) }
        if fields.count > PayloadReader.fieldLimit { throw .tooManyProbes }
        fields.sort(from: 0, workspace: &workspace) { bytes.isOrdered($0, before: $1) }
        fields.dropRepeats(from: 0) { bytes.areEqual($0, and: $1) }
    }

    /// Drops each field that equals an earlier one, and keeps the order of the others.
    private mutating func dropRepeats(
        of fields: inout GrowingBuffer<ScannedField>,
        bytes: ScannedBytes,
        using seen: inout SeenTable
    ) {
        seen.removeAll()
        var kept = 0
        for index in 0..<fields.count {
            let field = fields[index]
            let hash = product.hash(field.hash, adding: field.place)
            let known = seen.find(hash) { bytes.areEqual(fields[$0], and: field) }
            if known != nil { continue }
            seen.insert(hash, number: kept)
            fields[kept] = field
            kept += 1
        }
        fields.truncate(to: kept)
    }

    /// Fills `equals` for the fields.
    mutating func findEquals(
        in fields: borrowing GrowingBuffer<ScannedField>,
        bytes: ScannedBytes,
        using seen: inout SeenTable
    ) {
        seen.removeAll()
        equals.truncate(to: 0)
        for index in 0..<fields.count {
            let field = fields[index]
            let hash = product.hash(field.hash, adding: UInt64(field.attribute.rawValue))
            let known = seen.find(hash) { bytes.haveSameValue(fields[$0], and: field) }
            if known == nil { seen.insert(hash, number: index) }
            equals.append(UInt32(truncatingIfNeeded: known ?? index))
        }
    }

    /// The first field with the same attribute and value as one of the push.
    @inline(__always)
    func firstEqual(to field: Int) -> Int { Int(equals[field]) }

    /// Whether an earlier field has the same attribute and value.
    @inline(__always)
    func isRepeat(_ field: Int) -> Bool { firstEqual(to: field) != field }
}
