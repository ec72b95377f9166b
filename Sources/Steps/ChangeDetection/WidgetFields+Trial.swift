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
        for place in 0..<Int(kind.count) where kind.observed[place] {
            guard let value = fields.value(push, of: catalog.field(at: place, of: kind)) else {
                continue
            }
            guard let header, header.known[place] else { return true }
            let block = unsafe FieldBlock(arena.pointer(blocks[widget]), kind: kind)
            if unsafe block[hashAt: place] != value.hash { return true }
        }
        return false
    }

    /// Whether RELOAD could have all values that the kind inlines after the push was applied. The
    /// total length is not checked, only each value on its own.
    package func wouldHaveAllInlined(
        _ widget: WidgetID,
        by push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        let kind = catalog.fields(of: kind)
        if kind.inlinedCount == 0 { return false }
        let known = currentHeader(widget, kind: kind)?.inlined ?? []
        for place in 0..<Int(kind.inlinedCount) {
            let value =
                push == .none
                ? nil : fields.value(push, of: catalog.field(at: place, of: kind))
            let isThere = value.map { $0.textCount > 0 } ?? known[place]
            if !isThere { return false }
        }
        return true
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
