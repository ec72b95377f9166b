internal import DataStructures

/// What type a value has; values of different types are never equal.
enum ValueTag: UInt8, BitwiseCopyable {
    case string
    /// A number in canonical form, so that equal numbers are equal bytes.
    case number
    case `true`
    case `false`
    case null
    /// A parameter's list: the numbers of its values, four bytes each.
    case list
    /// The parameter names of configurations: the numbers of the names, four bytes each, ascending.
    case layout
    /// Not a value: says that a payload's field is there, an object or a list.
    case container
}

/// A typed value without a place.
struct TypedValue {
    let tag: ValueTag
    let bytes: ByteView
}

/// A value of a queued push: where it stands, what it is, and its hash.
///
/// The bytes belong to the queued payload or to the batch's scratch.
@safe
struct FieldValue: BitwiseCopyable {
    let hash: UInt64
    var base: UnsafeRawPointer
    /// The tag, and the length above it: what a stored value begins with.
    let head: UInt32
    let attribute: AttributeID
    /// Which element of a list of objects the value is within; 0 outside of all.
    let context: UInt32
    /// The stored value that is the same, once one has been met.
    var known = ValueTable.none

    init(
        _ attribute: AttributeID,
        _ context: UInt32,
        _ value: TypedValue,
        hash: UInt64
    ) {
        self.attribute = attribute
        self.context = context
        head = ValueTable.head(value.tag, value.bytes.count)
        unsafe base = value.bytes.address
        self.hash = hash
    }

    @inline(__always)
    var tag: ValueTag { ValueTag(rawValue: UInt8(truncatingIfNeeded: head))! }

    @inline(__always)
    var length: Int { Int(head >> 8) }

    @inline(__always)
    var bytes: ByteView { unsafe ByteView(base: base, count: length) }

    @inline(__always)
    func has(_ tag: ValueTag) -> Bool { UInt8(truncatingIfNeeded: head) == tag.rawValue }

    /// The order of a push's fields: by place, then by value.
    ///
    /// It depends on nothing that is drawn at start, so that results come in a stable order.
    func isOrdered(before other: FieldValue) -> Bool {
        if attribute != other.attribute { return attribute < other.attribute }
        if context != other.context { return context < other.context }
        return compare(other.head, other.bytes) < 0
    }

    /// The order of values at one place: by length and type, then by bytes.
    func compare(_ otherHead: UInt32, _ otherBytes: ByteView) -> Int {
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

    @inline(__always)
    func isEqual(to other: FieldValue) -> Bool {
        context == other.context && hasValue(of: other)
    }

    /// Whether it is the same value of the same attribute, in whatever element of a list.
    @inline(__always)
    func hasValue(of other: FieldValue) -> Bool {
        hash == other.hash && attribute == other.attribute && head == other.head
            && bytes == other.bytes
    }
}

/// The keyed hash of a typed value.
struct ValueHash {
    private let product: ProductHash

    init(_ product: ProductHash) {
        self.product = product
    }

    @inline(__always)
    func callAsFunction(_ tag: ValueTag, _ bytes: ByteView) -> UInt64 {
        product.hash(bytes, tag: tag.rawValue)
    }
}
