package import ByteStorage
package import ReloadModel
internal import RouterMetrics
internal import StrictJSON
internal import Synchronization

/// A widget that a push concerns.
package struct WidgetMatch: BitwiseCopyable, Equatable {
    package let widget: WidgetID
    /// What the push was queued with.
    package let tag: UInt32

    package init(widget: WidgetID, tag: UInt32) {
        self.widget = widget
        self.tag = tag
    }
}

/// Finds the widgets that a push concerns, among any number.
///
///     payload ─► fields ─► probes ─► keys ─► postings ─► checks ─► matches
///
/// Widgets of one kind with the same parameters are of one *shape*: the kind's rule, compiled once.
/// They differ in values, and a widget is stored under keys made of its values: under all the
/// equalities of its rule at once if it has some, else under what its ranges, prefixes and so on can
/// be found by (`KeyForm`). So a push is compared with nothing but what waits for one of its own
/// values; conditions that the key does not decide are checked on the few candidates.
///
/// Pushes are queued and matched in batches: one push's cache misses overlap with the next one's.
package struct WidgetMatcher: ~Copyable {
    /// What the texts of a batch may cost, in units of `WorkCost`; see `isBatchFull`.
    static var batchTextLimit: Int { 500_000 }
    /// Pushes after which `matchQueued` should be called, at the latest; see `isBatchFull`.
    package static var batchLimit: Int { 32 }
    /// Most parameters of a configuration.
    package static var parameterLimit: Int { 64 }
    /// Longest configuration, in bytes of JSON.
    package static var configurationLimit: Int { 16 << 10 }
    /// Most keys under which one push may look for widgets: lists in a payload multiply when a
    /// rule asks for several of them, and of a text every four bytes may be looked for.
    ///
    /// Beyond: the push is refused.
    package static var probeLimit: Int { RouterLimits.combinations }
    /// Keys to look for after which `matchQueued` should be called, however few the pushes.
    private static var batchProbeLimit: Int { 1 << 13 }

    /// An app's kinds, as `install` takes them.
    package struct App {
        package let app: AppID
        package let kinds: [Kind]

        package init(app: AppID, kinds: [Kind]) {
            self.app = app
            self.kinds = kinds
        }
    }

    /// A kind and its rule, as `install` takes them.
    package struct Kind {
        package let kind: KindID
        package let name: String
        package let rule: EventPattern?

        package init(kind: KindID, name: String, rule: EventPattern?) {
            self.kind = kind
            self.name = name
            self.rule = rule
        }
    }

    /// A kind that is installed.
    struct InstalledKind {
        var app: AppID
        var name: String
        var rule: EventPattern?
    }

    /// A stored widget: its values, and where it stands among the keys.
    struct StoredWidget: BitwiseCopyable {
        /// The `position` of a widget under several keys, of which `key` is the block then.
        static var linkedManyTimes: UInt32 { UInt32.max }
        /// The `position` of a widget under no key.
        static var notLinked: UInt32 { UInt32.max - 1 }

        /// `Shape.none` if the widget was removed.
        var shape: ShapeID
        /// With one parameter: its value.
        ///
        /// With more: the block of them, in `configurations`.
        var values: UInt32
        /// With one key: the key and the position among its postings.
        ///
        /// With more: the block of links, in `configurations`, and `linkedManyTimes`.
        var key: UInt32 = ByteArena.none
        var position: UInt32 = notLinked
    }

    var reader: PayloadReader
    var values: ValueTable
    var spaces: KeySpaces
    var keys = KeyTable()
    var shapes: Shapes
    var regexes = RegexTable()
    var widgets = Slab<StoredWidget>()
    var configurations = ByteArena()
    var kinds: [InstalledKind?] = []
    var storedCosts = StoredCosts()
    /// The space of keys that are kinds.
    let namedSpace: SpaceID
    var scanner: JSONScanner

    // What is put together while a widget is stored.
    var configuration = ConfigurationReader()
    var links = GrowingBuffer<Link>(capacity: 64)
    var keyWords = GrowingBuffer<UInt32>(capacity: 64)
    let foldBuffer = FoldBuffer()
    var restored = RestoreBatch()

    /// Never read: what it is there for is that a struct with an atomic in it has an address.
    ///
    /// Without one, Swift passes the matcher by value, and copies one and a half kilobytes to call a
    /// function that only asks something.
    private let address = Atomic<Bool>(false)

    // The batch.
    var probes = GrowingBuffer<Probe>(capacity: 512)
    /// The fields of combinations, for pushes with too many to say so in a probe.
    var combinedFields = GrowingBuffer<UInt32>(capacity: 16)
    var cursor = MatchCursor()
    /// What is spent on matching, condition by condition.
    let meter = ConditionMeter()
    var textAnswers = TextAnswers()
    /// What the last `matchQueued` has cost, in units of `WorkCost`.
    package internal(set) var spentWork = 0
    /// What conditions will cost at most that read the texts of the queued pushes as a whole.
    var queuedTextWork = 0
    /// What the last `enqueue` has cost, in units of `WorkCost`, also if it refused the push.
    package internal(set) var enqueueWork = 0
    /// What the last `matchQueued` found.
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)

    /// Keys by which pushes have found widgets.
    var hotKeys = HotKeys()
    /// One push in so many and one is looked at for them: a power of two less one.
    var keyMask: UInt64 = 0
    /// How many keys have been counted since that was last chosen.
    var countedKeys: UInt64 = 0

    /// - Parameters:
    ///   - hashKey: so that nobody outside can choose names or values that collide. What matches, and
    ///     in which order, does not depend on it.
    ///   - narrowsByKinds: whether the payload's member `kinds` narrows a push.
    package init(hashKey: HashKey, narrowsByKinds: Bool = true) {
        let product = ProductHash(hashKey)
        var reader = PayloadReader(hashKey, product, narrowsByKinds: narrowsByKinds)
        var spaces = KeySpaces(product)
        namedSpace = spaces.acquire(KeySpace(form: .named), &reader.vocabulary)
        self.reader = reader
        self.spaces = spaces
        values = ValueTable(product)
        shapes = Shapes(product)
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
    }

    /// Pushes that wait for `matchQueued`.
    package var queuedCount: Int { reader.pushes.count }

    /// Whether `matchQueued` should be called before another push is queued.
    package var isBatchFull: Bool {
        reader.pushes.count >= Self.batchLimit || probes.count >= Self.batchProbeLimit
            || queuedTextWork >= Self.batchTextLimit
    }

    package var widgetCount: Int { widgets.count }

    /// Widgets change only between batches, of pushes or of widgets that are restored.
    func requireIdle() {
        precondition(queuedCount == 0, "pushes are being matched")
        precondition(restored.count == 0, "widgets are being restored")
    }

    /// Bytes held from the system, used or not.
    ///
    /// - Complexity: in proportion to the regular expressions.
    package var byteCount: Int { tableByteCount + regexes.byteCount }

    /// The same without regular expressions.
    ///
    /// - Complexity: O(1).
    package var tableByteCount: Int {
        indexByteCount + widgets.byteCount + configurations.byteCount + reader.byteCount
            + shapes.byteCount + probes.byteCount
            + combinedFields.byteCount + matches.byteCount
            + links.byteCount + keyWords.byteCount + foldBuffer.byteCount
    }

    /// Of `byteCount`, what holds values, keys and postings; the rest holds widgets and batches.
    package var indexByteCount: Int { values.byteCount + keys.byteCount + spaces.byteCount }

    /// Bytes that the largest of the arenas holds, each of which traps at `ByteArena.limit`.
    package var largestArena: Int {
        max(
            max(values.records.byteCount, configurations.byteCount),
            max(keys.largestArena, shapes.arenaByteCount, reader.vocabulary.names.arenaByteCount)
        )
    }

    // MARK: - Pushes

    /// Scans a payload and adds it to the batch.
    ///
    /// A refused payload leaves the batch as it was.
    ///
    /// - Parameters:
    ///   - app: whose widgets it is for.
    ///   - payload: must stay valid until `matchQueued` has returned once.
    ///   - tag: comes back with each match.
    /// - Throws: what is wrong, and where.
    package mutating func enqueue(
        app: AppID,
        payload: ByteView,
        tag: UInt32
    ) throws(PayloadError) {
        precondition(!cursor.isActive, "the last batch is not finished")
        assert(restored.count == 0, "widgets are being restored")
        reader.begin(app, payload)
        enqueueWork = payload.count * WorkCost.scannedByte
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try scanner.scan(payload, into: &reader)
        } catch {
            reader.abandon()
            throw .json(error)
        }
        let first = probes.count
        let firstCombined = combinedFields.count
        do throws(PayloadError) {
            try addPush(tag)
        } catch {
            probes.truncate(to: first)
            combinedFields.truncate(to: firstCombined)
            reader.abandon()
            throw error
        }
    }

    /// Adds the push that was read to the batch.
    ///
    /// - Throws: why it is refused.
    @inline(__always)
    private mutating func addPush(_ tag: UInt32) throws(PayloadError) {
        defer { enqueueWork += reader.readCount * WorkCost.field }
        var push = try reader.finish(tag)
        let first = probes.count
        let left = addProbes(push)
        enqueueWork += (Self.probeLimit - (left ?? 0)) * WorkCost.look
        if left == nil { throw .tooManyProbes }
        if reader.longTextByteCount > 0 { try checkTexts(push, first) }
        push.probes = PayloadReader.Span(first, probes.count)
        reader.pushes.append(push)
    }
}
