internal import Basics
internal import ChangeDetection

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
