internal import DataStructures
internal import ReloadModel

/// Asking for memory before it is read, so that the waits for what many probes lead to overlap.
extension WidgetIndex {
    /// Postings ahead: far enough for a line to arrive, near enough for it to be there still.
    static var farPostings: Int { 16 }
    static var nearPostings: Int { 8 }

    /// Asks for what verifying a key will read, and for the widget if it has one.
    @inline(__always)
    func prefetchBehind(_ probe: Probe) {
        let key = probe.candidate.number
        // It may be another key with the probe's hash, whose word is no value: that is harmless.
        if probe.form.hasValues { values.prefetch(keys.word(key, 0)) }
        if let posting = keys.single(key) {
            if posting.readsWidget(probe.isOfLists) { widgets.prefetch(posting.widget) }
        } else {
            keys.prefetchList(key)
        }
    }

    /// Asks for what a single widget refers to, or for the first of a list of them.
    @inline(__always)
    func prefetchWidget(_ probe: Probe) {
        if let posting = keys.single(probe.candidate.number) {
            if posting.readsWidget(probe.isOfLists) { prefetchValues(of: posting.widget) }
        } else {
            keys.postings.prefetch(keys.list(probe.candidate.number))
        }
    }

    /// Asks for the first widgets of a list; the further ones are asked for on the way.
    @inline(__always)
    func prefetchFirstWidgets(_ probe: Probe) {
        forEachFirst(probe) { widget in widgets.prefetch(widget) }
    }

    /// Asks for what the first widgets of a list refer to.
    @inline(__always)
    func prefetchFirstValues(_ probe: Probe) {
        forEachFirst(probe) { widget in prefetchValues(of: widget) }
    }

    @inline(__always)
    private func forEachFirst(_ probe: Probe, _ body: (WidgetID) -> Void) {
        if keys.single(probe.candidate.number) != nil { return }
        let run = keys.postings.run(keys.list(probe.candidate.number), from: 0)
        for offset in 0..<min(run.count, Self.nearPostings)
        where run[offset].readsWidget(probe.isOfLists) {
            body(run[offset].widget)
        }
    }

    /// Asks for what a widget's record refers to.
    @inline(__always)
    func prefetchValues(of widget: WidgetID) {
        let record = widgets[widget]
        if shapes[record.shape].parameterCount > 1 { configurations.prefetch(record.values) }
        if record.position == StoredWidget.linkedManyTimes { configurations.prefetch(record.key) }
    }
}
