internal import DataStructures
internal import ReloadModel

/// The widgets that are stored, and what pushes find them by.
///
///     configuration ─► values ─► shape ─► keys ─► postings          written when a widget is stored
///     push ─► vocabulary ─► spaces ─► keys ─► postings ─► widgets   read when one is looked for
///
/// It changes only when widgets or kinds do, between batches: a search borrows it. The one thing that
/// a search leaves in it is the number of the last push that met a widget, beside the widget's links.
///
/// The tables lie in a box, so that what is borrowed is a pointer.
package struct WidgetIndex: ~Copyable {
    struct Tables: ~Copyable {
        var values: ValueTable
        var spaces: KeySpaces
        /// In a box of its own, because who scans payloads keeps its address.
        var vocabulary: Boxed<Vocabulary>
        var keys = KeyTable()
        var shapes: Shapes
        var regexes = RegexTable()
        var widgets = Slab<StoredWidget>()
        /// Blocks of values, and of links.
        var configurations = ByteArena()
        var kinds: [InstalledKind?] = []
        var storedCosts = StoredCosts()
        var draft = WidgetDraft()
        /// The space of keys that are kinds.
        let namedSpace: SpaceID
    }

    private var tables: Boxed<Tables>

    init(_ hashKey: HashKey, _ product: ProductHash) {
        var vocabulary = Vocabulary(hashKey, product)
        var spaces = KeySpaces(product)
        let namedSpace = spaces.acquire(KeySpace(form: .named), &vocabulary)
        tables = Boxed(
            Tables(
                values: ValueTable(product),
                spaces: spaces,
                vocabulary: Boxed(vocabulary),
                shapes: Shapes(product),
                namedSpace: namedSpace
            )
        )
    }

    // MARK: - Tables

    var values: ValueTable {
        @inline(__always) _read { yield tables.value.values }
        @inline(__always) _modify { yield &tables.value.values }
    }

    var spaces: KeySpaces {
        @inline(__always) _read { yield tables.value.spaces }
        @inline(__always) _modify { yield &tables.value.spaces }
    }

    var vocabulary: Vocabulary {
        @inline(__always) _read { yield tables.value.vocabulary.value }
        @inline(__always) _modify { yield &tables.value.vocabulary.value }
    }

    /// Where the vocabulary lies as long as the index lives.
    @unsafe
    var vocabularyAddress: UnsafePointer<Vocabulary> { unsafe tables.value.vocabulary.address }

    var keys: KeyTable {
        @inline(__always) _read { yield tables.value.keys }
        @inline(__always) _modify { yield &tables.value.keys }
    }

    var shapes: Shapes {
        @inline(__always) _read { yield tables.value.shapes }
        @inline(__always) _modify { yield &tables.value.shapes }
    }

    var regexes: RegexTable {
        @inline(__always) _read { yield tables.value.regexes }
        @inline(__always) _modify { yield &tables.value.regexes }
    }

    var widgets: Slab<StoredWidget> {
        @inline(__always) _read { yield tables.value.widgets }
        @inline(__always) _modify { yield &tables.value.widgets }
    }

    var configurations: ByteArena {
        @inline(__always) _read { yield tables.value.configurations }
        @inline(__always) _modify { yield &tables.value.configurations }
    }

    var kinds: [InstalledKind?] {
        @inline(__always) _read { yield tables.value.kinds }
        @inline(__always) _modify { yield &tables.value.kinds }
    }

    var storedCosts: StoredCosts {
        @inline(__always) _read { yield tables.value.storedCosts }
        @inline(__always) _modify { yield &tables.value.storedCosts }
    }

    var draft: WidgetDraft {
        @inline(__always) _read { yield tables.value.draft }
        @inline(__always) _modify { yield &tables.value.draft }
    }

    @inline(__always)
    var namedSpace: SpaceID { tables.value.namedSpace }

    // MARK: - What changes several tables

    /// The space, with one reference more.
    mutating func acquireSpace(_ space: KeySpace) -> SpaceID { tables.value.acquire(space) }

    /// Takes back a reference to a space.
    mutating func releaseSpace(_ space: SpaceID) { tables.value.release(space) }

    /// Compiles the expression that a value is, or counts one reference more to it.
    mutating func acquireRegex(_ value: ValueID) { tables.value.acquireRegex(value) }

    /// Takes back a reference to the expression that a value is.
    mutating func releaseRegex(_ value: ValueID) { tables.value.releaseRegex(value) }

    /// Compiles a kind's rule, or without one a condition for each of the names.
    mutating func compile(
        _ kind: InstalledKind,
        _ names: [NameID],
        with compiler: inout PatternCompiler
    ) {
        tables.value.compile(kind, names, with: &compiler)
    }

    /// Takes back what a compiled rule refers to.
    mutating func release(_ program: PatternProgram) { tables.value.release(program) }

    // MARK: - Size

    package var widgetCount: Int { widgets.count }

    /// How many different values widgets and rules have.
    package var valueCount: Int { values.count }

    /// How many keys widgets stand under.
    package var keyCount: Int { keys.count }

    /// Bytes held from the system, used or not, without regular expressions.
    ///
    /// - Complexity: O(1).
    var byteCount: Int {
        keyByteCount + widgets.byteCount + configurations.byteCount + vocabulary.byteCount
            + shapes.byteCount + draft.byteCount
    }

    /// Of `byteCount`, what holds values, keys and postings.
    package var keyByteCount: Int { values.byteCount + keys.byteCount + spaces.byteCount }

    /// Bytes that the largest of the arenas holds, each of which traps at `ByteArena.limit`.
    package var largestArena: Int {
        max(
            max(values.records.byteCount, configurations.byteCount),
            max(keys.largestArena, shapes.arenaByteCount, vocabulary.names.arenaByteCount)
        )
    }
}

extension WidgetIndex.Tables {
    fileprivate mutating func acquire(_ space: KeySpace) -> SpaceID {
        spaces.acquire(space, &vocabulary.value)
    }

    fileprivate mutating func release(_ space: SpaceID) {
        spaces.release(space, &vocabulary.value)
    }

    fileprivate mutating func acquireRegex(_ value: ValueID) { regexes.acquire(value, values) }

    fileprivate mutating func releaseRegex(_ value: ValueID) { regexes.release(value, values) }

    fileprivate mutating func compile(
        _ kind: InstalledKind,
        _ names: [NameID],
        with compiler: inout PatternCompiler
    ) {
        if let rule = kind.rule {
            compiler.compile(rule, of: kind.app, &vocabulary.value, &values)
        } else {
            compiler.compileParameters(names, of: kind.app, &vocabulary.value)
        }
    }

    fileprivate mutating func release(_ program: PatternProgram) {
        PatternCompiler.release(program, &vocabulary.value, &values)
    }
}
