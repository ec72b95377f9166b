/// Where the fields lie that a push has at each attribute, for rules that ask for several at once.
struct AttributeFields: ~Copyable {
    struct Entry: BitwiseCopyable {
        /// The last push that had the attribute.
        var push: UInt64 = 0
        var fields = PushBatch.Span(0, 0)
    }

    /// By attribute.
    private var entries = GrowingBuffer<Entry>()

    /// Bytes held from the system, used or not.
    var byteCount: Int { entries.byteCount }

    init() {}

    /// Says where a push's fields at an attribute lie.
    @inline(__always)
    mutating func note(_ attribute: AttributeID, _ push: UInt64, _ fields: Range<Int>) {
        if Int(attribute) >= entries.count { makeRoom(for: attribute) }
        entries[Int(attribute)] = Entry(
            push: push,
            fields: PushBatch.Span(fields.lowerBound, fields.upperBound)
        )
    }

    /// Where they lie; none if the push has none.
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
