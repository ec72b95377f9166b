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

    /// A scanned value with its bytes, of which there are as many as it says.
    @inline(__always)
    init(_ field: ScannedField, bytes: ByteView) {
        precondition(bytes.count == field.length, "\(bytes.count) bytes of \(field.length)")
        attribute = field.attribute
        context = field.context
        head = field.head
        unsafe base = bytes.address
        hash = field.hash
    }

    /// The length of the value in bytes.
    @inline(__always)
    var length: Int { Int(head >> 8) }

    @inline(__always)
    var bytes: ByteView { unsafe ByteView(base: base, count: length) }

    /// Whether the value has this type.
    @inline(__always)
    func has(_ tag: ValueTag) -> Bool { UInt8(truncatingIfNeeded: head) == tag.rawValue }

    /// The order of values of one attribute in one list element: by length, then type, then bytes.
    ///
    /// - Returns: negative, 0 or positive, as this value comes before the other one, equals it or
    ///   comes after it.
    func compare(toHead otherHead: UInt32, bytes otherBytes: ByteView) -> Int {
        assert(Int(otherHead >> 8) == otherBytes.count, "the head has the length of the bytes")
        if head != otherHead { return head < otherHead ? -1 : 1 }
        return bytes.compare(to: otherBytes)
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
