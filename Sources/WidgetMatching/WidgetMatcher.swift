package import ByteStorage
package import ReloadModel
internal import StrictJSON

/// A widget that a push concerns.
package struct WidgetMatch: BitwiseCopyable, Equatable {
    package let widget: WidgetID
    /// What the push was queued with.
    package let tag: UInt32
}

/// Finds the widgets that a push concerns, among any number.
///
/// A widget is stored in the index under one condition of its kind's rule, by each value that its
/// configuration allows there; so a push is compared with nothing but what waits for one of its own
/// values. Which condition that is, is chosen when the widget comes: one that depends on the
/// configuration, and among those the one with the fewest widgets under the same values. The other
/// conditions are checked on the few candidates.
///
/// Pushes are queued and matched in batches: one push's cache misses overlap with the next one's.
package struct WidgetMatcher: ~Copyable {
    /// Pushes after which `matchQueued` should be called.
    package static var batchLimit: Int { 32 }
    /// Most parameters of a configuration.
    package static var parameterLimit: Int { 64 }
    /// Longest configuration, in bytes of JSON.
    package static var configurationLimit: Int { 16 << 10 }

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
        package let rule: MatchRule?

        package init(kind: KindID, name: String, rule: MatchRule?) {
            self.kind = kind
            self.name = name
            self.rule = rule
        }
    }

    /// A kind that is installed.
    struct InstalledKind {
        var app: AppID
        var name: String
        var rule: MatchRule?
    }

    /// A stored widget: its parameters, and where it stands in the index.
    struct StoredWidget: BitwiseCopyable {
        static var freeKind: KindID { KindID.max }

        /// The configuration, in `configurations`.
        var configuration: UInt32
        var configurationCount: UInt32
        /// With one link: its key and position.
        ///
        /// With more: the block of links, in `configurations`, and nothing. See `Link`.
        var key: UInt32 = 0
        var position: UInt32 = 0
        /// In how many posting lists the widget stands.
        var linkCount: UInt32 = 0
        var kind: KindID
        /// Whether the widget has taken its parameters' names into use as fields.
        var usesFields = false
        /// The condition that the links are of: it needs no other check.
        var condition: UInt8 = 0
    }

    var reader: PayloadReader
    var index: KeyIndex
    var widgets = Slab<StoredWidget>()
    var configurations = ByteArena()
    var kinds: [InstalledKind?] = []
    var rules = CompiledRules()
    /// Where the values of a widget's conditions, and the links to them, are put together.
    var values = GrowingBuffer<FieldValue>(capacity: 256)
    var links = GrowingBuffer<Link>(capacity: 64)
    private var scanner: JSONScanner
    private var encoder = ConfigurationEncoder()
    /// Per field value of the batch: the slot in the index that may hold it, or -1.
    var candidates = GrowingBuffer<Int>(capacity: 256)
    /// What the last `matchQueued` found.
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)

    /// - Parameter seed: drawn at start, so that nobody outside can choose values that collide.
    package init(seed: UInt64) {
        reader = PayloadReader(seed: seed)
        index = KeyIndex(seed: seed)
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, seed: seed)
    }

    /// Pushes that wait for `matchQueued`.
    package var queuedCount: Int { reader.pushes.count }

    package var widgetCount: Int { widgets.count }

    /// Bytes held from the system, used or not.
    package var byteCount: Int {
        index.byteCount + widgets.byteCount + configurations.byteCount + reader.byteCount
            + rules.byteCount + candidates.byteCount + matches.byteCount + values.byteCount
            + links.byteCount
    }

    // MARK: - Widgets

    /// Stores a widget.
    ///
    /// - Parameters:
    ///   - kind: its kind; it need not be installed (the widget then matches nothing until it is).
    ///   - configuration: a JSON object that the scanner has accepted.
    /// - Throws: what is wrong, and where.
    /// - Returns: the widget's number, valid until it is removed.
    package mutating func insert(
        kind: KindID,
        configuration: ByteView
    ) throws(ConfigurationError) -> WidgetID {
        precondition(queuedCount == 0, "pushes are being matched")
        // First without names: what is refused must leave none behind.
        try encoder.encode(configuration) { _ in NameTable.none }
        try encoder.encode(configuration) { name in reader.vocabulary.names.acquire(name) }
        let stored = encoder.bytes.withByteView { configurations.store($0) }
        let widget = widgets.insert(
            StoredWidget(
                configuration: stored,
                configurationCount: UInt32(encoder.bytes.count),
                kind: kind
            )
        )
        precondition(widget < Posting.widgetLimit, "the matcher holds fewer than 2^27 widgets")
        link(widget)
        return widget
    }

    /// Removes a widget; its memory and number are used again.
    package mutating func remove(_ widget: WidgetID) {
        precondition(queuedCount == 0, "pushes are being matched")
        unlink(widget)
        var parameters = configuration(of: widget).parameters
        while let parameter = parameters.next() {
            reader.vocabulary.names.release(parameter.name)
        }
        let record = widgets[widget]
        configurations.free(record.configuration, Int(record.configurationCount))
        widgets[widget].kind = StoredWidget.freeKind
        widgets.remove(widget)
    }

    /// Says what `insert` would throw, and stores nothing.
    package static func check(configuration: ByteView) throws(ConfigurationError) {
        var encoder = ConfigurationEncoder()
        try encoder.encode(configuration) { _ in 0 }
    }

    /// Whether the widget was stored with this kind and, parameter by parameter, this configuration.
    package mutating func hasConfiguration(
        _ widget: WidgetID,
        kind: KindID,
        equalTo configuration: ByteView
    ) -> Bool {
        if widgets[widget].kind != kind { return false }
        do throws(ConfigurationError) {
            try encoder.encode(configuration) { name in reader.vocabulary.names.find(name) }
        } catch {
            return false
        }
        let stored = self.configuration(of: widget).bytes
        return encoder.bytes.withByteView { $0 == stored }
    }

    package func kind(of widget: WidgetID) -> KindID { widgets[widget].kind }

    func configuration(of widget: WidgetID) -> Configuration {
        let record = widgets[widget]
        return Configuration(
            bytes: configurations.view(record.configuration, Int(record.configurationCount))
        )
    }

    // MARK: - Pushes

    /// Scans a payload and adds it to the batch.
    ///
    /// A refused payload leaves the batch as it was.
    ///
    /// - Parameters:
    ///   - app: whose widgets it is for.
    ///   - payload: must stay valid until `matchQueued`.
    ///   - tag: comes back with each match.
    /// - Throws: what is wrong, and where.
    package mutating func enqueue(
        app: AppID,
        payload: ByteView,
        tag: UInt32
    ) throws(PayloadError) {
        precondition(reader.pushes.count < 256, "a batch has at most 255 pushes")
        reader.begin(app, payload)
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try scanner.scan(payload, into: &reader)
        } catch {
            reader.abandon()
            throw .json(error)
        }
        let first = candidates.count
        guard reader.finish(tag) else { throw .kinds }
        for position in first..<reader.fields.count {
            index.prefetch(reader.fields[position].hash)
            candidates.append(-1)
        }
    }

    /// Empties the batch; the matches stay.
    mutating func resetBatch() {
        reader.reset()
        candidates.truncate(to: 0)
    }
}
