package import Basics

/// Predicts what a push would do for a widget, by applying it to a copy; for explanations to
/// operators.
extension WidgetFields {
    /// What `apply` would return.
    package func effect(
        of push: PushHandle,
        on widget: WidgetID,
        fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> PushEffect {
        var trial = trial(of: widget)
        return trial.apply(push, of: fields, to: .first, kind: kind, catalog: catalog)
    }

    /// Whether RELOAD could have all values that the kind inlines after the push was applied, or
    /// has them now if the push was not read (`none`).
    package func wouldHaveAllInlined(
        _ widget: WidgetID,
        by push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        var trial = trial(of: widget)
        if push != .none {
            _ = trial.apply(push, of: fields, to: .first, kind: kind, catalog: catalog)
        }
        return trial.hasAllInlined(.first, kind: kind, catalog: catalog)
    }

    /// A table in which the first widget has the values of one of this table.
    private func trial(of widget: WidgetID) -> WidgetFields {
        var trial = WidgetFields()
        if blocks.has(widget) && blocks[widget] != .none {
            let byteCount = Int(header(blocks[widget]).byteCount)
            let block: ArenaBlock = unsafe trial.arena.store(
                arena.view(blocks[widget], count: byteCount)
            )
            trial.place(block, for: .first)
        }
        return trial
    }
}
