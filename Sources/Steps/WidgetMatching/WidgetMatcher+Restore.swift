package import DataStructures
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
    /// Then no table grows while widgets are restored. The numbers are the index's `valueCount` and
    /// `keyCount`; others do no harm.
    package mutating func reserve(values valueCount: Int, keys keyCount: Int) {
        index.values.reserve(valueCount)
        index.keys.reserve(keyCount)
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
        precondition(index.isFree(widget), "widget \(widget) is there already")
        defer { search.value.scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(json, using: &search.value.scanner)
        } catch {
            throw ConfigurationError(reason: .notAnObject, parameter: "")
        }
        try index.draft.configuration.read(json, limit: Self.restoredConfigurationLimit)
        // Numbers that are skipped are left with no shape as well.
        index.widgets.insert(StoredWidget(shape: Shape.none, values: ValueTable.none), at: widget)
        index.prefetchValues()
        restored.append(widget, kind, &index.draft.configuration)
        if restored.count == RestoreBatch.limit { storeRestored() }
    }

    /// Must follow the last of some calls of `restore`.
    package mutating func finishRestoring() {
        storeRestored()
        restored.deallocate()
    }

    private mutating func storeRestored() {
        for place in 0..<restored.count {
            restored.exchange(place, &index.draft.configuration)
            index.store(restored.kind(at: place), at: restored.number(at: place))
        }
        for place in 0..<restored.count { index.link(restored.number(at: place)) }
        restored.removeAll()
    }
}
