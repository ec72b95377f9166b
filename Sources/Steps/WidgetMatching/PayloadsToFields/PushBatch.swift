internal import Basics

/// The queued pushes, with the values that rules consider; filled by `PayloadReader`.
struct PushBatch: ~Copyable {
    /// An object that is an element of a list; see `ContextNumber`.
    struct Context: BitwiseCopyable {
        /// The attribute of the list.
        var attribute: AttributeID
        /// The innermost list element around this one; `none` if there is none.
        var parent: ContextNumber
        /// The highest number of the contexts within this one; its own if there are none.
        var last: ContextNumber
    }

    /// A queued push.
    struct Push: BitwiseCopyable {
        /// Counts the pushes from 1; never reused.
        var number: UInt64
        /// Returned with each match of the push.
        var tag: UInt32
        /// The fields of the push; sorted if it has lists or many fields.
        var fields: Bounds
        /// The objects in the lists of the push; the first has the number 1.
        var contexts: Bounds
        /// The kinds to which the push is narrowed, each once and sorted.
        var kinds: Bounds
        /// The lookups that the push needs: the range of its probes in `MatchSearch.probes`.
        var probes = Bounds(from: 0, to: 0)
        var app: AppID
        /// Whether the push is narrowed, so that only widgets of `kinds` match.
        var isNarrowed: Bool
        /// Whether the push has lists, so that a field may have several values.
        var hasLists: Bool
        /// Which widgets' patterns may read the push's texts.
        var patterns = PatternAllowance()

        var firstField: Int { fields.first }
        var endField: Int { fields.end }
        /// Whether the push has lists of objects.
        var hasContexts: Bool { contexts.end > contexts.first }
    }

    /// A range of indexes of a buffer, in eight bytes.
    struct Bounds: BitwiseCopyable {
        private let start: UInt32
        private let stop: UInt32

        @inline(__always)
        init(from first: Int, to end: Int) {
            assert(first >= 0 && first <= end && end <= Int(UInt32.max), "from \(first) to \(end)")
            start = UInt32(truncatingIfNeeded: first)
            stop = UInt32(truncatingIfNeeded: end)
        }

        @inline(__always)
        var first: Int { Int(start) }

        @inline(__always)
        var end: Int { Int(stop) }

        @inline(__always)
        var count: Int { Int(stop &- start) }
    }

    /// A position in all buffers of the batch: where a push begins.
    struct Position: BitwiseCopyable {
        var field = 0
        var context = 0
        var kind = 0
        var scratch = ScratchPosition()
    }

    /// The queued pushes, in their order.
    var pushes = GrowingBuffer<Push>(capacity: 64)
    /// The fields of all pushes; those of one push are adjacent, as are its contexts and kinds.
    var fields = GrowingBuffer<FieldValue>(capacity: 256)
    var contexts = GrowingBuffer<Context>(capacity: 64)
    var kinds = GrowingBuffer<KindID>(capacity: 64)
    /// Canonical numbers, decoded texts and, after `copyValues`, copies of all values.
    var scratch = TextScratch()
    /// The fields of the push that is being queued, by attribute.
    var attributeFields = AttributeFields()

    init() {}

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int {
        pushes.byteCount + fields.byteCount + contexts.byteCount + kinds.byteCount
            + scratch.byteCount + attributeFields.byteCount
    }

    /// The position at which the next push begins.
    @inline(__always)
    var end: Position {
        Position(
            field: fields.count,
            context: contexts.count,
            kind: kinds.count,
            scratch: scratch.mark
        )
    }

    /// Removes everything after a position.
    mutating func truncate(to position: Position) {
        fields.truncate(to: position.field)
        contexts.truncate(to: position.context)
        kinds.truncate(to: position.kind)
        scratch.reset(to: position.scratch)
    }

    /// Empties the batch.
    mutating func removeAll() {
        truncate(to: Position())
        pushes.truncate(to: 0)
    }

    /// Copies the bytes of the fields from `first` on, so that the payloads are no longer needed.
    mutating func copyValues(from first: Int) {
        assert(first >= 0 && first <= fields.count, "copies from \(first) of \(fields.count)")
        for index in first..<fields.count {
            let bytes = fields[index].bytes
            let memory = unsafe scratch.reserve(bytes.count)
            unsafe bytes.copy(to: memory)
            scratch.keep(bytes.count)
            unsafe fields[index].base = UnsafeRawPointer(memory)
        }
    }
}

/// Which widgets' patterns may read a push's texts: decided when the push comes, from its texts and
/// from what is stored.
///
///     load of the device    1 … most      all
///                           … spareMost   as many as `spare` allows, in the order of the search
///                           above         none: the widgets are left out of the push
struct PatternAllowance: BitwiseCopyable {
    /// The most patterns that a device may have for its widgets to be evaluated in any case.
    var most = UInt16(clamping: RouterLimits.patternsPerDevice)
    /// The most that it may have for them to be evaluated while `spare` lasts.
    var spareMost: UInt16 = 0
    /// The patterns that may still be evaluated of devices with more than `most`.
    var spare: Int32 = 0

    /// Takes what the `count` patterns of a widget need off `spare`, for a device with a load above
    /// `most`; false if there is not enough, or the device has too many.
    mutating func spend(_ count: Int, load: Int) -> Bool {
        if load > Int(spareMost) || count > Int(spare) { return false }
        spare -= Int32(count)
        return true
    }
}

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
