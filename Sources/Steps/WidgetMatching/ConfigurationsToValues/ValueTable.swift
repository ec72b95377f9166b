internal import Basics

/// A stored value's number, which is its block in the table's arena; reused once its last
/// reference is released.
struct ValueID: SlotNumber {
    let rawValue: UInt32
}

/// The values of configurations and rules, each stored once with a count of references.
///
///     index: hash ─► value        value ─► [ references u32 | tag u8, length u24 | bytes ]
///
/// A list is stored as the numbers of its elements, and a layout (the parameter names of a
/// configuration) as the numbers of the names, so that both are compared number by number.
struct ValueTable: ~Copyable {
    /// Bytes of a record before those of the value.
    static var header: Int { 8 }
    /// The longest value, in bytes.
    static var lengthLimit: Int { ByteArena.blockLimit - header }

    let hash: ValueHash
    var index = HashIndex()
    /// The records of the values; a value's number is its block.
    var records = ByteArena()

    /// Bytes allocated, used or not.
    var byteCount: Int { index.byteCount + records.byteCount }
    /// Bytes of the values in use.
    var usedByteCount: Int { index.usedByteCount + records.usedByteCount }
    /// The number of values in use.
    var count: Int { index.count }

    init(_ product: ProductHash) { hash = ValueHash(product) }

    // MARK: - Reading

    /// The number of a value; nil if it is not stored.
    func find(_ value: TypedValue) -> ValueID? {
        find(value, hash: hash(value.tag, bytes: value.bytes))
    }

    /// The number of a value with this hash; nil if it is not stored.
    private func find(_ value: TypedValue, hash: UInt64) -> ValueID? {
        index.find(hash) { (known: ValueID) in
            equals(known, tag: value.tag, bytes: value.bytes)
        }
    }

    /// A value's tag in the low byte, its length in the bits above.
    @inline(__always)
    func head(_ value: ValueID) -> UInt32 {
        unsafe records.pointer(value).load(fromByteOffset: 4, as: UInt32.self)
    }

    /// The type of a stored value.
    @inline(__always)
    func tag(of value: ValueID) -> ValueTag {
        ValueTag(rawValue: UInt8(truncatingIfNeeded: head(value)))!
    }

    /// The bytes of a value, valid until the value is released.
    @inline(__always)
    func bytes(of value: ValueID) -> ByteView {
        let length = Int(head(value) >> 8)
        return unsafe records.view(value, count: Self.header + length).slice(
            Self.header,
            to: Self.header + length
        )
    }

    /// A stored value, valid until it is released.
    func value(_ value: ValueID) -> TypedValue {
        TypedValue(tag: tag(of: value), bytes: bytes(of: value))
    }

    /// The hash of a stored value, computed from its bytes.
    func hash(of value: ValueID) -> UInt64 { hash(tag(of: value), bytes: bytes(of: value)) }

    /// The `head` of a value of a type and length in bytes.
    @inline(__always)
    static func head(_ tag: ValueTag, length: Int) -> UInt32 {
        UInt32(tag.rawValue) | UInt32(truncatingIfNeeded: length) << 8
    }

    /// Whether a stored value has this type and these bytes.
    @inline(__always)
    func equals(_ value: ValueID, tag: ValueTag, bytes: ByteView) -> Bool {
        head(value) == Self.head(tag, length: bytes.count) && self.bytes(of: value) == bytes
    }

    /// Whether a stored value equals a field's; if so, the field remembers it for the next
    /// comparison.
    @inline(__always)
    func equals(_ value: ValueID, field: inout FieldValue) -> Bool {
        if field.known != .none { return field.known == value }
        if head(value) != field.head || !(bytes(of: value) == field.bytes) { return false }
        field.known = value
        return true
    }

    /// The number of elements of a list or layout.
    @inline(__always)
    func elementCount(of list: ValueID) -> Int {
        assert(tag(of: list) == .list || tag(of: list) == .layout, "a scalar has no elements")
        return Int(head(list) >> 8) >> 2
    }

    @inline(__always)
    func element(of list: ValueID, at position: Int) -> ValueID {
        assert(tag(of: list) == .list, "only lists have elements")
        return word(of: list, at: position).value
    }

    @inline(__always)
    func name(of layout: ValueID, at position: Int) -> NameID {
        assert(tag(of: layout) == .layout, "only layouts have names")
        return word(of: layout, at: position).name
    }

    /// One word of a list or layout.
    @inline(__always)
    private func word(of list: ValueID, at position: Int) -> Word {
        assert(position >= 0 && position < elementCount(of: list), "word \(position) of a list")
        return unsafe records.pointer(list).load(
            fromByteOffset: Self.header + position << 2,
            as: Word.self
        )
    }

    /// Prefetches the record of a stored value.
    @inline(__always)
    func prefetch(_ value: ValueID) { records.prefetch(value) }

    /// Prefetches the slot where a value is stored or would be.
    @inline(__always)
    func prefetchSlot(_ value: TypedValue) { index.prefetch(hash(value.tag, bytes: value.bytes)) }

    // MARK: - Changing

    /// Reserves capacity for `count` values in total.
    mutating func reserve(_ count: Int) { index.reserve(count) }

    /// The number of a value, stored if it is new, with one more reference.
    ///
    /// A new list or layout consumes one reference to each of its elements. If it existed already
    /// (`isNew` is false), the caller must release them.
    mutating func acquire(_ value: TypedValue) -> (value: ValueID, isNew: Bool) {
        assert(value.tag != .container, "a container is no value")
        assert(
            value.tag != .list && value.tag != .layout || value.bytes.count % 4 == 0,
            "half a word"
        )
        let hash = hash(value.tag, bytes: value.bytes)
        if let known = find(value, hash: hash) {
            retain(known)
            return (known, false)
        }
        precondition(value.bytes.count <= Self.lengthLimit, "a value is too long")
        let record: ValueID = records.allocate(Self.header + value.bytes.count)
        let head = Self.head(value.tag, length: value.bytes.count)
        unsafe records.pointer(record).storeBytes(of: 1, as: UInt32.self)
        unsafe records.pointer(record).storeBytes(of: head, toByteOffset: 4, as: UInt32.self)
        unsafe value.bytes.copy(to: records.pointer(record) + Self.header)
        index.insert(hash, number: record)
        return (record, true)
    }

    /// How often a stored value is referred to.
    func references(to value: ValueID) -> Int {
        unsafe Int(records.pointer(value).load(as: UInt32.self))
    }

    /// Adds a reference to a value in use.
    mutating func retain(_ value: ValueID) {
        assert(references(to: value) > 0, "value \(value) is gone")
        unsafe records.pointer(value).assumingMemoryBound(to: UInt32.self).pointee += 1
    }

    /// Releases a reference. The last one removes the value, and releases the elements of a list.
    mutating func release(_ value: ValueID) {
        if !releaseAlone(value) { return }
        if tag(of: value) == .list {
            for position in 0..<elementCount(of: value) {
                release(element(of: value, at: position))
            }
        }
        remove(value)
    }

    /// Releases a reference, and nothing else.
    ///
    /// - Returns: true if it was the last; the caller must then `remove` the value.
    mutating func releaseAlone(_ value: ValueID) -> Bool {
        let references = unsafe records.pointer(value).assumingMemoryBound(to: UInt32.self)
        unsafe assert(references.pointee > 0, "a value is released more often than acquired")
        unsafe references.pointee -= 1
        return unsafe references.pointee == 0
    }

    /// Removes a value without references.
    mutating func remove(_ value: ValueID) {
        assert(references(to: value) == 0, "a value is removed that is referred to")
        index.remove(hash(of: value), number: value)
        unsafe records.free(value, byteCount: Self.header + bytes(of: value).count)
    }
}

extension ValueTable {
    /// Asserts that all values are found by their content, and that references and bytes are
    /// counted correctly.
    func checkInvariants(references: [ValueID: Int]) {
        assert(index.count == references.count, "a value is stored without a reference")
        var byteCount = 0
        for (value, count) in references {
            assert(find(self.value(value)) == value, "value \(value) is not found by its content")
            assert(self.references(to: value) == count, "references of value \(value)")
            byteCount += ByteArena.size(ofBlock: Self.header + bytes(of: value).count)
        }
        assert(records.usedByteCount == byteCount, "bytes of values that are gone are kept")
    }
}
