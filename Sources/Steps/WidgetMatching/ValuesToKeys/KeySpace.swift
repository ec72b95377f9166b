internal import Basics
internal import EventPatterns

/// A key space's number; reused once its last reference is released.
struct SpaceID: SlotNumber {
    let rawValue: UInt32
}

/// How the keys of a space are made of a payload's fields. `parameter` is that of the space.
///
///     form                    made of                                 words of a key
///     value                   the value of one field                  value
///     equal                   the values of several fields            a value for each
///     prefix, suffix          first or last `parameter` bytes         value
///                             of a string
///     folded, foldedPrefix,   the same of a string with its case      value
///     foldedSuffix            folded; `folded` of all of it
///     gram                    `parameter` bytes from anywhere in      the bytes, zero-filled
///                             a string
///     cell                    a part of the number line               low half, high half
///                             (`NumberCell`): a number's 64-bit
///                             key without its lowest `parameter`
///                             bits
///     block4, block6          the first `parameter` bits of an        two halves of the high
///                             IPv4 or IPv6 address                    word, two of the low word
///     group                   a condition to which no value of a      see `addGroupKey`
///                             field leads; evaluated whenever the
///                             field is present, once for all
///                             widgets that share it
///     always                  a condition that is evaluated on        see `addGroupKey`
///                             every push of the app, once for all
///                             widgets that share it
///     named                   a kind whose widgets match only         kind
///                             pushes that name it in `kinds`
enum KeyForm: UInt8, BitwiseCopyable {
    case value
    case equal
    case prefix
    case suffix
    case folded
    case foldedPrefix
    case foldedSuffix
    case gram
    case cell
    case block4
    case block6
    case group
    case always
    case named

    /// Whether this is a form of keys, rather than of groups, which are not looked up.
    @inline(__always)
    var isKey: Bool { self != .group && self != .always }

    /// Whether the words of a key are stored values, which verifying the key reads.
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
/// A field of a push leads to the spaces of its attribute; each space makes a key of the field, and
/// the key leads to widgets.
struct KeySpace: BitwiseCopyable {
    /// The most attributes of one space.
    static var attributeLimit: Int { 6 }
    /// An attribute with this many key spaces gets no further space of several attributes.
    ///
    /// Each push that has the attribute goes through all of its spaces, and a kind without a rule
    /// would make a space for each set of parameter names in its devices' configurations.
    static var combinedLimit: Int { 64 }

    /// How the keys are made.
    let form: KeyForm
    /// A length in bytes or bits, or a level; see `KeyForm`.
    var parameter: UInt8 = 0
    /// How many of `attributes` are used; 1 for all forms but `equal`.
    var attributeCount: UInt8 = 1
    /// The fields of which keys are made, ascending. All forms but `equal` have only the first;
    /// `always` has the app's root there, and `named` `AttributeID.none`.
    var attributes = InlineArray<6, AttributeID>(repeating: .none)

    /// The number of words of a key; 0 for groups, whose keys differ in length.
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

    /// Whether the keys are groups; see `WidgetIndex.addGroupKey`.
    @inline(__always)
    var hasGroups: Bool { !form.isKey }

    /// Whether keys hold references to the values in their words. For equalities, each widget under
    /// the key holds them instead.
    var ownsValues: Bool { form.hasValues && form != .value && form != .equal }

    /// Whether the space holds references to its attributes, which exist as long as it does.
    var retainsAttributes: Bool { form != .named && form != .always }

    init(form: KeyForm) { self.form = form }

    /// A space of keys that are made of one attribute.
    init(form: KeyForm, at attribute: AttributeID, parameter: Int) {
        assert(parameter >= 0 && parameter <= Int(UInt8.max), "parameter \(parameter)")
        self.init(form: form)
        self.parameter = UInt8(parameter)
        attributes[0] = attribute
    }

    /// A space of equalities; `attributes` ascend.
    init(equal attributes: [AttributeID]) {
        assert(
            (1...Self.attributeLimit).contains(attributes.count),
            "\(attributes.count) attributes"
        )
        self.init(form: attributes.count == 1 ? .value : .equal)
        attributeCount = UInt8(attributes.count)
        for (position, attribute) in attributes.enumerated() {
            self.attributes[position] = attribute
        }
    }

    /// Whether two spaces make the same keys.
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

/// The hash of a key, by which it is found.
struct KeyHash {
    private let product: ProductHash

    init(_ product: ProductHash) { self.product = product }

    /// The initial state of the hash of a key; each word is then folded in.
    @inline(__always)
    func callAsFunction(_ space: SpaceID) -> UInt64 { product.start(UInt64(space.rawValue)) }

    /// The state of a key's hash after one more word.
    @inline(__always)
    func callAsFunction(_ state: UInt64, adding word: UInt64) -> UInt64 {
        product.hash(state, adding: word)
    }

    /// The hash of a key of one word.
    @inline(__always)
    func callAsFunction(_ space: SpaceID, word: UInt64) -> UInt64 {
        self(self(space), adding: word)
    }

    /// The hash of a key that is a block of addresses, made of the block's first address.
    @inline(__always)
    func callAsFunction(_ space: SpaceID, address: IPAddress, prefixLength: Int) -> UInt64 {
        let masked = AddressBlock(address, prefixLength: prefixLength).address
        return self(self(space, word: masked.high), adding: masked.low)
    }
}

/// The key spaces in use. `Vocabulary` has the list of those to which each attribute leads.
struct KeySpaces: ~Copyable {
    /// A space, and what there is of its keys.
    struct Record: BitwiseCopyable {
        let space: KeySpace
        /// The attribute in whose list of spaces the space is; `AttributeID.none` for `named`.
        let pivot: AttributeID
        /// The number of keys of the space and of shapes that make such keys; for `named`, the
        /// index itself counts too.
        var references: UInt32 = 1
        /// The first group of a `group` or `always` space; the other groups are linked to it.
        var firstGroup = KeyID.none
        /// The weighted number of patterns of all groups of a `group` or `always` space; see
        /// `TextTests.ofWidget`.
        var patternCount: UInt32 = 0
    }

    var records = Slab<SpaceID, Record>()
    var index = HashIndex()
    let hash: KeyHash
    private let product: ProductHash

    /// Bytes allocated, used or not.
    var byteCount: Int { records.byteCount + index.byteCount }
    /// The number of spaces in use.
    var count: Int { records.count }

    init(_ product: ProductHash) {
        self.product = product
        hash = KeyHash(product)
    }

    subscript(space: SpaceID) -> KeySpace {
        @inline(__always) _read { yield records[space].space }
    }

    // MARK: - Spaces

    /// The number of the space, created if it is new, with one more reference.
    ///
    /// A new space joins the shortest of its attributes' lists, so that few pushes consider it.
    mutating func acquire(_ wanted: KeySpace, in vocabulary: inout Vocabulary) -> SpaceID {
        let hash = hash(of: wanted)
        if let known = find(wanted, hash: hash) {
            records[known].references += 1
            return known
        }
        let pivot = pivot(of: wanted, in: vocabulary)
        let number = records.insert(Record(space: wanted, pivot: pivot))
        index.insert(hash, number: number)
        if wanted.retainsAttributes {
            for position in 0..<Int(wanted.attributeCount) {
                vocabulary.retain(wanted.attributes[position])
            }
        }
        if pivot != .none { vocabulary.addSpace(number, as: wanted, to: pivot) }
        return number
    }

    /// The number of the space; nil if there is none.
    func find(_ wanted: KeySpace) -> SpaceID? { find(wanted, hash: hash(of: wanted)) }

    /// The number of the space with a hash; nil if there is none.
    private func find(_ wanted: KeySpace, hash: UInt64) -> SpaceID? {
        index.find(hash) { (space: SpaceID) in self[space].isSame(as: wanted) }
    }

    /// Whether the space may be acquired: it exists already, has a single attribute, or would join
    /// a list with fewer than `KeySpace.combinedLimit` spaces.
    func hasRoom(for wanted: KeySpace, in vocabulary: borrowing Vocabulary) -> Bool {
        wanted.form != .equal || find(wanted) != nil
            || vocabulary.spaceCount(pivot(of: wanted, in: vocabulary)) < KeySpace.combinedLimit
    }

    /// Adds a reference to a space in use.
    mutating func retain(_ space: SpaceID) {
        assert(records[space].references > 0, "space \(space) is gone")
        records[space].references += 1
    }

    /// Releases a reference; the last one removes the space.
    mutating func release(_ number: SpaceID, in vocabulary: inout Vocabulary) {
        assert(records[number].references > 0, "a space is released more often than acquired")
        records[number].references -= 1
        if records[number].references > 0 { return }
        let record = records[number]
        assert(record.firstGroup == .none, "a group outlives its space")
        if record.pivot != .none { vocabulary.removeSpace(number, from: record.pivot) }
        index.remove(hash(of: record.space), number: number)
        records.remove(number)
        if !record.space.retainsAttributes { return }
        for position in 0..<Int(record.space.attributeCount) {
            vocabulary.release(record.space.attributes[position])
        }
    }

    /// The attribute whose list a new space joins.
    private func pivot(of space: KeySpace, in vocabulary: borrowing Vocabulary) -> AttributeID {
        if space.form == .named { return .none }
        var best = space.attributes[0]
        for position in 0..<Int(space.attributeCount) {
            let attribute = space.attributes[position]
            if vocabulary.spaceCount(attribute) < vocabulary.spaceCount(best) { best = attribute }
        }
        return best
    }

    /// The hash of everything that `KeySpace.isSame` compares.
    private func hash(of space: KeySpace) -> UInt64 {
        var hash = product.start(UInt64(space.form.rawValue) << 8 | UInt64(space.parameter))
        for position in 0..<Int(space.attributeCount) {
            hash = product.hash(hash, adding: UInt64(space.attributes[position].rawValue))
        }
        return hash
    }
}

extension KeySpaces {
    /// Asserts that all spaces are found by what makes their keys, and that their references are
    /// counted.
    func checkInvariants(references: [SpaceID: Int]) {
        assert(index.count == records.count, "the tables of spaces differ in size")
        assert(references.count == records.count, "a space has no references")
        for (number, count) in references {
            let space = self[number]
            assert(Int(records[number].references) == count, "references of space \(number)")
            assert(find(space) == number, "space \(number) is not found")
            let isListed = records[number].pivot != .none
            assert((space.form != .named) == isListed, "space \(number) has a list")
            assert(space.attributeCount > 0 && space.attributeCount <= KeySpace.attributeLimit)
            for position in 1..<max(1, Int(space.attributeCount)) {
                let isAscending = space.attributes[position - 1] < space.attributes[position]
                assert(isAscending, "the attributes of space \(number) ascend")
            }
        }
    }
}
