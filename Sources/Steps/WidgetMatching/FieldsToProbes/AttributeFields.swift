internal import Basics

/// The range of a push's fields at each attribute, for probes of several attributes.
///
/// It is not emptied between pushes: each entry says to which push it belongs.
struct AttributeFields: ~Copyable {
    /// The fields at one attribute.
    struct Entry: BitwiseCopyable {
        /// Number of the last push that had the attribute; the entry is valid only for this push.
        var push: UInt64 = 0
        /// The range of the push's fields.
        var fields = PushBatch.Bounds(from: 0, to: 0)
    }

    /// By `AttributeID`.
    private var entries = GrowingBuffer<Entry>()
    /// The number of the push, from 1.
    private var push: UInt64 = 0

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int { entries.byteCount }

    init() {}

    /// Records the fields of the next push, in which those at one attribute are adjacent.
    mutating func record(_ fields: borrowing GrowingBuffer<ScannedField>) {
        push += 1
        var first = 0
        while first < fields.count {
            let end = fields.endOfAttribute(first)
            record(fields[first].attribute, fields: first..<end)
            first = end
        }
    }

    @inline(__always)
    private mutating func record(_ attribute: AttributeID, fields: Range<Int>) {
        if attribute.index >= entries.count { makeRoom(for: attribute) }
        entries[attribute.index] = Entry(
            push: push,
            fields: PushBatch.Bounds(from: fields.lowerBound, to: fields.upperBound)
        )
    }

    /// The range of the push's fields at an attribute; empty if it has none.
    @inline(__always)
    func fields(at attribute: AttributeID) -> Range<Int> {
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

/// Finding the fields of a push that is scanned.
extension GrowingBuffer where Element == ScannedField {
    /// The index after the last field at the attribute that the field `first` has.
    @inline(__always)
    func endOfAttribute(_ first: Int) -> Int {
        let attribute = self[first].attribute
        var end = first + 1
        while end < count, unsafe elements[end].attribute == attribute { end += 1 }
        return end
    }

    /// The part of a run of fields at one attribute that lies within the elements `first` to
    /// `last`.
    func part(of run: Range<Int>, from first: ContextNumber, to last: ContextNumber) -> Range<Int> {
        assert(first <= last, "objects \(first.count) to \(last.count)")
        let start = firstIndex(in: run) { $0.context < first }
        return start..<firstIndex(in: run) { $0.context <= last }
    }
}
