internal import Basics

/// Collects the values that some rule considers from the payloads of a batch, while they are
/// scanned.
///
/// It follows the vocabulary's tree of attributes into the payload, one member name at a time, and
/// skips what no rule names. Values stay in the payload; only numbers are rewritten in canonical
/// form, and strings with escapes are decoded, both into the batch's scratch bytes. `MatchSearch`
/// owns it.
@safe
struct PayloadReader: ~Copyable {
    /// An open container of the payload: an object or an array that has begun and not ended.
    struct Level: BitwiseCopyable {
        /// In an object, the attribute below which its members are; in an array, that of its
        /// elements' values. `AttributeID.none` if no rule considers them.
        var attribute: AttributeID
        /// In an object, a bit for each name below the attribute; see `MemberName.filterBit`.
        var filter: UInt64 = 0
        /// The list element around the container; `none` if there is none.
        var context: ContextNumber
        var isArray: Bool
        /// Whether the container is itself such a list element.
        var isElement = false
    }

    /// What is known of the payload that is being read.
    struct Traits: BitwiseCopyable {
        /// Whether the push is narrowed to some kinds.
        var isNarrowed = false
        /// Whether a field that rules consider is an array.
        var hasLists = false
        /// Bytes beyond the first `freeTextBytes` of each string on which rules have text tests.
        var longTextByteCount = 0
        /// The number of values collected, repeats included.
        var readCount = 0
    }

    /// The most values collected from one push, once repeats within a list are dropped; a push with
    /// more is refused.
    static var fieldLimit: Int { 1 << 15 }
    /// Bytes of a string that text tests read at no extra cost.
    static var freeTextBytes: Int { 64 }

    /// The address of the index's vocabulary.
    private let vocabularyAddress: UnsafePointer<Vocabulary>
    /// Hashes the values collected.
    let hash: ValueHash
    /// The queued pushes, followed by what has been collected of the payload that is being read.
    var batch = PushBatch()
    /// Where the payload that is being read begins in the batch.
    var start = PushBatch.Position()
    /// Number of the last push.
    private var pushNumber: UInt64 = 0
    /// The payload that is being read.
    var payload = ByteView.empty
    /// The app of the push that is being read.
    var app: AppID = .first
    /// What is known so far of the payload that is being read.
    var traits = Traits()
    /// The containers that are open, the innermost last.
    var levels = GrowingBuffer<Level>(capacity: 64)
    /// The attribute to which the next value belongs; `AttributeID.none` if the value is skipped.
    var target = AttributeID.none
    /// The filter of the innermost open container; 0 if that is an array.
    var filter: UInt64 = 0
    /// Which members of rules pushes have had.
    var sightings = MemberSightings()
    /// Sorts the fields and kinds of a push once it has been read.
    var order: FieldOrder

    /// Creates a reader with an empty batch, which hashes values the same way as the index does.
    /// Unsafe, because it keeps the address of the vocabulary: the index must outlive it.
    @unsafe
    init(for index: borrowing WidgetIndex, product: ProductHash) {
        unsafe vocabularyAddress = index.vocabularyAddress
        hash = ValueHash(product)
        order = FieldOrder(product)
    }

    /// The index's vocabulary.
    var vocabulary: Vocabulary {
        @inline(__always) unsafeAddress { unsafe vocabularyAddress }
    }

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int {
        batch.byteCount + levels.byteCount + order.byteCount + sightings.byteCount
    }

    /// Prepares for reading a payload, which must stay valid meanwhile; collects the kinds to which
    /// the push is narrowed.
    mutating func begin(app: AppID, payload: ByteView, kinds: KindNames?) {
        self.app = app
        self.payload = payload
        start = batch.end
        traits = Traits()
        levels.truncate(to: 0)
        target = .none
        filter = 0
        sightings.begin(app)
        if let kinds { narrow(to: kinds) }
    }

    /// Collects the kinds to which the push is narrowed; unknown names are ignored.
    @inline(never)
    private mutating func narrow(to kinds: KindNames) {
        traits.isNarrowed = true
        kinds.visit { name in
            guard let kind = vocabulary.kind(of: app, named: MemberName(name)) else { return }
            batch.kinds.append(kind)
        }
    }

    /// Discards what has been collected of a payload that is refused.
    mutating func abandon() { batch.truncate(to: start) }

    /// Completes the payload that was read: sorts its fields and drops repeats.
    ///
    /// - Returns: the push without its probes. The caller adds it to the batch, or calls `abandon`.
    @inline(__always)
    mutating func finish(
        tag: UInt32,
        using seen: inout SeenTable
    ) throws(PayloadError) -> PushBatch.Push {
        assert(levels.count == 0, "\(levels.count) containers of the payload are open")
        traits.readCount = batch.fields.count - start.field
        if traits.hasLists || traits.readCount > GrowingBuffer<FieldValue>.linearFieldLimit {
            try order.orderFields(of: &batch, from: start.field, using: &seen)
        }
        if batch.contexts.count > start.context {
            order.findEquals(in: batch.fields, from: start.field, using: &seen)
        }
        if traits.isNarrowed { order.orderKinds(&batch.kinds, from: start.kind) }
        pushNumber += 1
        sightings.end(app)
        return PushBatch.Push(
            number: pushNumber,
            tag: tag,
            fields: PushBatch.Bounds(from: start.field, to: batch.fields.count),
            contexts: PushBatch.Bounds(from: start.context, to: batch.contexts.count),
            kinds: PushBatch.Bounds(from: start.kind, to: batch.kinds.count),
            app: app,
            isNarrowed: traits.isNarrowed,
            hasLists: traits.hasLists
        )
    }
}
