package import Basics

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
