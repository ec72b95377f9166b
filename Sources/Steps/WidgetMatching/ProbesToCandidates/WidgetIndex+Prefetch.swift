internal import Basics

/// Prefetching memory before it is read, so that the waits of many probes overlap.
extension WidgetIndex {
    /// How many postings ahead a widget's record is prefetched: far enough for the cache line to
    /// arrive in time, near enough for it not to be evicted.
    static var recordPrefetchDistance: Int { 16 }
    /// How many postings ahead the blocks to which a widget's record refers are prefetched.
    static var blockPrefetchDistance: Int { 8 }

    /// Prefetches what the check of a probe's key will read, and the key's only widget or its list
    /// of postings.
    @inline(__always)
    func prefetchKeyTargets(_ probe: Probe) {
        let key = probe.key
        // This may be another key with the same hash, whose first word is no value; a useless
        // prefetch is harmless.
        if probe.form.hasValues { values.prefetch(keys.word(of: key, at: 0).value) }
        if let posting = keys.single(key) {
            if posting.readsWidget(probe.pushHasLists) { widgets.prefetch(posting.widget) }
        } else {
            keys.prefetchList(key)
        }
    }

    /// Prefetches what the key's only widget refers to, or the first postings of its list.
    @inline(__always)
    func prefetchWidget(_ probe: Probe) {
        if let posting = keys.single(probe.key) {
            if posting.readsWidget(probe.pushHasLists) { prefetchValues(of: posting.widget) }
        } else {
            keys.postings.prefetch(keys.list(probe.key))
        }
    }

    /// Prefetches the first widgets of a list; `MatchSearch.report` prefetches the others while it
    /// goes through the list.
    @inline(__always)
    func prefetchFirstWidgets(_ probe: Probe) {
        forEachFirst(of: probe) { widget in widgets.prefetch(widget) }
    }

    /// Prefetches what the first widgets of a list refer to.
    @inline(__always)
    func prefetchFirstValues(_ probe: Probe) {
        forEachFirst(of: probe) { widget in prefetchValues(of: widget) }
    }

    /// Calls `body` for the first widgets of a list that matching will read.
    @inline(__always)
    private func forEachFirst(of probe: Probe, body: (WidgetID) -> Void) {
        if keys.single(probe.key) != nil { return }
        let run = keys.postings.run(keys.list(probe.key), from: 0)
        for offset in 0..<min(run.count, Self.blockPrefetchDistance)
        where run[offset].readsWidget(probe.pushHasLists) {
            body(run[offset].widget)
        }
    }

    /// Prefetches the blocks to which a widget's record refers.
    @inline(__always)
    func prefetchValues(of widget: WidgetID) {
        let record = widgets[widget]
        if shapes[record.shape].parameterCount > 1 { configurations.prefetch(record.values.block) }
        if let block = record.links.block { configurations.prefetch(block) }
    }
}
