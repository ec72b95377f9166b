package import DataStructures
package import ReloadModel
internal import StrictJSON

/// What the pushes of a batch have at the fields that kinds of their apps name.
///
/// A payload is only there while it is read; this is what is kept of it until the push has been
/// matched:
///
///     pushes[push] ─► values, in the order of the payload ─► texts
///
/// Bounded by the batch: for each member of a payload 24 bytes and at most 512 of text, which is no
/// longer than the payload's own. The memory is kept for the next batch.
@safe @usableFromInline
package struct PushFields: ~Copyable {
    /// The handle of a push that was not read, because nothing was named then.
    @inlinable package static var none: UInt32 { UInt32.max }

    struct Push: BitwiseCopyable {
        var first: UInt32
        var end: UInt32
        /// The catalog's generation when the push was read.
        var generation: UInt32
    }

    /// What a push has at one field.
    struct Value: BitwiseCopyable {
        var field: FieldCatalog.FieldID
        var textStart: UInt32
        /// Of the value; 0 if no kind shows the field.
        var hash: UInt64
        /// 0 if no kind carries the field, or RELOAD cannot bring a value that is so long or deep.
        var textCount: UInt16
    }

    private(set) var pushes: ContiguousArray<Push> = []
    private(set) var values: ContiguousArray<Value> = []
    /// Raw JSON texts of values that are carried.
    private var texts: ContiguousArray<UInt8> = []
    private var hash: FieldValueHash
    /// A member's name that is written with escapes.
    private var name: [UInt8] = []

    /// - Parameter seed: of the fingerprints of values, which are stored.
    package init(seed: DecisionSeed) {
        hash = FieldValueHash(seed: seed)
    }

    /// Keeps what a push has at the fields that kinds of its app name.
    ///
    /// - Parameters:
    ///   - payload: the body, which the strict scanner has accepted; it is not kept.
    ///   - app: the push's.
    ///   - catalog: the fields that are named now.
    /// - Returns: the push's handle, valid until `removeAll`.
    package mutating func read(
        _ payload: ByteView,
        app: AppID,
        catalog: borrowing FieldCatalog
    ) -> UInt32 {
        let first = UInt32(values.count)
        let filter = catalog.filter(app)
        var reader = JSONReader(payload)
        reader.enterObject()
        while let key = reader.nextKey() {
            if let field = find(key, filter, app, catalog) {
                append(reader.rawValue(), field, catalog)
            } else {
                reader.skipValue()
            }
        }
        pushes.append(
            Push(first: first, end: UInt32(values.count), generation: catalog.generation)
        )
        return UInt32(pushes.count - 1)
    }

    /// Ends the batch: its handles mean nothing any more.
    package mutating func removeAll() {
        pushes.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }

    /// Copies the raw text of a value.
    @unsafe @inline(__always)
    func copyText(of value: Value, to memory: UnsafeMutableRawPointer) {
        unsafe texts.withUnsafeBytes { texts in
            unsafe memory.copyMemory(
                from: texts.baseAddress! + Int(value.textStart),
                byteCount: Int(value.textCount)
            )
        }
    }

    // MARK: - Reading

    @inline(__always)
    private mutating func find(
        _ key: JSONText,
        _ filter: UInt64,
        _ app: AppID,
        _ catalog: borrowing FieldCatalog
    ) -> FieldCatalog.FieldID? {
        if key.hasEscapes { return findDecoded(key, app, catalog) }
        // Most names of a payload are none that a kind names: they end here.
        if filter & FieldCatalog.filterBit(key.raw) == 0 { return nil }
        return catalog.field(key.raw, of: app)
    }

    @inline(never)
    private mutating func findDecoded(
        _ key: JSONText,
        _ app: AppID,
        _ catalog: borrowing FieldCatalog
    ) -> FieldCatalog.FieldID? {
        key.decode(to: &name)
        return unsafe name.withUnsafeBytes { name in
            // Whatever has an escape is not empty.
            unsafe catalog.field(ByteView(base: name.baseAddress!, count: name.count), of: app)
        }
    }

    @inline(__always)
    private mutating func append(
        _ text: ByteView,
        _ id: FieldCatalog.FieldID,
        _ catalog: borrowing FieldCatalog
    ) {
        let field = catalog.fields[id]
        var value = Value(field: id, textStart: UInt32(texts.count), hash: 0, textCount: 0)
        if field.showing > 0 { value.hash = hash(text) }
        if field.carrying > 0 && Self.canBeCarried(text) {
            value.textCount = UInt16(text.count)
            unsafe texts.append(
                contentsOf: UnsafeRawBufferPointer(start: text.address, count: text.count)
            )
        }
        values.append(value)
    }

    /// Whether RELOAD could bring a value at all.
    private static func canBeCarried(_ text: ByteView) -> Bool {
        if text.count > FieldCatalog.carriedByteLimit { return false }
        // So many brackets take twice as many bytes.
        if text.count <= FieldCatalog.carriedDepthLimit * 2 { return true }
        return depth(of: text) <= FieldCatalog.carriedDepthLimit
    }

    /// How deep a value's containers are nested; 0 if it is none.
    private static func depth(of text: ByteView) -> Int {
        var depth = 0
        var deepest = 0
        var offset = 0
        while offset < text.count {
            switch text[offset] {
            case 0x7b, 0x5b:
                depth += 1
                deepest = max(deepest, depth)
            case 0x7d, 0x5d: depth -= 1
            case 0x22:
                offset += 1
                while text[offset] != 0x22 { offset += text[offset] == 0x5c ? 2 : 1 }
            default: break
            }
            offset += 1
        }
        return deepest
    }
}
