import Basics
import ChangeDetection
import StoreFormat
import TestSupport

/// A catalog, a batch and widgets, with payloads as strings; every payload is checked first, as the
/// router does.
final class FieldsBench {
    private var catalog: FieldCatalog
    private var batch: PushFields
    /// Where pushes are foretold.
    private var trial = WidgetFields()
    var widgets = WidgetFields()
    private var scanner = JSONScanner()
    /// The kinds of the widgets that have values.
    private var kinds: [WidgetID: KindID] = [:]

    /// How often something was changed.
    private var changeCount = 0

    /// Bytes of names and lists.
    var catalogByteCount: Int { catalog.usedByteCount }
    /// Bytes of what widgets have.
    var usedByteCount: Int { widgets.usedByteCount }
    /// Bytes held for widgets, used or not.
    var byteCount: Int { widgets.byteCount }

    init(
        seed: UInt64 = 1,
        observes: [String] = [],
        inlines: [String] = []
    ) {
        catalog = FieldCatalog(hashKey: HashKey(low: seed, high: 1))
        batch = PushFields(seed: DecisionSeed(seed))
        if !observes.isEmpty || !inlines.isEmpty { declare(observes: observes, inlines: inlines) }
    }

    func declare(
        app: AppID = 0,
        kind: KindID = 0,
        observes: [String] = [],
        inlines: [String] = [],
        newest: String? = nil,
        keys: [[String]] = []
    ) {
        catalog.declare(
            app: app,
            kind: kind,
            observes: observes,
            inlines: inlines,
            newest: newest,
            keys: keys
        )
        check()
    }

    deinit {
        checkAll()
    }

    /// Asserts after each of the first changes, and then after each sixteenth, that all tables
    /// agree: that takes longer than a change.
    private func check() {
        changeCount += 1
        if changeCount <= 64 || changeCount.isMultiple(of: 16) { checkAll() }
    }

    private func checkAll() {
        catalog.checkInvariants()
        batch.checkInvariants(catalog: catalog)
        widgets.checkInvariants(kind: { kinds[$0] }, catalog: catalog)
    }

    func hasFields(of app: AppID) -> Bool { catalog.hasFields(of: app) }

    /// Begins a new batch.
    func removeAll() { batch.removeAll() }

    /// The handle of a payload in the batch.
    func read(_ payload: String, app: AppID = 0) -> PushHandle {
        payload.withByteView { payload in
            do {
                try validateJSON(payload, using: &scanner)
            } catch {
                preconditionFailure("\(payload.string): \(error)")
            }
            scanner.resetScratch()
            return batch.read(payload, app: app, catalog: catalog)
        }
    }

    /// Whether a push of the batch is a change.
    func apply(_ push: PushHandle, to widget: WidgetID = 0, kind: KindID = 0) -> Bool {
        effect(of: push, on: widget, kind: kind) == .change
    }

    /// What a push of the batch is to a widget.
    func effect(of push: PushHandle, on widget: WidgetID = 0, kind: KindID = 0) -> PushEffect {
        kinds[widget] = kind
        defer { check() }
        let expected = widgets.effect(
            of: push,
            on: widget,
            fields: batch,
            kind: kind,
            catalog: catalog,
            trial: &trial
        )
        let effect = widgets.apply(push, of: batch, to: widget, kind: kind, catalog: catalog)
        precondition(effect == expected, "an explanation says \(expected)")
        return effect
    }

    /// Whether a push, in a batch of its own, is a change.
    func push(
        _ payload: String,
        to widget: WidgetID = 0,
        app: AppID = 0,
        kind: KindID = 0
    ) -> Bool {
        removeAll()
        return apply(read(payload, app: app), to: widget, kind: kind)
    }

    func remove(_ widget: WidgetID) {
        widgets.remove(widget, catalog: catalog)
        kinds[widget] = nil
        check()
    }

    func forgetObserved(_ widget: WidgetID = 0, kind: KindID = 0) {
        kinds[widget] = kind
        widgets.forgetObserved(widget, kind: kind, catalog: catalog)
        check()
    }

    func hasAllInlined(_ widget: WidgetID = 0, kind: KindID = 0) -> Bool {
        widgets.hasAllInlined(widget, kind: kind, catalog: catalog)
    }

    func wouldHaveAllInlined(
        by push: PushHandle,
        of widget: WidgetID = 0,
        kind: KindID = 0
    ) -> Bool {
        widgets.wouldHaveAllInlined(
            widget,
            by: push,
            of: batch,
            kind: kind,
            catalog: catalog,
            trial: &trial
        )
    }

    /// What RELOAD brings for a widget; its length is what was said before.
    func inlined(_ widget: WidgetID = 0, kind: KindID = 0) -> String {
        let count = widgets.inlinedByteCount(widget, kind: kind, catalog: catalog)
        let text = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = widgets.writeInlined(
                widget,
                kind: kind,
                catalog: catalog,
                to: UnsafeMutableRawPointer(buffer.baseAddress!)
            )
            precondition(written == count, "\(written) bytes instead of \(count)")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What the store keeps of some widgets.
    func stored(_ page: NumberRange<WidgetID>) -> [UInt8] {
        var writer = StoreWriter()
        widgets.write(page, catalog: catalog, to: &writer)
        return writer.bytes.array
    }

    /// Gives widgets what was stored; all of it must be read.
    func restore(
        _ page: NumberRange<WidgetID>,
        kind: (WidgetID) -> KindID?,
        from bytes: [UInt8]
    ) throws(StoreError) {
        try bytes.withByteView { view throws(StoreError) in
            var reader = StoreReader(view)
            func known(_ widget: WidgetID) -> KindID? {
                kinds[widget] = kind(widget)
                return kinds[widget]
            }
            try widgets.restore(page, kind: known, catalog: catalog, from: &reader)
            try reader.finish()
            check()
        }
    }

    /// Whether two values count as the same.
    static func areSame(_ first: String, _ second: String, seed: UInt64 = 1) -> Bool {
        let bench = FieldsBench(seed: seed, observes: ["v"])
        _ = bench.push(#"{"v":\#(first)}"#)
        return !bench.push(#"{"v":\#(second)}"#)
    }
}
