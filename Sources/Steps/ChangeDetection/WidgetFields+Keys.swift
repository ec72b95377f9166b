internal import Basics

/// Of which entity a push is, and how new it is among the pushes of that entity.
struct Update: BitwiseCopyable {
    let key: UpdateKey
    let order: UpdateOrder
}

extension WidgetFields {
    /// The value that the located push has of a field; nil if it has none.
    func located(_ field: FieldID, of fields: borrowing PushFields) -> PushFields.Value? {
        let place = places[field]
        return place.stamp == stamp ? fields.values[Int(place.value)] : nil
    }

    /// What the located push says.
    func update(
        of fields: borrowing PushFields,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> Update {
        var key = UpdateKey.none
        if kind.keyCount > 0 {
            var state: UInt64 = 0x9e37_79b9_7f4a_7c15
            for index in 0..<Int(kind.keyCount) {
                let field = catalog.keyField(at: index, of: kind)
                // 0 for a field that the push lacks.
                let hash = located(field, of: fields)?.hash ?? 0
                state = foldedProduct(
                    state ^ 0xe703_7ed1_a0b4_28db,
                    by: hash ^ 0x8ebc_6af0_9c88_c6e3
                )
            }
            key = UpdateKey(rawValue: max(1, UInt32(truncatingIfNeeded: state >> 32)))
        }
        var order = UpdateOrder.none
        if kind.hasNewest {
            order = located(catalog.newestField(of: kind), of: fields)?.order ?? .none
        }
        return Update(key: key, order: order)
    }

    /// Whether an update is older than one of its key that has been applied.
    func isOlder(_ update: Update, block reference: ArenaBlock, kind: KindFields) -> Bool {
        if !kind.hasNewest || update.order.isNone || reference == .none { return false }
        let block = unsafe FieldBlock(arena.pointer(reference), kind: kind)
        let known: UpdateOrder
        if unsafe kind.keyCount == 0 || block.has(update.key) {
            known = unsafe block.order
        } else if let place = unsafe block.place(of: update.key) {
            known = unsafe block.order(ofOther: place)
        } else {
            return false
        }
        return !known.isNone && update.order.isOlder(than: known)
    }

    /// Makes the key of an update that of the widget's block, which is made if there is none, and
    /// remembers its order. Returns the block.
    mutating func enter(
        _ update: Update,
        of widget: WidgetID,
        block reference: ArenaBlock,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock {
        var current = reference
        if current == .none {
            copyBeforeWrite(widget, catalog: catalog)
            current = rebuild(.none, kind: kind, lengths: .zero, catalog: catalog)
            place(current, for: widget)
            let block = unsafe FieldBlock(arena.pointer(current), kind: kind)
            if kind.keyCount > 0 { unsafe block.key = update.key }
            if kind.hasNewest { unsafe block.order = update.order }
            return current
        }
        if kind.keyCount > 0 {
            current = take(update.key, of: widget, block: current, kind: kind, catalog: catalog)
        }
        if kind.hasNewest && !update.order.isNone {
            let block = unsafe FieldBlock(arena.pointer(current), kind: kind)
            let known = unsafe block.order
            if known.isNone || known.form != update.order.form || known.bits != update.order.bits {
                copyBeforeWrite(widget, catalog: catalog)
                unsafe block.order = update.order
            }
        }
        return current
    }

    /// Makes a key that of the block, if it is another one.
    private mutating func take(
        _ key: UpdateKey,
        of widget: WidgetID,
        block reference: ArenaBlock,
        kind: KindFields,
        catalog: borrowing FieldCatalog
    ) -> ArenaBlock {
        var current = reference
        var block = unsafe FieldBlock(arena.pointer(current), kind: kind)
        if unsafe block.key == key { return current }
        copyBeforeWrite(widget, catalog: catalog)
        if unsafe block.has(key) {
            unsafe block.key = key
            return current
        }
        let place = unsafe block.place(of: key)
        let header = unsafe block.header
        if place == nil && header.otherKeyCount < Self.otherKeyLimit {
            current = unsafe rebuild(
                current,
                kind: kind,
                lengths: block.lengths,
                otherKeyCount: header.otherKeyCount + 1,
                catalog: catalog
            )
            self.place(current, for: widget)
            unsafe block = unsafe FieldBlock(arena.pointer(current), kind: kind)
        }
        unsafe block.take(key, from: place, shared: kind.observed.intersection(kind.inlined))
        return current
    }
}

extension FieldBlock {
    /// Whether the block's values are those of a key: its own, or one that is not known.
    func has(_ key: UpdateKey) -> Bool {
        let own = unsafe self.key
        return own == key || own == .none || key == .none
    }
}
