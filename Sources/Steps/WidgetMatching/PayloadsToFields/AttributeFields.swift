/// The range of a push's fields at each attribute, for probes of several attributes.
///
/// It is not emptied between pushes: each entry says to which push it belongs.
struct AttributeFields: ~Copyable {
    /// The fields at one attribute.
    struct Entry: BitwiseCopyable {
        /// Number of the last push that had the attribute; the entry is valid only for this push.
        var push: UInt64 = 0
        /// The range of the fields in `PushBatch.fields`.
        var fields = PushBatch.Bounds(from: 0, to: 0)
    }

    /// By `AttributeID`.
    private var entries = GrowingBuffer<Entry>()

    /// Bytes allocated, used or not.
    var byteCount: Int { entries.byteCount }

    init() {}

    /// Records the range of a push's fields at an attribute.
    @inline(__always)
    mutating func record(_ attribute: AttributeID, of push: UInt64, fields: Range<Int>) {
        assert(!fields.isEmpty && push > 0, "push \(push) has no field at the attribute")
        if attribute.index >= entries.count { makeRoom(for: attribute) }
        entries[attribute.index] = Entry(
            push: push,
            fields: PushBatch.Bounds(from: fields.lowerBound, to: fields.upperBound)
        )
    }

    /// The range of a push's fields at an attribute; empty if it has none.
    @inline(__always)
    func fields(at attribute: AttributeID, of push: UInt64) -> Range<Int> {
        let index = attribute.index
        if index >= entries.count || entries[index].push != push { return 0..<0 }
        return entries[index].fields.first..<entries[index].fields.end
    }

    /// Adds entries up to that of an attribute.
    @inline(never)
    private mutating func makeRoom(for attribute: AttributeID) {
        entries.extend(to: attribute.index + 1, filling: Entry())
    }
}
