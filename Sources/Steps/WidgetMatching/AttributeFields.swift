/// For each attribute, the range of a push's fields at it; for keys of several attributes.
struct AttributeFields: ~Copyable {
    /// The fields at one attribute, valid only for the push with this number.
    struct Entry: BitwiseCopyable {
        /// Number of the last push that had the attribute.
        var push: UInt64 = 0
        var fields = PushBatch.Span(0, 0)
    }

    /// By `AttributeID`.
    private var entries = GrowingBuffer<Entry>()

    /// Bytes allocated, used or not.
    var byteCount: Int { entries.byteCount }

    init() {}

    /// Records the range of a push's fields at an attribute.
    @inline(__always)
    mutating func note(_ attribute: AttributeID, _ push: UInt64, _ fields: Range<Int>) {
        if Int(attribute) >= entries.count { makeRoom(for: attribute) }
        entries[Int(attribute)] = Entry(
            push: push,
            fields: PushBatch.Span(fields.lowerBound, fields.upperBound)
        )
    }

    /// The range of a push's fields at an attribute; empty if it has none.
    @inline(__always)
    func fields(_ attribute: AttributeID, _ push: UInt64) -> Range<Int> {
        if Int(attribute) >= entries.count || entries[Int(attribute)].push != push { return 0..<0 }
        return entries[Int(attribute)].fields.first..<entries[Int(attribute)].fields.end
    }

    @inline(never)
    private mutating func makeRoom(for attribute: AttributeID) {
        entries.extend(to: Int(attribute) + 1, filling: Entry())
    }
}
