internal import DataStructures
internal import ReloadModel

/// A key space's number; handed out again after its last key.
typealias SpaceID = UInt32

/// What the keys of a space are made of.
enum KeyForm: UInt8, BitwiseCopyable {
    /// The value of a field, equal to one that is stored.
    ///
    ///     key: [ value ]
    case value
    /// The values of several fields, each equal to one that is stored.
    ///
    ///     key: [ value … ], one for each attribute
    case equal
    /// The first `parameter` bytes of a string, as a stored value; the same from its end.
    ///
    ///     key: [ value ]
    case prefix
    case suffix
    /// A string with its case folded, and the first and last bytes of one.
    case folded
    case foldedPrefix
    case foldedSuffix
    /// `parameter` bytes from anywhere in a string.
    ///
    ///     key: [ the bytes, zero-filled ]
    case gram
    /// A part of the number line: the upper bits, but for the lowest `parameter`, of numbers' keys.
    ///
    ///     key: [ low half, high half ]
    case cell
    /// The first `parameter` bits of an IPv4 or IPv6 address.
    ///
    ///     key: [ two halves of the high word, two of the low one ]
    case block4
    case block6
    /// Conditions that no value of a field leads to: they are evaluated, once for all widgets that
    /// share one, when the field is there (`group`) or on every push of the app (`always`).
    ///
    ///     key: see `WidgetIndex.addGroupKey`
    case group
    case always
    /// The widgets of a kind that are reached only through a push's `kinds`.
    ///
    ///     key: [ kind ]
    case named

    /// Whether a key's words are stored values, which verifying it reads.
    @inline(__always)
    var hasValues: Bool {
        switch self {
        case .value, .equal, .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix: true
        case .gram, .cell, .block4, .block6, .group, .always, .named: false
        }
    }
}

/// A set of keys that are made in the same way of the same fields.
///
/// A push's field leads to the spaces of its attribute; a space makes a key of the field; the key
/// leads to widgets.
struct KeySpace: BitwiseCopyable {
    static var attributeLimit: Int { 6 }
    /// An attribute with this many key spaces gets no further space of several attributes.
    ///
    /// Each push that has the attribute goes through all of its spaces, and a kind without a rule makes
    /// one for each set of names in its devices' configurations.
    static var combinedLimit: Int { 64 }
    static var none: SpaceID { SpaceID.max }

    let form: KeyForm
    /// A length or a level, see `KeyForm`.
    var parameter: UInt8 = 0
    var attributeCount: UInt8 = 1
    /// The fields, ascending; the first is also what all forms but `equal` have alone.
    var attributes = InlineArray<6, AttributeID>(repeating: Vocabulary.none)
    /// The keys in use, and shapes that will make some.
    var references: UInt32 = 0
    /// Whose list of spaces this one is in.
    var pivot = Vocabulary.none
    /// The next space of the same pivot.
    var next = KeySpace.none
    /// The first key of a `group` or `always` space.
    var firstGroup = KeyTable.none
    /// The conditions that read whole texts, of all keys of such a space.
    var textTestCount: UInt32 = 0

    /// Words of a key; those of groups say so themselves.
    @inline(__always)
    var wordCount: Int {
        switch form {
        case .equal: Int(attributeCount)
        case .value, .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix, .gram, .named: 1
        case .cell: 2
        case .block4, .block6: 4
        case .group, .always: 0
        }
    }

    /// Whether keys hold references to their words; to the values of equalities every widget under
    /// a key has its own.
    var ownsValues: Bool { form.hasValues && form != .value && form != .equal }

    /// Whether the space is of fields, which are in use as long as it is.
    var isOfFields: Bool { form != .named && form != .always }

    init(form: KeyForm) {
        self.form = form
    }

    /// A space of equalities; `attributes` ascend.
    init(equal attributes: [AttributeID]) {
        self.init(form: attributes.count == 1 ? .value : .equal)
        attributeCount = UInt8(attributes.count)
        for (position, attribute) in attributes.enumerated() {
            self.attributes[position] = attribute
        }
    }

    func isSame(as other: KeySpace) -> Bool {
        if form != other.form || parameter != other.parameter { return false }
        if attributeCount != other.attributeCount { return false }
        for position in 0..<Int(attributeCount)
        where attributes[position] != other.attributes[position] {
            return false
        }
        return true
    }
}

/// The key spaces in use, and for each field which of them it leads to.
struct KeySpaces: ~Copyable {
    private var spaces = Slab<KeySpace>()
    private var index = HashIndex()
    private let product: ProductHash

    /// Bytes held from the system, used or not.
    var byteCount: Int { spaces.byteCount + index.byteCount }
    /// How many spaces are in use.
    var count: Int { spaces.count }

    init(_ product: ProductHash) {
        self.product = product
    }

    subscript(space: SpaceID) -> KeySpace {
        @inline(__always) _read { yield spaces[space] }
        @inline(__always) _modify { yield &spaces[space] }
    }

    // MARK: - Hashes of keys

    /// Where the hash of a key of a space begins; each of its words is then folded in.
    @inline(__always)
    func hash(_ space: SpaceID) -> UInt64 { product.start(UInt64(space)) }

    @inline(__always)
    func hash(_ state: UInt64, _ word: UInt64) -> UInt64 { product.hash(state, word) }

    // MARK: - Spaces

    /// The space, with one reference more.
    ///
    /// A new one joins the list of that of its attributes which has the fewest, so that as few
    /// pushes as possible look at it.
    mutating func acquire(_ wanted: KeySpace, _ vocabulary: inout Vocabulary) -> SpaceID {
        let hash = hash(of: wanted)
        if let known = index.find(hash, where: { spaces[$0].isSame(as: wanted) }) {
            spaces[known].references += 1
            return known
        }
        var space = wanted
        space.references = 1
        space.pivot = pivot(of: wanted, vocabulary)
        let number = spaces.insert(space)
        index.insert(hash, number)
        if space.isOfFields {
            for position in 0..<Int(space.attributeCount) {
                vocabulary.retain(space.attributes[position])
            }
        }
        if space.pivot != Vocabulary.none { vocabulary.addSpace(number, to: space.pivot, &self) }
        return number
    }

    /// The space, or `none`.
    func find(_ wanted: KeySpace) -> SpaceID {
        index.find(hash(of: wanted)) { spaces[$0].isSame(as: wanted) } ?? KeySpace.none
    }

    /// Whether the space may be acquired: it is in use already, has a single attribute, or would join
    /// the list of an attribute with fewer than `KeySpace.combinedLimit`.
    func hasRoom(for wanted: KeySpace, _ vocabulary: borrowing Vocabulary) -> Bool {
        wanted.form != .equal || find(wanted) != KeySpace.none
            || vocabulary.spaceCount(pivot(of: wanted, vocabulary)) < KeySpace.combinedLimit
    }

    /// Counts one reference more to a space in use.
    mutating func retain(_ space: SpaceID) { spaces[space].references += 1 }

    /// Takes a reference back; the last one removes the space.
    mutating func release(_ number: SpaceID, _ vocabulary: inout Vocabulary) {
        assert(spaces[number].references > 0)
        spaces[number].references -= 1
        if spaces[number].references > 0 { return }
        let space = spaces[number]
        if space.pivot != Vocabulary.none {
            vocabulary.removeSpace(number, from: space.pivot, &self)
        }
        index.remove(hash(of: space), number)
        spaces.remove(number)
        if !space.isOfFields { return }
        for position in 0..<Int(space.attributeCount) {
            vocabulary.unuse(space.attributes[position])
        }
    }

    private func pivot(of space: KeySpace, _ vocabulary: borrowing Vocabulary) -> AttributeID {
        if space.form == .named { return Vocabulary.none }
        var best = space.attributes[0]
        for position in 0..<Int(space.attributeCount) {
            let attribute = space.attributes[position]
            if vocabulary.spaceCount(attribute) < vocabulary.spaceCount(best) { best = attribute }
        }
        return best
    }

    private func hash(of space: KeySpace) -> UInt64 {
        var hash = product.start(UInt64(space.form.rawValue) << 8 | UInt64(space.parameter))
        for position in 0..<Int(space.attributeCount) {
            hash = product.hash(hash, UInt64(space.attributes[position]))
        }
        return hash
    }
}
