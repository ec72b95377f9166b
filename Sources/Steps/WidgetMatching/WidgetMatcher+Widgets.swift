package import Basics

/// Storing, replacing and removing widgets, and installing kinds.
extension WidgetMatcher {
    /// Traps if a batch is in progress, of pushes or of widgets being restored.
    func requireIdle() {
        precondition(queuedCount == 0, "pushes are being matched")
        precondition(restored.count == 0, "widgets are being restored")
    }

    /// Replaces all kinds and rules.
    ///
    /// Widgets of kinds whose rule changed are indexed again. Widgets of removed kinds stay stored
    /// and match nothing until the kind is installed again. Costs one pass over all widgets if
    /// anything changed.
    package mutating func install(apps: [App]) {
        requireIdle()
        index.install(apps: apps, updating: &search.value.keySampler.hotKeys)
    }

    /// Replaces the rules of some kinds, and removes others; see `install`. Kinds that are in
    /// neither list stay as they are. If there are many widgets, those of kinds whose rules change
    /// move some at a time (`relink`), and match by the former rules until then.
    package mutating func change(installing apps: [App], removing removed: [KindID]) {
        requireIdle()
        index.change(
            installing: apps,
            removing: removed,
            updating: &search.value.keySampler.hotKeys
        )
    }

    /// Whether some widgets still match by former rules of their kinds.
    package var isRelinking: Bool { index.isRelinking }

    /// Whether widgets may change now: no push is being matched.
    package var isIdle: Bool { !isMatching && queuedCount == 0 }

    /// Lets further widgets match by the present rules of their kinds.
    ///
    /// - Parameter most: the work after which no further widget is looked at, in units of
    ///   `WorkCost`.
    /// - Returns: the work that was done.
    package mutating func relink(work most: Int) -> Int {
        requireIdle()
        return index.relink(work: most, updating: &search.value.keySampler.hotKeys)
    }

    /// Stores a widget.
    ///
    /// - Parameters:
    ///   - kind: its kind; a widget whose kind is not installed matches nothing until it is.
    ///   - json: its configuration, a JSON object that the scanner has accepted.
    /// - Throws: what is wrong, and with which parameter.
    /// - Returns: the widget's number, valid until the widget is removed.
    package mutating func insert(
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) -> WidgetID {
        requireIdle()
        try index.draft.configuration.read(json)
        return index.insert(kind)
    }

    /// Replaces a widget's kind and configuration; the widget keeps its number.
    ///
    /// Every push is matched against either the old kind and configuration or the new ones.
    ///
    /// - Throws: what is wrong, and with which parameter; the widget is unchanged then.
    package mutating func replace(
        _ widget: WidgetID,
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) {
        requireIdle()
        try index.draft.configuration.read(json)
        index.replace(widget, kind: kind, updating: &search.value.keySampler.hotKeys)
    }

    /// Removes a widget; its memory and number are reused.
    package mutating func remove(_ widget: WidgetID) {
        requireIdle()
        index.remove(widget, updating: &search.value.keySampler.hotKeys)
    }

    /// Sets the weighted patterns of all widgets of a widget's device. They decide which widgets
    /// are left out of a push that would read too much.
    package mutating func setPatternLoad(of widget: WidgetID, to count: Int) {
        requireIdle()
        index.setPatternLoad(of: widget, to: count)
    }

    /// Checks a configuration, a JSON value that the scanner has accepted; stores nothing.
    ///
    /// - Throws: what `insert` would throw.
    package static func check(configuration json: ByteView) throws(ConfigurationError) {
        var reader = ConfigurationReader()
        try reader.read(json)
    }

    /// The cost that storing a widget would add, in bytes as `StoredCost` counts them; stores
    /// nothing, and throws what `insert` would throw.
    package mutating func cost(
        ofKind kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) -> WidgetCost {
        try index.draft.configuration.read(json)
        return index.cost(ofKind: kind)
    }

    /// Whether the widget is stored with this kind and configuration; the order of parameters is
    /// ignored.
    package mutating func hasConfiguration(
        _ widget: WidgetID,
        kind: KindID,
        equalTo json: ByteView
    ) -> Bool {
        do throws(ConfigurationError) {
            try index.draft.configuration.read(json)
        } catch {
            return false
        }
        return index.hasConfiguration(widget, kind: kind)
    }
}
