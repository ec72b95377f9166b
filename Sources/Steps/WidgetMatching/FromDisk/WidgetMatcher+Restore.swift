package import Basics

/// Restoring widgets after a restart, each with its former number.
///
///     read ─► values ─► shape ─► key ─► postings
///        └─ prefetches    └─ prefetches the
///           the values'      key's slot
///           slots
///
/// Values and keys are scattered over tables too large for any cache. So widgets are stored in
/// batches, each step for the whole batch before the next step: the waits for memory overlap, as
/// those of pushes do.
extension WidgetMatcher {
    /// The longest configuration that is restored, in bytes of JSON.
    ///
    /// An accepted configuration can grow when `writeConfiguration` writes it: to at most four
    /// times its length, for a list of numbers such as 1e18.
    package static var restoredConfigurationLimit: Int { configurationLimit * 4 }

    /// Reserves capacity for the expected number of distinct values and keys.
    ///
    /// The tables then do not grow while widgets are restored. The numbers are the former index's
    /// `valueCount` and `keyCount`; wrong ones cost only time or memory.
    package mutating func reserve(values valueCount: Int, keys keyCount: Int) {
        index.values.reserve(valueCount)
        index.keys.reserve(keyCount)
    }

    /// Stores a widget at a free number.
    ///
    /// It can be found only after `finishRestoring`, which must be called before any other use of
    /// the matcher.
    ///
    /// - Parameters:
    ///   - widget: its number; lower numbers that are not restored remain free.
    ///   - kind: its kind.
    ///   - json: what `writeConfiguration` wrote. It is validated like any other input.
    /// - Throws: what is wrong, and with which parameter; nothing is stored then.
    package mutating func restore(
        _ widget: WidgetID,
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) {
        precondition(queuedCount == 0, "pushes are being matched")
        precondition(index.isFree(widget), "widget \(widget) exists already")
        defer { restoredJSON.resetScratch() }
        do throws(JSONError) {
            try validateJSON(json, using: &restoredJSON)
        } catch {
            throw ConfigurationError(reason: .notAnObject, parameter: "")
        }
        try index.draft.configuration.read(json, limit: Self.restoredConfigurationLimit)
        // Numbers that are skipped also get a record without a shape.
        index.widgets.insert(StoredWidget(shape: .none, values: .none), at: widget)
        index.prefetchValues()
        restored.append(widget, kind: kind, reader: &index.draft.configuration)
        if restored.count == RestoreBatch.limit { storeRestored() }
    }

    /// Stores the rest of the restored widgets; must follow the last call of `restore`.
    package mutating func finishRestoring() {
        storeRestored()
        restored = RestoreBatch()
    }

    /// Stores the batch: values and shapes of all its widgets first, then their keys.
    private mutating func storeRestored() {
        for position in 0..<restored.count {
            let widget = restored[position]
            swap(&widget.reader, &index.draft.configuration)
            index.store(widget.kind, at: widget.number)
        }
        for position in 0..<restored.count { index.link(restored[position].number) }
        restored.removeAll()
    }
}

/// Restoring one widget in steps; see `WidgetMatcher.restore`.
extension WidgetIndex {
    /// Whether the number is valid and no widget has it.
    package func isFree(_ widget: WidgetID) -> Bool {
        widget.rawValue < Posting.widgetLimit && !widgets.isInUse(widget)
    }

    /// Prefetches the slots for the values of the configuration in `draft`.
    func prefetchValues() {
        for number in 0..<draft.configuration.values.count {
            values.prefetchSlot(draft.configuration.value(number))
        }
    }

    /// Stores a widget with the configuration in `draft` at a number; it must be linked afterwards.
    mutating func store(_ kind: KindID, at number: WidgetID) {
        let widget = store(kind)
        widgets[number] = widget
        prefetchKey(of: widget)
    }

    /// Prefetches the slot of the widget's key if it has a single one, as most widgets do.
    private mutating func prefetchKey(of widget: StoredWidget) {
        let shape = shapes[widget.shape]
        if case .rule = shape.use, findSingleKey(of: rule(of: widget), shape: shape) {
            keys.index.prefetch(equalHash(shape.space))
        }
    }
}

/// Restored widgets whose configurations have been read but not stored.
///
/// It occupies memory only between the first `append` and `finishRestoring`.
struct RestoreBatch {
    /// The most widgets in the batch.
    static var limit: Int { 32 }

    /// A widget, and the reader that holds its configuration; used again for the next batch.
    final class Widget {
        fileprivate(set) var number: WidgetID = .first
        fileprivate(set) var kind: KindID = .first
        var reader = ConfigurationReader()
    }

    private var widgets: [Widget] = []
    /// The number of widgets in the batch.
    private(set) var count = 0

    subscript(position: Int) -> Widget {
        precondition(position < count, "widget \(position) of a batch of \(count)")
        return widgets[position]
    }

    /// Adds a widget with the configuration that `reader` has read; `reader` becomes an unused one.
    mutating func append(_ number: WidgetID, kind: KindID, reader: inout ConfigurationReader) {
        precondition(count < Self.limit, "the batch is full")
        if count == widgets.count { widgets.append(Widget()) }
        widgets[count].number = number
        widgets[count].kind = kind
        swap(&widgets[count].reader, &reader)
        count += 1
    }

    /// Empties the batch; its memory is kept.
    mutating func removeAll() { count = 0 }
}
