internal import Basics
internal import ChangeDetection
internal import EventPatterns
internal import StoreFormat

/// The payload fields that kinds observe or inline, and the values that widgets have at them.
struct FieldTable: ~Copyable {
    /// The seed of the hashes of field values.
    let seed: DecisionSeed
    var catalog: FieldCatalog
    var widgets = WidgetFields()
    /// Whether the app file that is being installed declares other fields for a kind than before.
    var haveFieldsChanged = false
    private let passing = PassedByAddress()

    init(seed: DecisionSeed, hashKey: HashKey) {
        self.seed = seed
        catalog = FieldCatalog(hashKey: hashKey)
    }
}

extension FieldTable {
    /// Declares which fields of payloads a kind observes and inlines, and which make the key and
    /// the order of updates; sets `haveFieldsChanged` if they differ from the former ones.
    mutating func declare(
        _ kind: KindID,
        of app: AppID,
        policy: KindPolicy,
        rule: EventPattern?
    ) {
        let hasChanged = catalog.declare(
            app: app,
            kind: kind,
            observes: policy.observes,
            inlines: policy.inlines,
            newest: policy.newest,
            keys: FieldCatalog.keys(of: rule)
        )
        if hasChanged { haveFieldsChanged = true }
    }

    /// Restores the values of a page of widgets.
    mutating func restore(
        page: UInt32,
        in delivery: borrowing DeliveryTable,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let end = delivery.widgets.end
        if page >= SlabPages.count(end) { throw reader.corrupt("there are no such widgets") }
        let widgets = SlabPages.ids(of: page).clamped(to: end) as NumberRange<WidgetID>
        let kinds = widgets.map { widget in
            delivery.widgets[widget].device.isNone
                ? nil : delivery.widgets[widget].kind
        }
        try self.widgets.restore(
            widgets,
            kind: { kinds[$0.index - widgets.startIndex] },
            catalog: catalog,
            from: &reader
        )
    }
}

/// The inlined values of RELOADs.
extension FieldTable {
    /// How many of the widgets, counted from the first, one RELOAD can name; the widgets and the
    /// inlined values of a RELOAD are limited.
    func portion(
        of widgets: Span<WidgetID>,
        in delivery: borrowing DeliveryTable,
        by catalog: borrowing Catalog
    ) -> Int {
        assert(!widgets.isEmpty, "a RELOAD names at least one widget")
        let most = min(widgets.count, RouterLimits.widgetsPerReload)
        var bytes = 0
        for count in 0..<most {
            bytes += inlinedByteCount(of: widgets[count], in: delivery, by: catalog)
            if bytes > RouterLimits.inlinedBytesPerReload && count > 0 { return count }
        }
        return most
    }

    /// The bytes of the inlined values that a RELOAD brings for a widget; 0 if it brings none.
    func inlinedByteCount(
        of widget: WidgetID,
        in delivery: borrowing DeliveryTable,
        by apps: borrowing Catalog
    ) -> Int {
        let kind = delivery.widgets[widget].kind
        if !apps.kinds[kind].rules.inlines { return 0 }
        if !widgets.hasAllInlined(widget, kind: kind, catalog: catalog) { return 0 }
        return widgets.inlinedByteCount(widget, kind: kind, catalog: catalog)
    }
}
