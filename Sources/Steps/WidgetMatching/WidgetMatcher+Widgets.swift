package import DataStructures
package import ReloadModel

/// Changing what is stored.
extension WidgetMatcher {
    /// Widgets change only between batches, of pushes or of widgets that are restored.
    func requireIdle() {
        precondition(queuedCount == 0, "pushes are being matched")
        precondition(restored.count == 0, "widgets are being restored")
    }

    /// Replaces all kinds and rules.
    ///
    /// Widgets of kinds whose rule changed are indexed anew; those of kinds that are gone stay
    /// stored, and match nothing until the kind is back. Costs a pass over all widgets if anything
    /// changed.
    package mutating func install(apps: [App]) {
        requireIdle()
        index.install(apps: apps, &search.value.keySampler.hotKeys)
    }

    /// Stores a widget.
    ///
    /// - Parameters:
    ///   - kind: its kind; it need not be installed (the widget then matches nothing until it is).
    ///   - json: its configuration, a JSON object that the scanner has accepted.
    /// - Throws: what is wrong, and where.
    /// - Returns: the widget's number, valid until it is removed.
    package mutating func insert(
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) -> WidgetID {
        requireIdle()
        try index.draft.configuration.read(json)
        return index.insert(kind)
    }

    /// Gives a widget another kind or configuration; it keeps its number.
    ///
    /// No push ever sees the widget without either.
    ///
    /// - Throws: what is wrong, and where; the widget is then what it was.
    package mutating func replace(
        _ widget: WidgetID,
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) {
        requireIdle()
        try index.draft.configuration.read(json)
        index.replace(widget, kind, &search.value.keySampler.hotKeys)
    }

    /// Removes a widget; its memory and number are used again.
    package mutating func remove(_ widget: WidgetID) {
        requireIdle()
        index.remove(widget, &search.value.keySampler.hotKeys)
    }

    /// Says what `insert` would throw, and stores nothing.
    package static func check(configuration json: ByteView) throws(ConfigurationError) {
        var reader = ConfigurationReader()
        try reader.read(json)
    }

    /// Says what a widget would cost, and stores nothing.
    ///
    /// - Parameters:
    ///   - kind: its kind.
    ///   - json: its configuration, a JSON object that the scanner has accepted.
    /// - Returns: the cost.
    /// - Throws: what `insert` would throw.
    package mutating func cost(
        ofKind kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) -> WidgetCost {
        try index.draft.configuration.read(json)
        return index.cost(ofKind: kind)
    }

    /// Whether the widget was stored with this kind and configuration, in whatever order.
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
        return index.hasConfiguration(widget, kind)
    }
}
