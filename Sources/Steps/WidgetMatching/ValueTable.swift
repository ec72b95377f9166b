internal import DataStructures

/// A stored value's number; handed out again after nobody refers to the value any more.
typealias ValueID = UInt32

/// The values of configurations and rules, each stored once and counted.
///
///     index: hash ─► value        value ─► [ references u32 | tag u8, length u24 | bytes ]
///
/// Ten million widgets with the same theme share one value; a list is the value of its elements'
/// numbers, so that configurations compare number by number.
struct ValueTable: ~Copyable {
    /// The number of no value.
    static var none: ValueID { HashIndex.none }
    private static var header: Int { 8 }
    /// The longest value, in bytes.
    static var lengthLimit: Int { ByteArena.blockLimit - header }

    let hash: ValueHash
    private var index = HashIndex()
    var records = ByteArena()

    /// Bytes held from the system, used or not.
    var byteCount: Int { index.byteCount + records.byteCount }
    /// Bytes in values that are in use.
    var usedByteCount: Int { index.usedByteCount + records.usedByteCount }
    /// How many values are in use.
    var count: Int { index.count }

    init(_ product: ProductHash) {
        hash = ValueHash(product)
    }

    // MARK: - Reading

    /// The number of a value, or `none`.
    func find(_ value: TypedValue) -> ValueID {
        find(value, hash(value.tag, value.bytes))
    }

    private func find(_ value: TypedValue, _ hash: UInt64) -> ValueID {
        index.find(hash) { equals($0, value.tag, value.bytes) } ?? Self.none
    }

    /// The tag, and the length above it.
    @inline(__always)
    func head(_ value: ValueID) -> UInt32 {
        unsafe records.pointer(value).load(fromByteOffset: 4, as: UInt32.self)
    }

    @inline(__always)
    func tag(of value: ValueID) -> ValueTag {
        ValueTag(rawValue: UInt8(truncatingIfNeeded: head(value)))!
    }

    /// The bytes of a value, valid until it is released.
    @inline(__always)
    func bytes(of value: ValueID) -> ByteView {
        let length = Int(head(value) >> 8)
        return records.view(value, Self.header + length).slice(Self.header, Self.header + length)
    }

    func value(_ value: ValueID) -> TypedValue {
        TypedValue(tag: tag(of: value), bytes: bytes(of: value))
    }

    func hash(of value: ValueID) -> UInt64 { hash(tag(of: value), bytes(of: value)) }

    /// How a value of a type and length begins.
    @inline(__always)
    static func head(_ tag: ValueTag, _ length: Int) -> UInt32 {
        UInt32(tag.rawValue) | UInt32(truncatingIfNeeded: length) << 8
    }

    @inline(__always)
    func equals(_ value: ValueID, _ tag: ValueTag, _ bytes: ByteView) -> Bool {
        head(value) == Self.head(tag, bytes.count) && self.bytes(of: value) == bytes
    }

    /// Whether a stored value is a field's; a field remembers which one is.
    @inline(__always)
    func equals(_ value: ValueID, _ field: inout FieldValue) -> Bool {
        if field.known != Self.none { return field.known == value }
        if head(value) != field.head || !(bytes(of: value) == field.bytes) { return false }
        field.known = value
        return true
    }

    /// How many numbers a list or layout has.
    @inline(__always)
    func elementCount(of list: ValueID) -> Int { Int(head(list) >> 8) >> 2 }

    /// One number of a list or layout.
    @inline(__always)
    func element(_ list: ValueID, _ position: Int) -> UInt32 {
        assert(position < elementCount(of: list))
        return unsafe records.pointer(list).load(
            fromByteOffset: Self.header + position << 2,
            as: UInt32.self
        )
    }

    @inline(__always)
    func prefetch(_ value: ValueID) { records.prefetch(value) }

    /// Starts to bring the slot close under which a value stands, or will.
    @inline(__always)
    func prefetchSlot(_ value: TypedValue) { index.prefetch(hash(value.tag, value.bytes)) }

    // MARK: - Changing

    /// Makes room for so many values in all.
    mutating func reserve(_ count: Int) { index.reserve(count) }

    /// The number of a value, with one reference more.
    ///
    /// A new list or layout takes over one reference to each of its elements; of one that is stored
    /// already they are the caller's to release. `isNew` says which it was.
    mutating func acquire(_ value: TypedValue) -> (value: ValueID, isNew: Bool) {
        let hash = hash(value.tag, value.bytes)
        let known = find(value, hash)
        if known != Self.none {
            retain(known)
            return (known, false)
        }
        precondition(value.bytes.count <= Self.lengthLimit, "a value is too long")
        let record = records.allocate(Self.header + value.bytes.count)
        let head = Self.head(value.tag, value.bytes.count)
        unsafe records.pointer(record).storeBytes(of: 1, as: UInt32.self)
        unsafe records.pointer(record).storeBytes(of: head, toByteOffset: 4, as: UInt32.self)
        unsafe value.bytes.copy(to: records.pointer(record) + Self.header)
        index.insert(hash, record)
        return (record, true)
    }

    /// Counts one reference more to a value in use.
    mutating func retain(_ value: ValueID) {
        unsafe records.pointer(value).assumingMemoryBound(to: UInt32.self).pointee += 1
    }

    /// Takes a reference back; the last one removes the value, and of a list those to its elements.
    ///
    /// - Returns: whether it was the last.
    mutating func release(_ value: ValueID) {
        if !releaseAlone(value) { return }
        if tag(of: value) == .list {
            for position in 0..<elementCount(of: value) { release(element(value, position)) }
        }
        remove(value)
    }

    /// Takes a reference back; after the last one, which is told, the caller must `remove` it.
    mutating func releaseAlone(_ value: ValueID) -> Bool {
        let references = unsafe records.pointer(value).assumingMemoryBound(to: UInt32.self)
        unsafe assert(references.pointee > 0, "a value is released more often than acquired")
        unsafe references.pointee -= 1
        return unsafe references.pointee == 0
    }

    /// Removes a value without references.
    mutating func remove(_ value: ValueID) {
        index.remove(hash(of: value), value)
        records.free(value, Self.header + bytes(of: value).count)
    }
}
