public import Basics

/// The payload fields that kinds declare: those that they observe, those whose values they inline
/// into RELOAD, and those that say of what an update is and how new.
///
///     names ─► fields[id] ─► the name's bytes     one for each name of an app, counted
///     apps[app] ─► how many fields its kinds have, and a filter of the names
///     kinds[kind] ─► generation, and a list:
///         [ field id: 32 bits, for each | end of key: 16 bits, for each inlined one | "key": …
///         | field id: 32 bits, for each field of the key, and for the newest one ]
///
/// A list has the inlined fields first, in the order of their declaration, then the others. A
/// field's position in the list is its bit in all masks. Every change of a kind's list gets a
/// number of its own, the kind's *generation*: values that were kept under another generation are
/// no longer used.
///
/// The fields of a rule's key may lie within objects: then each name on the way is a field, too.
///
/// The catalog's size is bounded by what is declared: at most 16 fields for each kind, and
/// `keyFieldLimit` of its key.
@usableFromInline
package struct FieldCatalog: ~Copyable {
    /// A name that at least one kind of an app declares.
    struct Field: BitwiseCopyable {
        var app: AppID
        /// The field whose object has it as a member; `none` for a member of the payload itself.
        var parent: FieldID
        /// Length of the name in bytes.
        var nameCount: UInt16
        /// The block of the name in `bytes`.
        var name: ArenaBlock
        /// How many kinds observe it, inline it, have it in their key, and have it as the one that
        /// says how new an update is: see `observed` and the others.
        var uses = SIMD4<UInt32>.zero
        /// The number of fields within it.
        var childCount: UInt32 = 0

        /// What a kind adds to `uses` that observes the field.
        static var observed: SIMD4<UInt32> { [1, 0, 0, 0] }
        static var inlined: SIMD4<UInt32> { [0, 1, 0, 0] }
        static var key: SIMD4<UInt32> { [0, 0, 1, 0] }
        static var newest: SIMD4<UInt32> { [0, 0, 0, 1] }

        /// Whether its value is of use.
        var hasValue: Bool { uses != .zero }
        /// Whether the hash of its value is of use.
        var hasHash: Bool { uses[0] > 0 || uses[2] > 0 }
        /// Whether the text of its value is of use.
        var isInlined: Bool { uses[1] > 0 }
        /// Whether the order of its value is of use.
        var hasOrder: Bool { uses[3] > 0 }
    }

    /// What the catalog knows of one app: read for each payload, and for each of its members.
    @usableFromInline
    struct App: BitwiseCopyable {
        /// Fields of the app's kinds; a field counts once for each kind that declares it.
        @usableFromInline var fieldCount: UInt32 = 0
        /// The union of the bits of all names: see `filterBit`.
        var filter: UInt64 = 0
    }

    /// Field ids by the hash of app and name.
    var names = HashIndex()
    var fields = Slab<FieldID, Field>()
    @usableFromInline var apps = Slab<AppID, App>()
    @usableFromInline var kinds = Slab<KindID, KindFields>()
    /// The bytes of names and lists.
    @usableFromInline var bytes = ByteArena()
    let hashKey: HashKey
    /// How often any list has changed; the highest generation.
    var generation = ListGeneration.first
    /// The generations of the lists in force.
    var generations: Set<ListGeneration> = []

    /// - Parameter hashKey: a secret, without which names that collide cannot be chosen.
    package init(hashKey: HashKey) { self.hashKey = hashKey }

    /// Whether a kind of the app declares fields, so that pushes to the app must be read.
    @inlinable @inline(__always)
    package func hasFields(of app: AppID) -> Bool { apps.has(app) && apps[app].fieldCount > 0 }

    /// Bytes in use for names and lists.
    package var usedByteCount: Int { bytes.usedByteCount }

    // MARK: - Names

    /// The bits of all names of an app: a name without its bit here is not declared.
    func filter(_ app: AppID) -> UInt64 { apps.has(app) ? apps[app].filter : 0 }

    /// The bit of a name, one of 64, chosen by a hash of the name: names with different bits are
    /// different.
    @inline(__always)
    static func filterBit(_ name: ByteView) -> UInt64 {
        let word = name.prefixWord ^ UInt64(truncatingIfNeeded: name.count)
        return 1 << ((word &* 0x9e37_79b9_7f4a_7c15) >> 58)
    }

    /// The id of a name, given without JSON escapes, in the object of a field or, for `none`, in
    /// the payload itself; nil if no kind of the app declares it.
    func field(_ name: ByteView, of app: AppID, in parent: FieldID = .none) -> FieldID? {
        names.find(hash(name, of: app, in: parent)) { (candidate: FieldID) in
            let field = fields[candidate]
            return unsafe field.app == app && field.parent == parent
                && bytes.view(field.name, count: Int(field.nameCount)) == name
        }
    }

    /// The key of a name in `names`.
    func hash(_ name: ByteView, of app: AppID, in parent: FieldID) -> UInt64 {
        // 0 for the payload itself.
        let outer = UInt64(parent.rawValue &+ 1)
        return hashKey.hash(outer << 32 | UInt64(app.rawValue), followedBy: name)
    }

    // MARK: - Kinds

    /// A kind's list; empty for a kind that was never declared.
    @inlinable @inline(__always)
    func fields(of kind: KindID) -> KindFields { kinds.has(kind) ? kinds[kind] : .none }

    /// The names of the fields that a kind observes, in no particular order.
    package func observedNames(of kind: KindID) -> [String] {
        let list = fields(of: kind)
        return (0..<Int(list.count)).filter { list.observed[$0] }
            .map { name(of: field(at: $0, of: list)) }
    }

    /// The name of the field that says how new an update is; nil if the kind names none.
    package func newestName(of kind: KindID) -> String? {
        let list = fields(of: kind)
        return list.hasNewest ? name(of: newestField(of: list)) : nil
    }

    /// The name of a field, without those of the fields around it.
    private func name(of id: FieldID) -> String {
        unsafe bytes.view(fields[id].name, count: Int(fields[id].nameCount)).string
    }

    /// The id of the field at a position of a list.
    @inline(__always)
    func field(at index: Int, of kind: KindFields) -> FieldID {
        assert(index >= 0 && index < kind.count, "position \(index) of \(kind.count)")
        return unsafe bytes.pointer(kind.list)
            .load(fromByteOffset: index * 4, as: FieldID.self)
    }

    /// The id of a field of the kind's key.
    @inline(__always)
    func keyField(at index: Int, of kind: KindFields) -> FieldID {
        assert(index >= 0 && index < kind.keyCount, "key field \(index) of \(kind.keyCount)")
        return unsafe bytes.pointer(kind.list)
            .loadUnaligned(fromByteOffset: kind.keyOffset + index * 4, as: FieldID.self)
    }

    /// The id of the field that says how new an update is; the kind has one.
    @inline(__always)
    func newestField(of kind: KindFields) -> FieldID {
        assert(kind.hasNewest, "no field says what is newest")
        return unsafe bytes.pointer(kind.list)
            .loadUnaligned(
                fromByteOffset: kind.keyOffset + Int(kind.keyCount) * 4,
                as: FieldID.self
            )
    }

    /// Each field of a list, and what the kind adds to its `Field.uses`: first those of the list,
    /// then those of the key, then the newest one.
    func uses(of kind: KindFields) -> [(field: FieldID, uses: SIMD4<UInt32>)] {
        var uses = (0..<Int(kind.count)).map { position in
            let observed = kind.observed[position] ? Field.observed : .zero
            let inlined = position < kind.inlinedCount ? Field.inlined : .zero
            return (field: field(at: position, of: kind), uses: observed &+ inlined)
        }
        for index in 0..<Int(kind.keyCount) {
            uses.append((keyField(at: index, of: kind), Field.key))
        }
        if kind.hasNewest { uses.append((newestField(of: kind), Field.newest)) }
        return uses
    }

    /// The key of an inlined field as RELOAD has it, with quotation marks, escapes and colon.
    @inline(__always)
    func key(at position: Int, of kind: KindFields) -> ByteView {
        unsafe kind.key(at: position, in: bytes.pointer(kind.list))
    }
}

extension FieldCatalog {
    /// The length in bytes of the object for RELOAD with inlined texts of these lengths: a brace in
    /// front, and after each member a comma or the other brace.
    @inline(__always)
    func objectByteCount(_ lengths: FieldBlock.Lengths, of kind: KindFields) -> Int {
        var byteCount = 1
        for position in 0..<Int(kind.inlinedCount) where lengths[position] > 0 {
            byteCount += key(at: position, of: kind).count + Int(lengths[position]) + 1
        }
        return max(byteCount, 2)
    }
}

/// The fields that a kind observes and inlines: a reference to its list in the catalog.
@usableFromInline
struct KindFields: BitwiseCopyable {
    /// The generation of the list's last change; `first` if there was none.
    @usableFromInline var generation = ListGeneration.first
    /// The block of the list in the catalog's `bytes`.
    @usableFromInline var list = ArenaBlock.none
    @usableFromInline var listByteCount: UInt32 = 0
    @usableFromInline var observed: FieldPositions = []
    @usableFromInline var app = AppID.first
    /// How many fields the list has.
    @usableFromInline var count: UInt8 = 0
    /// How many of them are inlined; these come first.
    @usableFromInline var inlinedCount: UInt8 = 0
    /// How many fields the key of the kind's rule has.
    var keyCount: UInt8 = 0
    /// Whether the kind names a field that says how new an update is.
    var hasNewest = false

    @usableFromInline static var none: KindFields { KindFields() }

    /// Whether the kind has no fields at all.
    var isEmpty: Bool { count == 0 && !hasNewest }

    /// Where the fields of the key begin in the list.
    @inline(__always)
    var keyOffset: Int { Int(listByteCount) - (Int(keyCount) + (hasNewest ? 1 : 0)) * 4 }

    @inlinable @inline(__always)
    var inlined: FieldPositions { FieldPositions(first: Int(inlinedCount)) }

    /// The key of an inlined field as RELOAD has it; `list` is the kind's list.
    @unsafe @inline(__always)
    func key(at index: Int, in list: UnsafeRawPointer) -> ByteView {
        assert(index >= 0 && index < inlinedCount, "position \(index) of \(inlinedCount)")
        let ends = unsafe list + Int(count) * 4
        let start =
            index == 0
            ? 0 : unsafe ends.loadUnaligned(fromByteOffset: index * 2 - 2, as: UInt16.self)
        let end = unsafe ends.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
        let keys = unsafe ends + Int(inlinedCount) * 2
        return unsafe ByteView(base: keys + Int(start), count: Int(end) - Int(start))
    }
}

/// The number of a name that kinds of an app declare as a field; reused once no kind declares the
/// name any more.
struct FieldID: SlotNumber {
    let rawValue: UInt32
}

/// The number of a change of any kind's list of fields: the higher one came later.
@frozen @usableFromInline
struct ListGeneration: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The generation of a list that has not changed since the start.
    @inlinable @inline(__always)
    static var first: ListGeneration { ListGeneration(rawValue: 0) }

    @usableFromInline let rawValue: UInt32

    @inlinable @inline(__always)
    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The generation of the next change.
    var next: ListGeneration { ListGeneration(rawValue: rawValue + 1) }

    @inlinable @inline(__always)
    static func < (left: ListGeneration, right: ListGeneration) -> Bool {
        left.rawValue < right.rawValue
    }
}
