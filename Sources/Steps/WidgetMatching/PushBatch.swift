internal import DataStructures
internal import ReloadModel

/// The pushes that are queued, with the values that rules look at.
@safe
struct PushBatch: ~Copyable {
    /// An object that is an element of a list.
    struct Context: BitwiseCopyable {
        var attribute: AttributeID
        /// The element of another list that this one is within; 0 if none.
        var parent: UInt32
        /// The highest number of what is within this one, or its own.
        var last: UInt32
    }

    /// A payload in the batch.
    struct Push: BitwiseCopyable {
        /// From 1, and never given twice.
        var number: UInt64
        var tag: UInt32
        /// The fields, in order if there are lists among them or many.
        var fields: Span
        /// The objects in lists; the first has the number 1.
        var contexts: Span
        /// The kinds that the payload names.
        var kinds: Span
        /// The keys under which it may find widgets.
        var probes = Span(0, 0)
        var app: AppID
        /// Whether the payload's `kinds` narrows the push.
        var isNarrowed: Bool
        /// Whether a field may have several values.
        var hasLists: Bool

        var firstField: Int { fields.first }
        var endField: Int { fields.end }
        /// Whether it has lists of objects.
        var hasContexts: Bool { contexts.end > contexts.first }
    }

    /// A run of elements of a buffer.
    struct Span: BitwiseCopyable {
        private let start: UInt32
        private let stop: UInt32

        @inline(__always)
        init(_ first: Int, _ end: Int) {
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

    /// Where a push begins that is being read.
    struct Place: BitwiseCopyable {
        var field = 0
        var context = 0
        var kind = 0
        var scratch = ScratchMark()
    }

    var pushes = GrowingBuffer<Push>(capacity: 64)
    var fields = GrowingBuffer<FieldValue>(capacity: 256)
    var contexts = GrowingBuffer<Context>(capacity: 64)
    var kinds = GrowingBuffer<KindID>(capacity: 64)
    /// Canonical numbers and decoded texts.
    var scratch = ScratchBytes()
    var attributeFields = AttributeFields()

    init() {}

    /// Bytes held from the system, used or not.
    @inline(__always)
    var byteCount: Int {
        pushes.byteCount + fields.byteCount + contexts.byteCount + kinds.byteCount
            + scratch.byteCount + attributeFields.byteCount
    }

    /// Where the next push begins.
    @inline(__always)
    var end: Place {
        Place(
            field: fields.count,
            context: contexts.count,
            kind: kinds.count,
            scratch: scratch.mark
        )
    }

    /// Forgets what lies behind a place.
    mutating func truncate(to place: Place) {
        fields.truncate(to: place.field)
        contexts.truncate(to: place.context)
        kinds.truncate(to: place.kind)
        scratch.reset(to: place.scratch)
    }

    /// Empties the batch.
    mutating func removeAll() {
        truncate(to: Place())
        pushes.truncate(to: 0)
    }

    /// Copies what the fields from `first` on refer to, so that the payloads need not stay.
    mutating func keepFields(from first: Int) {
        for index in first..<fields.count {
            let bytes = fields[index].bytes
            let room = unsafe scratch.room(bytes.count)
            unsafe bytes.copy(to: room)
            scratch.keep(bytes.count)
            unsafe fields[index].base = UnsafeRawPointer(room)
        }
    }
}
