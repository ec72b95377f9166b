internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// Collects the values that some rule considers from the payloads of a batch, while they are
/// scanned.
///
/// It follows the vocabulary's tree of attributes into the payload, one member name at a time, and
/// skips what no rule names. Values stay in the payload; only numbers are rewritten in canonical
/// form, and strings with escapes are decoded, both into the batch's scratch bytes. `MatchSearch`
/// owns it.
@safe
struct PayloadReader: ~Copyable {
    /// A container of the payload that is open.
    struct Level: BitwiseCopyable {
        /// In an object, the attribute below which its members are; in an array, that of its
        /// elements' values. `Vocabulary.none` if no rule considers them.
        var attribute: AttributeID
        /// In an object, a bit for each name below the attribute; see `MemberName.filterBit`.
        var filter: UInt64 = 0
        /// Number of the list element (`PushBatch.Context`) around the container; 0 if there is
        /// none.
        var context: UInt32
        var isArray: Bool
        /// Whether the container is itself such a list element.
        var isElement = false
    }

    /// What is known of the payload that is being read.
    struct Traits: BitwiseCopyable {
        /// Whether the payload has a member `kinds` that narrows the push.
        var isNarrowed = false
        /// Whether the next value is that of `kinds`, or an element of it.
        var expectsKinds = false
        /// Whether `kinds` is not a list of strings, so that the push is refused.
        var hasBadKinds = false
        /// Whether a field that rules consider is an array.
        var hasLists = false
        /// Bytes beyond the first `freeTextBytes` of each string on which rules have text tests.
        var longTextByteCount = 0
        /// The number of values collected, repeats included.
        var readCount = 0
    }

    /// Most values collected from one push, once repeats within a list are dropped; more are
    /// refused.
    static var fieldLimit: Int { 1 << 15 }
    /// Bytes of a string that text tests read at no extra cost.
    static var freeTextBytes: Int { 64 }

    /// The address of the index's vocabulary.
    private let vocabularyAddress: UnsafePointer<Vocabulary>
    let hash: ValueHash
    let narrowsByKinds: Bool
    /// The queued pushes, followed by what has been collected of the payload that is being read.
    var batch = PushBatch()
    /// Where the payload that is being read begins in the batch.
    var start = PushBatch.Place()
    /// Number of the last push.
    private var pushNumber: UInt64 = 0
    var payload = ByteView.empty
    var app: AppID = 0
    var traits = Traits()
    var levels = GrowingBuffer<Level>(capacity: 64)
    /// The attribute of which the next value is one; `Vocabulary.none` if it is skipped.
    var target = Vocabulary.none
    /// The filter of the object that is open; 0 within an array.
    var filter: UInt64 = 0
    var order: FieldOrder

    /// - Parameters:
    ///   - index: the index whose rules select the fields; must outlive the reader.
    ///   - product: hashes values, the same way as the index does.
    ///   - narrowsByKinds: whether the payload's member `kinds` narrows a push.
    init(
        for index: borrowing WidgetIndex,
        _ product: ProductHash,
        narrowsByKinds: Bool
    ) {
        unsafe vocabularyAddress = index.vocabularyAddress
        hash = ValueHash(product)
        self.narrowsByKinds = narrowsByKinds
        order = FieldOrder(product)
    }

    /// The index's vocabulary.
    var vocabulary: Vocabulary {
        @inline(__always) unsafeAddress { unsafe vocabularyAddress }
    }

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int { batch.byteCount + levels.byteCount + order.byteCount }

    /// Prepares for reading a payload, which must stay valid meanwhile.
    mutating func begin(_ app: AppID, _ payload: ByteView) {
        self.app = app
        self.payload = payload
        start = batch.end
        traits = Traits()
        levels.truncate(to: 0)
        target = Vocabulary.none
        filter = 0
    }

    /// Discards what has been collected of a payload that is refused.
    mutating func abandon() { batch.truncate(to: start) }

    /// Completes the payload that was read: sorts its fields and drops repeats.
    ///
    /// - Parameters:
    ///   - tag: is returned with each match.
    ///   - seen: working memory.
    /// - Returns: the push without its probes. The caller adds it to the batch, or calls `abandon`.
    /// - Throws: why the push is refused.
    @inline(__always)
    mutating func finish(
        _ tag: UInt32,
        _ seen: inout SeenTable
    ) throws(PayloadError) -> PushBatch.Push {
        traits.readCount = batch.fields.count - start.field
        if traits.hasBadKinds { throw .kinds }
        if traits.hasLists || traits.readCount > GrowingBuffer<FieldValue>.linearLimit {
            try order.orderFields(of: &batch, from: start.field, &seen)
        }
        if batch.contexts.count > start.context {
            order.findEquals(in: batch.fields, from: start.field, &seen)
        }
        if batch.kinds.count - start.kind > GrowingBuffer<KindID>.linearKinds {
            order.orderKinds(&batch.kinds, from: start.kind)
        }
        pushNumber += 1
        return PushBatch.Push(
            number: pushNumber,
            tag: tag,
            fields: PushBatch.Span(start.field, batch.fields.count),
            contexts: PushBatch.Span(start.context, batch.contexts.count),
            kinds: PushBatch.Span(start.kind, batch.kinds.count),
            app: app,
            isNarrowed: traits.isNarrowed,
            hasLists: traits.hasLists
        )
    }
}
