package import ByteStorage
package import ReloadModel
internal import StrictJSON

/// Widgets that come back after a restart, each with the number that it had.
///
///     read ─► values ─► shape ─► key ─► postings
///        └─ asks for the values'   └─ asks for the keys'
///           places in memory          places in memory
///
/// Their values and keys lie anywhere in tables that no cache holds. So widgets are stored in
/// batches, each step for all of a batch before the next: the waits for memory overlap, as those of
/// pushes do.
extension WidgetMatcher {
    /// Longest configuration that is restored.
    ///
    /// What was accepted can become longer when it is written by `writeConfiguration`: at most four
    /// times as long, for a list of numbers such as 1e18.
    package static var restoredConfigurationLimit: Int { configurationLimit * 4 }

    /// Makes room for as many different values and keys as there will be.
    ///
    /// Then no table grows while widgets are restored. The numbers are those of `valueCount` and `keyCount`; others do no harm.
    package mutating func reserve(values valueCount: Int, keys keyCount: Int) {
        values.reserve(valueCount)
        keys.reserve(keyCount)
    }

    /// How many different values widgets and rules have.
    package var valueCount: Int { values.count }

    /// How many keys widgets stand under.
    package var keyCount: Int { keys.count }

    /// Whether there could be a widget of this number, and is none.
    package func isFree(_ widget: WidgetID) -> Bool {
        widget < Posting.widgetLimit && !widgets.isInUse(widget)
    }

    /// Stores a widget at a number that is free.
    ///
    /// It can be found only after `finishRestoring`, which must be called before anything else is
    /// asked of the matcher.
    ///
    /// - Parameters:
    ///   - widget: its number; numbers below that are not restored are free.
    ///   - kind: its kind.
    ///   - json: what `writeConfiguration` has written; any other bytes are checked as well.
    /// - Throws: what is wrong, and where; nothing is stored then.
    package mutating func restore(
        _ widget: WidgetID,
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) {
        precondition(queuedCount == 0, "pushes are being matched")
        precondition(isFree(widget), "widget \(widget) is there already")
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(json, using: &scanner)
        } catch {
            throw ConfigurationError(reason: .notAnObject, parameter: "")
        }
        try configuration.read(json, limit: Self.restoredConfigurationLimit)
        // Numbers that are skipped are left with no shape as well.
        widgets.insert(StoredWidget(shape: Shape.none, values: ValueTable.none), at: widget)
        for index in 0..<configuration.values.count {
            values.prefetchSlot(configuration.value(index))
        }
        restored.append(widget, kind, &configuration)
        if restored.count == RestoreBatch.limit { storeRestored() }
    }

    /// Must follow the last of some calls of `restore`.
    package mutating func finishRestoring() {
        storeRestored()
        restored.deallocate()
    }

    private mutating func storeRestored() {
        for place in 0..<restored.count {
            restored.exchange(place, &configuration)
            let widget = store(restored.kind(at: place))
            widgets[restored.number(at: place)] = widget
            prefetchKey(of: widget)
        }
        for place in 0..<restored.count { link(restored.number(at: place)) }
        restored.removeAll()
    }

    /// Starts to bring the slot close of the key that most widgets have alone.
    private mutating func prefetchKey(of widget: StoredWidget) {
        let shape = shapes[widget.shape]
        if case .rule = shape.use, findSingleKey(rule(of: widget), shape) {
            keys.index.prefetch(equalHash(shape.space))
        }
    }
}
