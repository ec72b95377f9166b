internal import Basics

/// Sorts the fields and kinds of a push, so that they can be searched, and drops repeats. Part of
/// `PayloadReader`.
struct FieldOrder: ~Copyable {
    /// The number of fields up to which repeats are dropped after sorting instead of before.
    private static var fewFields: Int { 64 }

    private let product: ProductHash
    /// For each field of the push that is being read, the first field with the same attribute and
    /// value, in any list element. Fields are given as offsets from the push's first one. Filled
    /// only for a push with lists of objects.
    private var equals = GrowingBuffer<UInt32>(capacity: 64)
    /// Working memory for sorting fields.
    private var sortWorkspace = GrowingBuffer<FieldValue>(capacity: 64)
    /// Working memory for sorting kinds.
    private var kindWorkspace = GrowingBuffer<KindID>(capacity: 64)

    init(_ product: ProductHash) { self.product = product }

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int { equals.byteCount + sortWorkspace.byteCount + kindWorkspace.byteCount }

    /// Sorts the fields from `first` on, and keeps only one of those that are equal: with the same
    /// attribute and value, in the same list element or outside of all.
    ///
    /// So a widget that waits for a value is found once. A list may have thousands of repeats; in a
    /// push with many fields they are dropped before sorting, at almost no cost.
    ///
    /// - Throws: `tooManyProbes`, if more than `PayloadReader.fieldLimit` are left.
    mutating func orderFields(
        of batch: inout PushBatch,
        from first: Int,
        using seen: inout SeenTable
    ) throws(PayloadError) {
        if batch.fields.count - first < 2 { return }
        if batch.fields.count - first > Self.fewFields {
            dropRepeats(of: &batch, from: first, using: &seen)
        }
        if batch.fields.count - first > PayloadReader.fieldLimit { throw .tooManyProbes }
        batch.fields.sort(from: first, workspace: &sortWorkspace) { $0.isOrdered(before: $1) }
        batch.fields.dropRepeats(from: first) { $0.isEqual(to: $1) }
    }

    /// Drops each field that equals an earlier one, and keeps the order of the others.
    private mutating func dropRepeats(
        of batch: inout PushBatch,
        from first: Int,
        using seen: inout SeenTable
    ) {
        assert(first <= batch.fields.count, "fields from \(first) of \(batch.fields.count)")
        seen.removeAll()
        var kept = first
        for index in first..<batch.fields.count {
            let field = batch.fields[index]
            let position = UInt64(field.attribute.rawValue) << 32 | UInt64(field.context.rawValue)
            let hash = product.hash(field.hash, adding: position)
            if seen.find(hash, where: { batch.fields[$0].isEqual(to: field) }) != nil { continue }
            seen.insert(hash, number: kept)
            batch.fields[kept] = field
            kept += 1
        }
        batch.fields.truncate(to: kept)
    }

    /// Fills `equals` for the fields from `first` on.
    mutating func findEquals(
        in fields: borrowing GrowingBuffer<FieldValue>,
        from first: Int,
        using seen: inout SeenTable
    ) {
        assert(first <= fields.count, "fields from \(first) of \(fields.count)")
        seen.removeAll()
        equals.truncate(to: 0)
        for index in first..<fields.count {
            let field = fields[index]
            let hash = product.hash(field.hash, adding: UInt64(field.attribute.rawValue))
            let known = seen.find(hash) { fields[$0].hasValue(of: field) }
            if known == nil { seen.insert(hash, number: index) }
            equals.append(UInt32(truncatingIfNeeded: (known ?? index) - first))
        }
    }

    /// The first field with the same attribute and value as one of the push that is being read.
    @inline(__always)
    func firstEqual(to field: Int, in push: PushBatch.Push) -> Int {
        assert(field >= push.firstField && field < push.endField, "a field of another push")
        return push.firstField + Int(equals[field - push.firstField])
    }

    /// Whether an earlier field has the same attribute and value.
    @inline(__always)
    func isRepeat(_ field: Int, in push: PushBatch.Push) -> Bool {
        firstEqual(to: field, in: push) != field
    }

    /// Sorts the kinds from `first` on, and keeps each once.
    mutating func orderKinds(_ kinds: inout GrowingBuffer<KindID>, from first: Int) {
        kinds.sort(from: first, workspace: &kindWorkspace) { $0 < $1 }
        kinds.dropRepeats(from: first, where: ==)
    }
}
