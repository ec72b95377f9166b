package import Basics

/// Predicts what a push would do for a widget, by applying it to a copy; for explanations to
/// operators. The copy is in a table `trial` of the caller's, who uses one for many widgets: its
/// memory grows with the catalog.
extension WidgetFields {
    /// What `apply` would return.
    package func effect(
        of push: PushHandle,
        on widget: WidgetID,
        fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog,
        trial: inout WidgetFields
    ) -> PushEffect {
        copy(widget, to: &trial, catalog: catalog)
        return trial.apply(push, of: fields, to: .first, kind: kind, catalog: catalog)
    }

    /// Whether RELOAD could have all values that the kind inlines after the push was applied, or
    /// has them now if the push was not read (`none`).
    package func wouldHaveAllInlined(
        _ widget: WidgetID,
        by push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog,
        trial: inout WidgetFields
    ) -> Bool {
        copy(widget, to: &trial, catalog: catalog)
        if push != .none {
            _ = trial.apply(push, of: fields, to: .first, kind: kind, catalog: catalog)
        }
        return trial.hasAllInlined(.first, kind: kind, catalog: catalog)
    }

    /// Gives the first widget of another table the values of one of this table.
    private func copy(
        _ widget: WidgetID,
        to trial: inout WidgetFields,
        catalog: borrowing FieldCatalog
    ) {
        trial.remove(.first, catalog: catalog)
        if !blocks.has(widget) || blocks[widget] == .none { return }
        let byteCount = Int(header(blocks[widget]).byteCount)
        let block: ArenaBlock = unsafe trial.arena.store(
            arena.view(blocks[widget], count: byteCount)
        )
        trial.place(block, for: .first)
    }
}
