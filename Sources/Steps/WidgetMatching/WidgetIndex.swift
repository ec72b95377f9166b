internal import Basics

/// The stored widgets, and the tables by which pushes find them. `WidgetMatcher` owns it.
///
///     configuration ─► values ─► shape ─► keys ─► postings          when a widget is stored
///     push ─► vocabulary ─► spaces ─► keys ─► postings ─► widgets   when widgets are searched
///
/// It changes only when widgets or kinds do, between batches; a search borrows it. The only thing
/// that a search writes into it is the number of the last push that found a widget, beside the
/// widget's links.
///
/// The tables are boxed, so that borrowing the index passes one pointer.
package struct WidgetIndex: ~Copyable {
    /// The tables themselves; `WidgetIndex` only refers to them.
    struct Tables: ~Copyable {
        var values: ValueTable
        var spaces: KeySpaces
        var vocabulary: Vocabulary
        var keys = KeyTable()
        var shapes: Shapes
        var regexes = RegexTable()
        var widgets = Slab<WidgetID, StoredWidget>()
        /// Blocks of values of widgets with several parameters, and blocks of links.
        var configurations = ByteArena()
        /// Installed kinds by `KindID`; nil where none is installed.
        var kinds = NumberedArray<KindID, InstalledKind?>()
        var storedCosts = StoredCosts()
        /// The number of widgets whose kind is not installed, which match nothing.
        var undeclaredCount = 0
        /// See `WidgetIndex.relinkedAtOnce`.
        var relinkedAtOnce = 4_096
        /// The widget at which `WidgetIndex.relink` continues.
        var nextRelinked = WidgetID(rawValue: 0)
        /// See `WidgetIndex.haveKindsPatterns`.
        var haveKindsPatterns = false
        /// How often compiled rules have each text test of their own.
        var ruleTests: [RuleTest: Int] = [:]
        /// See `WidgetIndex.setPatternLoad`; only as long as some widget has patterns.
        var patternLoads = NumberedArray<WidgetID, UInt16>()
        /// See `WidgetIndex.combinationCount`.
        var combinationCount = 0
        /// Memory for the widget that is being stored.
        var draft = WidgetDraft()
        /// The key space whose keys are kinds (`KeyForm.named`).
        let namedSpace: SpaceID
    }

    var tables: Boxed<Tables>

    init(hashKey: HashKey, product: ProductHash) {
        var vocabulary = Vocabulary(hashKey: hashKey, product: product)
        var spaces = KeySpaces(product)
        let namedSpace = spaces.acquire(KeySpace(form: .named), in: &vocabulary)
        tables = Boxed(
            Tables(
                values: ValueTable(product),
                spaces: spaces,
                vocabulary: vocabulary,
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
        @inline(__always) _read { yield tables.value.vocabulary }
        @inline(__always) _modify { yield &tables.value.vocabulary }
    }

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

    var widgets: Slab<WidgetID, StoredWidget> {
        @inline(__always) _read { yield tables.value.widgets }
        @inline(__always) _modify { yield &tables.value.widgets }
    }

    var configurations: ByteArena {
        @inline(__always) _read { yield tables.value.configurations }
        @inline(__always) _modify { yield &tables.value.configurations }
    }

    var kinds: NumberedArray<KindID, InstalledKind?> {
        @inline(__always) _read { yield tables.value.kinds }
        @inline(__always) _modify { yield &tables.value.kinds }
    }

    var storedCosts: StoredCosts {
        @inline(__always) _read { yield tables.value.storedCosts }
        @inline(__always) _modify { yield &tables.value.storedCosts }
    }

    /// The number of widgets whose kind is not installed, which match nothing.
    package internal(set) var undeclaredCount: Int {
        @inline(__always) get { tables.value.undeclaredCount }
        @inline(__always) set { tables.value.undeclaredCount = newValue }
    }

    /// The combinations of widgets' values for which keys were considered or made so far: what
    /// storing widgets has cost, besides their values.
    package internal(set) var combinationCount: Int {
        @inline(__always) get { tables.value.combinationCount }
        @inline(__always) set { tables.value.combinationCount = newValue }
    }

    /// Whether the rules of some kinds use parameters as patterns.
    package internal(set) var haveKindsPatterns: Bool {
        get { tables.value.haveKindsPatterns }
        set { tables.value.haveKindsPatterns = newValue }
    }

    /// The most widgets that are stored when all of a kind are linked to other keys at once,
    /// because its rule has changed.
    ///
    /// Beyond: its shapes get successors, and the widgets move some at a time.
    package var relinkedAtOnce: Int {
        get { tables.value.relinkedAtOnce }
        set { tables.value.relinkedAtOnce = newValue }
    }

    var draft: WidgetDraft {
        @inline(__always) _read { yield tables.value.draft }
        @inline(__always) _modify { yield &tables.value.draft }
    }

    @inline(__always)
    var namedSpace: SpaceID { tables.value.namedSpace }

    // MARK: - Size

    /// The number of stored widgets, whether their kinds are installed or not.
    package var widgetCount: Int { widgets.count }

    /// The number of distinct values of widgets and rules.
    package var valueCount: Int { values.count }

    /// The number of keys under which widgets are stored.
    package var keyCount: Int { keys.count }

    /// Bytes allocated, used or not, without regular expressions.
    ///
    /// - Complexity: O(1).
    var byteCount: Int {
        keyByteCount + widgets.byteCount + configurations.byteCount + vocabulary.byteCount
            + shapes.byteCount + draft.byteCount + tables.value.patternLoads.count * 2
    }

    /// The part of `byteCount` that holds values, keys and postings.
    package var keyByteCount: Int { values.byteCount + keys.byteCount + spaces.byteCount }

    /// Bytes of the largest arena. An arena traps when it reaches `ByteArena.limit`.
    package var largestArena: Int {
        max(
            max(values.records.byteCount, configurations.byteCount),
            max(keys.largestArena, shapes.arenaByteCount, vocabulary.names.arenaByteCount)
        )
    }
}

/// What changes several tables.
extension WidgetIndex.Tables {
    /// The number of the space, created if it is new, with one more reference.
    mutating func acquire(_ space: KeySpace) -> SpaceID {
        spaces.acquire(space, in: &vocabulary)
    }

    /// Releases a reference to a space.
    mutating func release(_ space: SpaceID) { spaces.release(space, in: &vocabulary) }

    /// Adds a reference to the regular expression in a value; compiles it if it is new.
    mutating func acquireRegex(_ value: ValueID) { regexes.acquire(value, in: values) }

    /// Releases a reference to the regular expression in a value.
    mutating func releaseRegex(_ value: ValueID) { regexes.release(value, in: values) }

    /// Compiles a kind's rule; for a kind without one, an equality for each of the parameter names.
    mutating func compile(
        _ kind: InstalledKind,
        names: [NameID],
        with compiler: inout PatternCompiler
    ) {
        if let rule = kind.rule {
            compiler.compile(rule, of: kind.app, vocabulary: &vocabulary, values: &values)
        } else {
            compiler.compileParameters(names, of: kind.app, vocabulary: &vocabulary)
        }
    }

    /// Releases what a compiled rule refers to.
    mutating func release(_ program: PatternProgram) {
        PatternCompiler.release(program, vocabulary: &vocabulary, values: &values)
    }
}
