public import Basics

/// The values that the pushes of a batch have at the fields that kinds of their apps declare.
///
/// A payload exists only while it is read; this keeps the needed part of it until the push has been
/// matched:
///
///     pushes[push] ─► values, in the order of the payload ─► texts
///
/// Its size is bounded by the batch: for each member of a payload 40 bytes and at most 512 bytes of
/// text, which is not longer than the payload's own. The memory is kept for the next batch.
@usableFromInline
package struct PushFields: ~Copyable {
    /// The values of one push, as a range of `values`.
    struct Push: BitwiseCopyable {
        var first: UInt32
        var end: UInt32
        /// The catalog's generation when the push was read.
        var generation: ListGeneration
    }

    /// A push's value at one field.
    struct Value: BitwiseCopyable {
        var field: FieldID
        /// Where the value's text begins in `texts`.
        var textStart: UInt32
        /// The hash of the value; 0 if no kind observes the field or has it in its key.
        var hash: UInt64
        /// How new the value says that the update is, if it says so for a kind.
        var order: UpdateOrder
        /// The length of the value's text; 0 if no kind inlines the field, or if the value is too
        /// long or too deeply nested for RELOAD.
        var textCount: UInt16
    }

    private(set) var pushes: ContiguousArray<Push> = []
    private(set) var values: ContiguousArray<Value> = []
    /// JSON texts of the values to be inlined, one after the other.
    private(set) var texts: ContiguousArray<UInt8> = []
    private var hash: FieldValueHash
    /// Buffer for a member's name that is written with escapes.
    private var name: [UInt8] = []

    /// The seed of the values' hashes must never change for a store, because they are kept there.
    package init(seed: DecisionSeed) { hash = FieldValueHash(seed: seed) }

    /// Reads the body of a push, which the strict scanner has accepted, and keeps its values at the
    /// fields that kinds of its app declare. The handle is valid until `removeAll`.
    package mutating func read(
        _ payload: ByteView,
        app: AppID,
        catalog: borrowing FieldCatalog
    ) -> PushHandle {
        let first = UInt32(values.count)
        readMembers(of: payload, in: .none, app: app, filter: catalog.filter(app), catalog: catalog)
        pushes.append(Push(first: first, end: UInt32(values.count), generation: catalog.generation))
        return PushHandle(index: pushes.count - 1)
    }

    /// Ends the batch; its handles become invalid.
    package mutating func removeAll() {
        pushes.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }

    /// Copies the text of a value to memory with space for `textCount` bytes.
    @unsafe @inline(__always)
    func copyText(of value: Value, to memory: UnsafeMutableRawPointer) {
        assert(value.textCount > 0, "the value has no text")
        unsafe texts.withUnsafeBytes { texts in
            unsafe memory.copyMemory(
                from: texts.baseAddress! + Int(value.textStart),
                byteCount: Int(value.textCount)
            )
        }
    }

    // MARK: - Reading

    /// Reads the fields that an object has, and those within them; none of any other value. The
    /// object is the value of `parent`, or the payload for `none`; `filter` has the bits of names
    /// that may be fields.
    private mutating func readMembers(
        of object: ByteView,
        in parent: FieldID,
        app: AppID,
        filter: UInt64,
        catalog: borrowing FieldCatalog
    ) {
        var reader = JSONReader(object)
        if reader.peek() != .object { return }
        reader.enterObject()
        while let key = reader.nextKey() {
            guard let field = find(key, in: parent, app: app, filter: filter, catalog: catalog)
            else {
                reader.skipValue()
                continue
            }
            let text = reader.rawValue()
            append(text, of: field, catalog: catalog)
            if catalog.fields[field].childCount > 0 {
                readMembers(of: text, in: field, app: app, filter: .max, catalog: catalog)
            }
        }
    }

    /// The field that has the name of a member; nil if no kind of the app declares it.
    @inline(__always)
    private mutating func find(
        _ key: JSONText,
        in parent: FieldID,
        app: AppID,
        filter: UInt64,
        catalog: borrowing FieldCatalog
    ) -> FieldID? {
        if key.hasEscapes { return findDecoded(key, in: parent, app: app, catalog: catalog) }
        // Most names in a payload are not declared by any kind, and are ruled out here.
        if filter & FieldCatalog.filterBit(key.raw) == 0 { return nil }
        return catalog.field(key.raw, of: app, in: parent)
    }

    /// `find` for a name with escapes.
    @inline(never)
    private mutating func findDecoded(
        _ key: JSONText,
        in parent: FieldID,
        app: AppID,
        catalog: borrowing FieldCatalog
    ) -> FieldID? {
        name.removeAll(keepingCapacity: true)
        key.decoded(into: &name)
        return name.withByteView { catalog.field($0, of: app, in: parent) }
    }

    /// Keeps the value of a member: its hash if a kind observes the field, its text if one inlines
    /// it.
    @inline(__always)
    private mutating func append(
        _ text: ByteView,
        of id: FieldID,
        catalog: borrowing FieldCatalog
    ) {
        let field = catalog.fields[id]
        if !field.hasValue { return }
        var value = Value(
            field: id,
            textStart: UInt32(texts.count),
            hash: 0,
            order: .none,
            textCount: 0
        )
        if field.hasHash { value.hash = hash(text) }
        if field.hasOrder { value.order = UpdateOrder(text) }
        if field.isInlined && Self.canBeInlined(text) {
            value.textCount = UInt16(text.count)
            unsafe texts.append(
                contentsOf: UnsafeRawBufferPointer(start: text.address, count: text.count)
            )
        }
        values.append(value)
    }

    /// Whether RELOAD can contain a value, judged by the value's length and nesting.
    private static func canBeInlined(_ text: ByteView) -> Bool {
        if text.count > FieldCatalog.inlinedByteLimit { return false }
        // Each level of nesting takes two brackets: a text this short cannot be nested too deeply.
        if text.count <= FieldCatalog.inlinedDepthLimit * 2 { return true }
        return text.jsonDepth <= FieldCatalog.inlinedDepthLimit
    }
}

/// The number of a push in `PushFields`, from 0 in the order in which they were read; valid until
/// the end of the batch. `none` stands for a push that was not read, because no kind of its app
/// declared fields.
@frozen @usableFromInline
package struct PushHandle: SlotNumber {
    /// The number itself.
    @usableFromInline package let rawValue: UInt32

    /// Makes the handle from its number.
    @inlinable @inline(__always)
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension PushFields {
    /// Asserts that the ranges of the pushes together cover all of `values`, and the texts of the
    /// values all of `texts`, without a gap or an overlap. No kind may have changed since the batch
    /// began.
    package func checkInvariants(catalog: borrowing FieldCatalog) {
        var (end, textEnd) = (0, 0)
        for push in pushes {
            assert(Int(push.first) == end && push.end >= push.first, "values between two pushes")
            assert(push.generation <= catalog.generation, "a push of a later generation")
            end = Int(push.end)
        }
        assert(end == values.count, "values after the last push")
        for value in values {
            assert(Int(value.textStart) == textEnd, "a text is between two values")
            textEnd += Int(value.textCount)
        }
        assert(textEnd == texts.count, "texts after the last value")
    }
}
