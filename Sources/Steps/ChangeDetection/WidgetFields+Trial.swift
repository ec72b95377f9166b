internal import DataStructures
package import ReloadModel

/// Predicts what a push would do for a widget, without applying it; for explanations to operators.
extension WidgetFields {
    /// Whether `apply` would return that the push is a change for the widget.
    package func wouldChange(
        _ widget: WidgetID,
        by push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        guard kind.count > 0, push != .none,
            fields.pushes[push.index].generation >= kind.generation, !kind.observed.isEmpty
        else { return true }
        let header = currentHeader(widget, kind: kind)
        if let header, header.nextPushIsChange { return true }
        for position in 0..<Int(kind.count) where kind.observed[position] {
            guard let value = fields.value(push, of: catalog.field(at: position, of: kind)) else {
                continue
            }
            guard let header, header.known[position] else { return true }
            let block = unsafe FieldBlock(arena.pointer(blocks[widget]), kind: kind)
            if unsafe block[hashAt: position] != value.hash { return true }
        }
        return false
    }

    /// Whether RELOAD could have all values that the kind inlines after the push was applied.
    package func wouldHaveAllInlined(
        _ widget: WidgetID,
        by push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        if kind.inlinedCount == 0 { return false }
        let hasBlock = currentHeader(widget, kind: kind) != nil
        let known = hasBlock ? lengths(of: widget, kind: kind) : .zero
        // As in `fit`: a brace in front, and after each member a comma or the other brace.
        var byteCount = 1
        for position in 0..<Int(kind.inlinedCount) {
            let value =
                push == .none
                ? nil : fields.value(push, of: catalog.field(at: position, of: kind))
            let length = value.map(\.textCount) ?? known[position]
            if length == 0 { return false }
            byteCount += catalog.key(at: position, of: kind).count + Int(length) + 1
        }
        return byteCount <= FieldCatalog.inlinedByteLimit
    }

    /// The lengths of the texts of a widget that has values of the kind's present list.
    private func lengths(of widget: WidgetID, kind: KindFields) -> FieldBlock.Lengths {
        unsafe FieldBlock(arena.pointer(blocks[widget]), kind: kind).lengths
    }
}

extension PushFields {
    /// A push's value at a field; nil if it has none.
    fileprivate func value(_ push: PushHandle, of field: FieldID) -> Value? {
        let push = pushes[push.index]
        for index in Int(push.first)..<Int(push.end) where values[index].field == field {
            return values[index]
        }
        return nil
    }
}
