package import Basics

/// Predicts what a push would do for a widget, without applying it; for explanations to operators.
extension WidgetFields {
    /// What `apply` would return.
    package func effect(
        of push: PushHandle,
        on widget: WidgetID,
        fields: borrowing PushFields,
        kind: KindID,
        catalog: borrowing FieldCatalog
    ) -> PushEffect {
        let kind = catalog.fields(of: kind)
        guard !kind.isEmpty, push != .none,
            fields.pushes[push.index].generation >= kind.generation
        else { return .change }
        if isOlder(widget, than: push, of: fields, kind: kind, catalog: catalog) {
            return .outdated
        }
        if kind.observed.isEmpty { return .change }
        let header = currentHeader(widget, kind: kind)
        if let header, header.nextPushIsChange { return .change }
        let update = fields.update(of: push, kind: kind, catalog: catalog)
        for position in 0..<Int(kind.count) where kind.observed[position] {
            guard let value = fields.value(push, of: catalog.field(at: position, of: kind)) else {
                continue
            }
            if header == nil { return .change }
            if hash(at: position, of: widget, key: update.key, kind: kind) != value.hash {
                return .change
            }
        }
        return .unchanged
    }

    private func isOlder(
        _ widget: WidgetID,
        than push: PushHandle,
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> Bool {
        if currentHeader(widget, kind: kind) == nil { return false }
        let update = fields.update(of: push, kind: kind, catalog: catalog)
        return isOlder(update, block: blocks[widget], kind: kind)
    }

    /// The hash that a widget with values has of an observed field for a key; nil if it has none.
    private func hash(
        at position: Int,
        of widget: WidgetID,
        key: UpdateKey,
        kind: KindFields
    ) -> UInt64? {
        let block = unsafe FieldBlock(arena.pointer(blocks[widget]), kind: kind)
        if unsafe kind.keyCount == 0 || kind.inlined[position] || block.has(key) {
            return unsafe block.header.known[position] ? block[hashAt: position] : nil
        }
        guard let place = unsafe block.place(of: key), unsafe block.known(ofOther: place)[position]
        else { return nil }
        return unsafe block.hash(at: position, ofOther: place)
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
    /// Of which entity a push is for a kind, and how new.
    fileprivate func update(
        of push: PushHandle,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> Update {
        var hashes: [UInt64] = []
        for index in 0..<Int(kind.keyCount) {
            hashes.append(value(push, of: catalog.keyField(at: index, of: kind))?.hash ?? 0)
        }
        let key = hashes.isEmpty ? .none : Update.key({ hashes[$0] }, count: hashes.count)
        let newest = kind.hasNewest ? value(push, of: catalog.newestField(of: kind)) : nil
        return Update(key: key, order: newest?.order ?? .none)
    }

    /// A push's value at a field; nil if it has none.
    fileprivate func value(_ push: PushHandle, of field: FieldID) -> Value? {
        let push = pushes[push.index]
        for index in Int(push.first)..<Int(push.end) where values[index].field == field {
            return values[index]
        }
        return nil
    }
}
