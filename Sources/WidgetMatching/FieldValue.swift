internal import ByteStorage

/// What type a value has; values of different types are never equal.
enum ValueTag: UInt8, BitwiseCopyable {
    /// No value: the key of a kind's widgets that are reached by its name.
    case name
    case string
    /// A number in canonical form, so that equal numbers are equal bytes.
    case number
    case `true`
    case `false`
    case null
}

/// A typed value at an attribute, with its hash: what keys, payloads and configurations compare.
///
/// The bytes belong to whoever made the value: the queued payload, the batch's scratch, or the
/// arena of a configuration or a rule.
@safe
struct FieldValue: BitwiseCopyable {
    let hash: UInt64
    let base: UnsafeRawPointer
    let length: UInt32
    let attribute: AttributeID
    let tag: ValueTag
    /// Which push of the batch the value is of.
    let push: UInt8

    init(
        _ attribute: AttributeID,
        _ tag: ValueTag,
        _ bytes: ByteView,
        push: UInt8 = 0,
        hash: ValueHash
    ) {
        self.attribute = attribute
        self.tag = tag
        self.push = push
        unsafe base = bytes.address
        length = UInt32(truncatingIfNeeded: bytes.count)
        self.hash = hash(attribute, tag, bytes)
    }

    @inline(__always)
    var bytes: ByteView { unsafe ByteView(base: base, count: Int(length)) }

    /// The order of a push's fields: by attribute, then by hash.
    @inline(__always)
    func isOrdered(before other: FieldValue) -> Bool {
        attribute != other.attribute ? attribute < other.attribute : hash < other.hash
    }

    @inline(__always)
    func isEqual(to other: FieldValue) -> Bool {
        hash == other.hash && attribute == other.attribute && tag == other.tag
            && bytes == other.bytes
    }
}

/// The seeded hash of a typed value at an attribute.
struct ValueHash {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    @inline(__always)
    func callAsFunction(_ attribute: AttributeID, _ tag: ValueTag, _ bytes: ByteView) -> UInt64 {
        let place = UInt64(attribute) << 8 | UInt64(tag.rawValue)
        return hashBytes(bytes, seed: seed &+ place &* 0x9e37_79b9_7f4a_7c15)
    }
}

/// A typed value without a place.
struct TypedValue {
    let tag: ValueTag
    let bytes: ByteView
}

extension ByteView {
    /// No bytes, at an address that is none.
    static var empty: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
    }
}
