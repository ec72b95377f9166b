internal import Basics

/// Collects the values that some rule considers from a payload while it is scanned.
///
/// It follows the vocabulary's tree of attributes into the payload, one member name at a time, and
/// skips what no rule names. Values stay in the payload; only numbers are rewritten in canonical
/// form, and strings with escapes are decoded. `PayloadScanner` owns it.
///
/// It makes the probe of a whole value at once. That is all if there are no lists, few fields, and
/// none with other spaces; otherwise the scanner discards them and makes all probes.
struct PayloadReader: ~Copyable {
    /// An open container of the payload: an object or an array that has begun and not ended.
    struct Level: BitwiseCopyable {
        /// In an object, the attribute below which its members are; in an array, that of its
        /// elements' values. `AttributeID.none` if no rule considers them.
        var attribute: AttributeID
        /// In an object, a bit for each name below the attribute; see `MemberName.filterBit`. In an
        /// array, 0.
        var filter: UInt64 = 0
        /// The list element around the container; `none` if there is none.
        var context: ContextNumber
        var isArray: Bool
        /// Whether the container is itself such a list element.
        var isElement = false

        /// Stands for what is around the payload.
        static var none: Level { Level(attribute: .none, context: .none, isArray: false) }
    }

    /// What is known of the payload that is being read.
    struct Traits: BitwiseCopyable {
        /// Whether a field that rules consider is an array.
        var hasLists = false
        /// Whether a field has other spaces than that of its values.
        var hasListedSpaces = false
        /// The fields that have a space of their values.
        var lookCount = 0
        /// Bytes beyond the first `freeTextBytes` of each string on which rules have text tests.
        var longTextByteCount = 0
        /// These bytes, each as often as rules' own text tests would read it.
        var ruleTextByteCount = 0
    }

    /// The most values collected from one push, once repeats within a list are dropped; a push with
    /// more is refused.
    static var fieldLimit: Int { 1 << 15 }
    /// Bytes of a string that text tests read at no extra cost.
    static var freeTextBytes: Int { 64 }

    /// What rules and widgets consider.
    var vocabulary: ScanVocabulary
    /// The filter that the probes will be tried on.
    var keyFilter = KeyFilter()
    /// Hashes the values collected.
    private let hash: ValueHash
    private let keyHash: KeyHash
    /// What has been collected of the payload.
    var fields = GrowingBuffer<ScannedField>(capacity: 256)
    /// The objects in the lists of the payload; the first has the number 1.
    var contexts = GrowingBuffer<ScannedContext>(capacity: 64)
    /// The probes that have been made.
    var probes = GrowingBuffer<ScannedProbe>(capacity: 256)
    /// Canonical numbers and decoded texts.
    var rewritten = GrowingBuffer<UInt8>(capacity: 1_024)
    /// The payload that is being read.
    private(set) var payload = ByteView.empty
    /// The app of the push that is being read.
    private(set) var app: AppID = .first
    /// What is known so far of the payload that is being read.
    var traits = Traits()
    /// What is around the containers that are open, the innermost last.
    var levels = GrowingBuffer<Level>(capacity: 64)
    /// The attribute to which the next value belongs; `AttributeID.none` if the value is skipped.
    var target = AttributeID.none
    /// The innermost open container.
    var level = Level.none
    /// The first of the spaces to which every push of the app leads.
    var groups = SpaceID.none
    /// Which members of rules pushes have had.
    var sightings = MemberSightings()

    /// A reader for payloads that are scanned with a vocabulary, which hashes values as the index
    /// does.
    init(_ vocabulary: ScanVocabulary, product: ProductHash) {
        self.vocabulary = vocabulary
        hash = ValueHash(product)
        keyHash = KeyHash(product)
    }

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int {
        fields.byteCount + contexts.byteCount + probes.byteCount + rewritten.byteCount
            + levels.byteCount + sightings.byteCount
    }

    /// The bytes of the fields, valid until the reader changes.
    @inline(__always)
    var bytes: ScannedBytes {
        let base = unsafe UnsafeRawPointer(rewritten.elements)
        return unsafe ScannedBytes(
            payload: payload,
            rewritten: ByteView(base: base, count: rewritten.count)
        )
    }

    /// Prepares for reading a payload, which must stay valid meanwhile.
    @inline(__always)
    mutating func begin(app: AppID, payload: ByteView) {
        self.app = app
        self.payload = payload
        traits = Traits()
        fields.removeAll()
        contexts.removeAll()
        probes.removeAll()
        rewritten.removeAll()
        levels.removeAll()
        level = .none
        target = .none
        sightings.begin(app)
    }

    // MARK: - Values

    /// Collects a value of the target attribute, whose bytes begin at an offset of `bytes`, and
    /// makes its probe.
    @inline(__always)
    mutating func add(_ tag: ValueTag, offset: Int, bytes: ByteView) {
        let spaces = vocabulary.spaces(of: target)
        let hash = hash(tag, bytes: bytes)
        if spaces.values != .none {
            let keyHash = keyHash(spaces.values, word: hash)
            // It is tried once the payload has been scanned.
            keyFilter.prefetch(keyHash)
            probes.append(
                ScannedProbe(
                    hash: keyHash,
                    field: UInt32(truncatingIfNeeded: fields.count),
                    space: spaces.values,
                    form: .value
                )
            )
        }
        append(tag, hash: hash, offset: offset, count: bytes.count, spaces: spaces)
    }

    /// Records that the target attribute is present, with an object or a list instead of a value.
    mutating func addContainer() {
        if !vocabulary.isUsed(target) { return }
        let spaces = vocabulary.spaces(of: target)
        let hash = hash(.container, bytes: .empty)
        append(.container, hash: hash, offset: 0, count: 0, spaces: spaces)
    }

    /// Appends a field.
    @inline(__always)
    private mutating func append(
        _ tag: ValueTag,
        hash: UInt64,
        offset: Int,
        count: Int,
        spaces: (values: SpaceID, first: SpaceID)
    ) {
        assert(!target.isRoot, "a value of no attribute")
        assert(tag != .list && tag != .layout, "a value that a payload cannot have")
        if spaces.values != .none { traits.lookCount &+= 1 }
        if spaces.first != .none { traits.hasListedSpaces = true }
        fields.append(
            ScannedField(
                hash: hash,
                attribute: target,
                context: level.context,
                offset: UInt32(truncatingIfNeeded: offset),
                head: ValueTable.head(tag, length: count)
            )
        )
    }
}
