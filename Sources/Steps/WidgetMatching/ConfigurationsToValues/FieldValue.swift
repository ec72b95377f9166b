internal import Basics

/// The type of a value; values of different types are never equal.
enum ValueTag: UInt8, BitwiseCopyable {
    case string
    /// A number in canonical form, so that equal numbers have equal bytes.
    case number
    case `true`
    case `false`
    case null
    /// A parameter's list: the `ValueID`s of its elements, four bytes each.
    case list
    /// The parameter names of a configuration: their `NameID`s, four bytes each, ascending.
    case layout
    /// Not a value: says that the payload has an object or a list at the field.
    case container
}

/// A value with its type, as bytes that belong to something else.
struct TypedValue {
    let tag: ValueTag
    let bytes: ByteView
}

/// A value of a queued push, with its place in the payload and its hash.
///
/// The bytes belong to the payload or to the batch's scratch.
@safe
struct FieldValue: BitwiseCopyable {
    /// Keyed hash of type and bytes, the same as for a stored value (`ValueHash`).
    let hash: UInt64
    /// The address of the bytes.
    var base: UnsafeRawPointer
    /// The tag in the low byte and the length in the bits above, as in a stored value.
    let head: UInt32
    /// The path of the field in the payload.
    let attribute: AttributeID
    /// The innermost list element around the value; `none` if there is none.
    let context: ContextNumber
    /// The stored value that equals this one, once it has been found.
    var known = ValueID.none

    init(attribute: AttributeID, context: ContextNumber, value: TypedValue, hash: UInt64) {
        self.attribute = attribute
        self.context = context
        head = ValueTable.head(value.tag, length: value.bytes.count)
        unsafe base = value.bytes.address
        self.hash = hash
    }

    @inline(__always)
    var tag: ValueTag { ValueTag(rawValue: UInt8(truncatingIfNeeded: head))! }

    /// The length of the value in bytes.
    @inline(__always)
    var length: Int { Int(head >> 8) }

    @inline(__always)
    var bytes: ByteView { unsafe ByteView(base: base, count: length) }

    /// Whether the value has this type; cheaper than `tag`.
    @inline(__always)
    func has(_ tag: ValueTag) -> Bool { UInt8(truncatingIfNeeded: head) == tag.rawValue }

    /// The order of a push's fields: by attribute, then by list element, then by value.
    ///
    /// The order does not depend on the process's hash key, so that results come in a reproducible
    /// order.
    func isOrdered(before other: FieldValue) -> Bool {
        if attribute != other.attribute { return attribute < other.attribute }
        if context != other.context { return context < other.context }
        return compare(toHead: other.head, bytes: other.bytes) < 0
    }

    /// The order of values of one attribute in one list element: by length, then type, then bytes.
    ///
    /// - Returns: negative, 0 or positive, as this value comes before the other one, equals it or
    ///   comes after it.
    func compare(toHead otherHead: UInt32, bytes otherBytes: ByteView) -> Int {
        assert(Int(otherHead >> 8) == otherBytes.count, "the head has the length of the bytes")
        if head != otherHead { return head < otherHead ? -1 : 1 }
        let bytes = bytes
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = bytes.word(at: offset)
            let other = otherBytes.word(at: offset)
            if word != other { return word.byteSwapped < other.byteSwapped ? -1 : 1 }
            offset &+= 8
        }
        while offset < bytes.count {
            if bytes[offset] != otherBytes[offset] {
                return Int(bytes[offset]) - Int(otherBytes[offset])
            }
            offset &+= 1
        }
        return 0
    }

    /// Whether it is the same value in the same list element.
    @inline(__always)
    func isEqual(to other: FieldValue) -> Bool { context == other.context && hasValue(of: other) }

    /// Whether it is the same value of the same attribute, in any list element.
    @inline(__always)
    func hasValue(of other: FieldValue) -> Bool {
        hash == other.hash && attribute == other.attribute && head == other.head
            && bytes == other.bytes
    }
}

/// The keyed hash of a value with its type.
struct ValueHash {
    private let product: ProductHash

    init(_ product: ProductHash) { self.product = product }

    /// The hash of a value of this type with these bytes.
    @inline(__always)
    func callAsFunction(_ tag: ValueTag, bytes: ByteView) -> UInt64 {
        product.hash(bytes, tag: tag.rawValue)
    }
}
