public import DataStructures
public import ReloadModel

/// The payload fields that kinds name: those that they show, and those that they carry.
///
///     names ─► fields[id] ─► the name's bytes     one for each name of an app, counted
///     apps[app] ─► how many names, and a filter of them
///     kinds[kind] ─► generation, and a list:
///         [ field id: 32 bits, for each | end of key: 16 bits, for each carried one | "key": … ]
///
/// A list has the carried fields first, in the order in which they were declared, then the others:
/// a field's place in it is its bit in the masks. Every change of a kind's list has a number of its
/// own, the kind's *generation*: what was kept under another one is not looked at any more.
///
/// Bounded by what is declared: at most 16 fields a kind.
@safe @usableFromInline
package struct FieldCatalog: ~Copyable {
    /// The number of a name of an app; handed out again when no kind names it any more.
    typealias FieldID = UInt32

    /// A name that some kind of an app names.
    struct Field: BitwiseCopyable {
        var app: AppID
        var nameCount: UInt16
        var name: UInt32
        /// Kinds that show it.
        var showing: UInt32 = 0
        /// Kinds that carry it.
        var carrying: UInt32 = 0
    }

    /// What is asked for each payload, and for each of its members.
    @usableFromInline
    struct App: BitwiseCopyable {
        /// Fields of the app's kinds, each counted once for each kind.
        @usableFromInline var fieldCount: UInt32 = 0
        /// Has the bit of each name: see `filterBit`.
        var filter: UInt64 = 0
    }

    var names = HashIndex()
    var fields = Slab<Field>()
    @usableFromInline var apps = Slab<App>()
    @usableFromInline var kinds = Slab<KindFields>()
    /// Names and lists.
    @usableFromInline var bytes = ByteArena()
    let hashKey: HashKey
    /// How often lists have changed.
    var generation: UInt32 = 0
    /// Those of lists that hold.
    var generations: Set<UInt32> = []

    /// - Parameter hashKey: so that nobody outside can choose names that collide.
    package init(hashKey: HashKey) {
        self.hashKey = hashKey
    }

    /// Whether a kind of the app names fields: whether pushes of it must be read.
    @inlinable @inline(__always)
    package func observes(_ app: AppID) -> Bool {
        UInt32(app) < apps.end && apps[UInt32(app)].fieldCount > 0
    }

    /// Bytes of names and lists that are in use.
    package var usedByteCount: Int { bytes.usedByteCount }

    // MARK: - Names

    /// The bits of all names of an app.
    func filter(_ app: AppID) -> UInt64 {
        UInt32(app) < apps.end ? apps[UInt32(app)].filter : 0
    }

    /// One of 64 bits: names that have different ones are different.
    @inline(__always)
    static func filterBit(_ name: ByteView) -> UInt64 {
        let word = name.prefixWord ^ UInt64(truncatingIfNeeded: name.count)
        return 1 << ((word &* 0x9e37_79b9_7f4a_7c15) >> 58)
    }

    /// The field of a name, given decoded.
    func field(_ name: ByteView, of app: AppID) -> FieldID? {
        names.find(hash(name, app)) { candidate in
            let field = fields[candidate]
            return field.app == app && bytes.view(field.name, Int(field.nameCount)) == name
        }
    }

    func hash(_ name: ByteView, _ app: AppID) -> UInt64 {
        hashKey.hash(UInt64(app), name)
    }

    // MARK: - Kinds

    /// A kind's list; that of a kind that was never declared is empty.
    @inlinable @inline(__always)
    func fields(of kind: KindID) -> KindFields {
        UInt32(kind) < kinds.end ? kinds[UInt32(kind)] : .none
    }

    @inline(__always)
    func field(at place: Int, of kind: KindFields) -> FieldID {
        assert(place < kind.count)
        return unsafe bytes.pointer(kind.list)
            .load(fromByteOffset: place * 4, as: FieldID.self)
    }

    /// The key of a carried field as RELOAD has it, with quotation marks, escapes and colon.
    @inline(__always)
    func key(at place: Int, of kind: KindFields) -> ByteView {
        unsafe kind.key(at: place, in: bytes.pointer(kind.list))
    }
}

/// What a kind shows and carries.
@usableFromInline
struct KindFields: BitwiseCopyable {
    /// The number of the list's last change; 0 if there was none.
    @usableFromInline var generation: UInt32
    /// In the catalog's bytes.
    @usableFromInline var list: UInt32
    @usableFromInline var listByteCount: UInt32
    /// The places that are shown.
    @usableFromInline var shown: UInt16
    @usableFromInline var app: AppID
    @usableFromInline var count: UInt8
    /// The carried ones come first.
    @usableFromInline var carriedCount: UInt8

    @usableFromInline static var none: KindFields {
        KindFields(
            generation: 0,
            list: ByteArena.none,
            listByteCount: 0,
            shown: 0,
            app: 0,
            count: 0,
            carriedCount: 0
        )
    }

    /// The places that are carried.
    @inlinable @inline(__always)
    var carried: UInt16 { UInt16(truncatingIfNeeded: 1 << UInt32(carriedCount) &- 1) }

    /// The key of a carried field as RELOAD has it, from the kind's list.
    @unsafe @inline(__always)
    func key(at place: Int, in list: UnsafeRawPointer) -> ByteView {
        assert(place < carriedCount)
        let ends = unsafe list + Int(count) * 4
        let start =
            place == 0
            ? 0 : unsafe ends.loadUnaligned(fromByteOffset: place * 2 - 2, as: UInt16.self)
        let end = unsafe ends.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self)
        let keys = unsafe ends + Int(carriedCount) * 2
        return unsafe ByteView(base: keys + Int(start), count: Int(end) - Int(start))
    }
}
