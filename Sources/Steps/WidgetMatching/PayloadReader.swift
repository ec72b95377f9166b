internal import ByteStorage
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

    /// Most values of one push that rules look at, repeats in one list counted once: more are refused.
    static var fieldLimit: Int { 1 << 15 }
    /// Bytes of a string that cost no more than to look at it at all.
    static var freeTextBytes: Int { 64 }

    /// The index's.
    private let vocabularyAddress: UnsafePointer<Vocabulary>
    let hash: ValueHash
    let narrowsByKinds: Bool
    var fields = GrowingBuffer<FieldValue>(capacity: 256)
    var contexts = GrowingBuffer<Context>(capacity: 64)
    var kinds = GrowingBuffer<KindID>(capacity: 64)
    var pushes = GrowingBuffer<Push>(capacity: 64)
    /// Canonical numbers and decoded texts.
    var scratch = ScratchBytes()
    var levels = GrowingBuffer<Level>(capacity: 64)
    /// What the value that comes next is a value of.
    var target = Vocabulary.none
    /// The names that can matter in the object that is open.
    var filter: UInt64 = 0
    var payload = ByteView.empty
    private var mark = ScratchMark()
    private var pushNumber: UInt64 = 0
    var app: AppID = 0
    private var firstField = 0
    var firstContext = 0
    var firstKind = 0
    var isNarrowed = false
    /// Whether the value that comes next, or the elements of the array that is open, are kinds.
    var expectsKinds = false
    var hasBadKinds = false
    var hasLists = false
    /// Of the push's strings that conditions read as a whole, what is beyond `freeTextBytes` of each.
    var longTextByteCount = 0
    var attributeFields = AttributeFields()
    /// Values that have been met, of the push that is read.
    var seen = SeenTable()
    /// For each field of the push that is read, the first one of the same attribute that has the same
    /// value, in whatever element of a list; only of a push with lists of objects.
    var equals = GrowingBuffer<UInt32>(capacity: 64)
    /// Memory for putting fields in order.
    private var sortRoom = GrowingBuffer<FieldValue>(capacity: 64)
    private var kindRoom = GrowingBuffer<KindID>(capacity: 64)
    /// How many values the push had, repeats included.
    private(set) var readCount = 0
    private let product: ProductHash

    /// - Parameters:
    ///   - index: whose rules the fields are for; must outlive the reader.
    ///   - product: hashes values as the index does.
    ///   - narrowsByKinds: whether the payload's member `kinds` narrows a push.
    init(
        for index: borrowing WidgetIndex,
        _ product: ProductHash,
        narrowsByKinds: Bool
    ) {
        self.product = product
        unsafe vocabularyAddress = index.vocabularyAddress
        hash = ValueHash(product)
        self.narrowsByKinds = narrowsByKinds
    }

    /// What rules speak of: the scan follows it.
    var vocabulary: Vocabulary {
        @inline(__always) unsafeAddress { unsafe vocabularyAddress }
    }

    // MARK: - Payloads

    mutating func begin(_ app: AppID, _ payload: ByteView) {
        self.app = app
        self.payload = payload
        mark = scratch.mark
        firstField = fields.count
        firstContext = contexts.count
        firstKind = kinds.count
        isNarrowed = false
        expectsKinds = false
        hasBadKinds = false
        hasLists = false
        longTextByteCount = 0
        readCount = 0
        levels.truncate(to: 0)
        target = Vocabulary.none
        filter = 0
    }

    /// Forgets what has been read of a payload that is refused.
    mutating func abandon() {
        fields.truncate(to: firstField)
        contexts.truncate(to: firstContext)
        kinds.truncate(to: firstKind)
        scratch.reset(to: mark)
    }

    /// The payload that was read, to be added to the batch or abandoned.
    ///
    /// - Throws: why it is refused.
    @inline(__always)
    mutating func finish(_ tag: UInt32) throws(PayloadError) -> Push {
        readCount = fields.count - firstField
        if hasBadKinds { throw .kinds }
        if hasLists || fields.count - firstField > GrowingBuffer<FieldValue>.linearLimit {
            try orderFields()
        }
        if contexts.count > firstContext { findEquals() }
        if kinds.count - firstKind > GrowingBuffer<KindID>.linearKinds { orderKinds() }
        pushNumber += 1
        return Push(
            number: pushNumber,
            tag: tag,
            fields: Span(firstField, fields.count),
            contexts: Span(firstContext, contexts.count),
            kinds: Span(firstKind, kinds.count),
            app: app,
            isNarrowed: isNarrowed,
            hasLists: hasLists
        )
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

    /// Empties the batch.
    mutating func reset() {
        fields.truncate(to: 0)
        contexts.truncate(to: 0)
        kinds.truncate(to: 0)
        pushes.truncate(to: 0)
        scratch.reset(to: ScratchMark())
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        fields.byteCount + kinds.byteCount + pushes.byteCount
            + scratch.byteCount + levels.byteCount + contexts.byteCount
            + attributeFields.byteCount + seen.byteCount + equals.byteCount + sortRoom.byteCount
    }

    // MARK: - Order

    /// Orders the fields, and keeps one of values that stand several times in a list.
    ///
    /// So a widget that waits for one is found once. A list may have thousands; repeats are dropped
    /// before the others are put in order, so that they cost next to nothing.
    private mutating func orderFields() throws(PayloadError) {
        if fields.count - firstField < 2 { return }
        if fields.count - firstField > Self.fewFields { dropRepeats() }
        if fields.count - firstField > Self.fieldLimit { throw .tooManyProbes }
        fields.sort(from: firstField, room: &sortRoom) { $0.isOrdered(before: $1) }
        var kept = firstField + 1
        for index in firstField + 1..<fields.count
        where !fields[index].isEqual(to: fields[kept - 1]) {
            fields[kept] = fields[index]
            kept += 1
        }
        fields.truncate(to: kept)
    }

    /// So many fields are put in order with their repeats.
    private static var fewFields: Int { 64 }

    private mutating func dropRepeats() {
        seen.removeAll()
        var kept = firstField
        for index in firstField..<fields.count {
            let field = fields[index]
            let place = UInt64(field.attribute) << 32 | UInt64(field.context)
            let hash = product.hash(field.hash, place)
            if seen.find(hash, { fields[$0].isEqual(to: field) }) != nil { continue }
            seen.insert(hash, kept)
            fields[kept] = field
            kept += 1
        }
        fields.truncate(to: kept)
    }

    /// Notes of each field which one is the first with its value.
    private mutating func findEquals() {
        seen.removeAll()
        equals.truncate(to: 0)
        for index in firstField..<fields.count {
            let field = fields[index]
            let hash = product.hash(field.hash, UInt64(field.attribute))
            let known = seen.find(hash) { fields[$0].hasValue(of: field) }
            if known == nil { seen.insert(hash, index) }
            equals.append(UInt32(truncatingIfNeeded: (known ?? index) - firstField))
        }
    }

    /// The first field that has the same value as one of the push that is read.
    @inline(__always)
    func firstEqual(_ field: Int, _ push: Push) -> Int {
        push.firstField + Int(equals[field - push.firstField])
    }

    /// Whether an earlier field has the same value.
    @inline(__always)
    func isRepeat(_ field: Int, _ push: Push) -> Bool { firstEqual(field, push) != field }

    // MARK: - Kinds

    /// Orders the kinds that the payload names, and keeps each once.
    private mutating func orderKinds() {
        kinds.sort(from: firstKind, room: &kindRoom) { $0 < $1 }
        var kept = firstKind + 1
        for index in firstKind + 1..<kinds.count where kinds[index] != kinds[kept - 1] {
            kinds[kept] = kinds[index]
            kept += 1
        }
        kinds.truncate(to: kept)
    }
}
