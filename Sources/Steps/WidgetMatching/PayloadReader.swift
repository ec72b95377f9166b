internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// Picks the values that some rule looks at out of the payloads of a batch, as they are scanned.
///
/// It follows the vocabulary's tree of attributes down into the payload, one member name at a time;
/// what no rule names is passed over. Values stay where they are; only numbers are rewritten in
/// canonical form, into scratch.
@safe
struct PayloadReader: ~Copyable {
    /// A container that is open.
    struct Level: BitwiseCopyable {
        /// Of an object: what its members lie below.
        ///
        /// Of an array: what its elements are values of.
        var attribute: AttributeID
        /// Of an object: a bit for each name below the attribute; see `MemberName.filterBit`.
        var filter: UInt64 = 0
        /// The element of a list of objects that the container is within.
        var context: UInt32
        var isArray: Bool
        /// Whether it is such an element itself.
        var isElement = false
    }

    /// What the payload that is read has.
    struct Traits: BitwiseCopyable {
        /// Whether the payload's `kinds` narrows the push.
        var isNarrowed = false
        /// Whether the value that comes next, or the elements of the array that is open, are kinds.
        var expectsKinds = false
        var hasBadKinds = false
        var hasLists = false
        /// Of the strings that conditions read as a whole, what is beyond `freeTextBytes` of each.
        var longTextByteCount = 0
        /// How many values it had, repeats included.
        var readCount = 0
    }

    /// Most values of one push that rules look at, repeats in one list counted once: more are refused.
    static var fieldLimit: Int { 1 << 15 }
    /// Bytes of a string that cost no more than to look at it at all.
    static var freeTextBytes: Int { 64 }

    /// The index's.
    private let vocabularyAddress: UnsafePointer<Vocabulary>
    let hash: ValueHash
    let narrowsByKinds: Bool
    /// The pushes that were read, and behind them what has been read of the next.
    var batch = PushBatch()
    /// Where that begins.
    var start = PushBatch.Place()
    private var pushNumber: UInt64 = 0
    var payload = ByteView.empty
    var app: AppID = 0
    var traits = Traits()
    var levels = GrowingBuffer<Level>(capacity: 64)
    /// What the value that comes next is a value of.
    var target = Vocabulary.none
    /// The names that can matter in the object that is open.
    var filter: UInt64 = 0
    var order: FieldOrder

    /// - Parameters:
    ///   - index: whose rules the fields are for; must outlive the reader.
    ///   - product: hashes values as the index does.
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

    /// What rules speak of: the scan follows it.
    var vocabulary: Vocabulary {
        @inline(__always) unsafeAddress { unsafe vocabularyAddress }
    }

    /// Bytes held from the system, used or not.
    @inline(__always)
    var byteCount: Int { batch.byteCount + levels.byteCount + order.byteCount }

    mutating func begin(_ app: AppID, _ payload: ByteView) {
        self.app = app
        self.payload = payload
        start = batch.end
        traits = Traits()
        levels.truncate(to: 0)
        target = Vocabulary.none
        filter = 0
    }

    /// Forgets what has been read of a payload that is refused.
    mutating func abandon() { batch.truncate(to: start) }

    /// The payload that was read, to be added to the batch or abandoned.
    ///
    /// - Parameters:
    ///   - tag: comes back with each match.
    ///   - seen: memory for the values that have been met.
    /// - Returns: the push, whose probes are yet to be found.
    /// - Throws: why it is refused.
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
