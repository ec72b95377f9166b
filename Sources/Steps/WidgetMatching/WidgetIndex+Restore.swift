internal import DataStructures
package import ReloadModel

/// The steps of a widget that is restored; see `WidgetMatcher.restore`.
extension WidgetIndex {
    /// Whether there could be a widget of this number, and is none.
    package func isFree(_ widget: WidgetID) -> Bool {
        widget < Posting.widgetLimit && !widgets.isInUse(widget)
    }

    /// Starts to bring the slots close of the values of the configuration in `draft`.
    func prefetchValues() {
        for number in 0..<draft.configuration.values.count {
            values.prefetchSlot(draft.configuration.value(number))
        }
    }

    /// Stores a widget with the configuration in `draft`, which is yet to be linked.
    mutating func store(_ kind: KindID, at number: WidgetID) {
        let widget = store(kind)
        widgets[number] = widget
        prefetchKey(of: widget)
    }

    /// Starts to bring the slot close of the key that most widgets have alone.
    private mutating func prefetchKey(of widget: StoredWidget) {
        let shape = shapes[widget.shape]
        if case .rule = shape.use, findSingleKey(rule(of: widget), shape) {
            keys.index.prefetch(equalHash(shape.space))
        }
    }
}
