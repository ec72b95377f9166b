internal import Basics

/// A value of a scanned push that some rule considers, with its place in the payload and its hash.
struct ScannedField: BitwiseCopyable {
    /// Keyed hash of type and bytes, the same as for a stored value (`ValueHash`).
    let hash: UInt64
    /// The path of the field in the payload.
    let attribute: AttributeID
    /// The innermost list element around the value; `none` if there is none.
    let context: ContextNumber
    /// Where the bytes begin in `ScannedBytes`.
    let offset: UInt32
    /// The tag in the low byte and the length in the bits above, as in a stored value.
    let head: UInt32

    /// The length of the value in bytes.
    @inline(__always)
    var length: Int { Int(head >> 8) }

    /// Whether the value has this type.
    @inline(__always)
    func has(_ tag: ValueTag) -> Bool { UInt8(truncatingIfNeeded: head) == tag.rawValue }

    /// The order of a field's place: by attribute, then by list element.
    @inline(__always)
    var place: UInt64 { UInt64(attribute.rawValue) << 32 | UInt64(context.rawValue) }
}

/// An object that is an element of a list; see `ContextNumber`.
struct ScannedContext: BitwiseCopyable {
    /// The attribute of the list.
    var attribute: AttributeID
    /// The innermost list element around this one; `none` if there is none.
    var parent: ContextNumber
    /// The highest number of the contexts within this one; its own if there are none.
    var last: ContextNumber
}

/// The bytes of a scanned push's values: the payload, followed by what is not in it as it is,
/// numbers in canonical form and decoded texts.
struct ScannedBytes {
    let payload: ByteView
    let rewritten: ByteView

    /// The bytes of a field's value.
    @inline(__always)
    subscript(field: ScannedField) -> ByteView {
        let offset = Int(field.offset)
        if offset < payload.count { return payload.slice(offset, to: offset + field.length) }
        let start = offset - payload.count
        return rewritten.slice(start, to: start + field.length)
    }

    /// The order of a push's fields: by attribute, then by list element, then by value.
    ///
    /// The order does not depend on the process's hash key, so that results come in a reproducible
    /// order.
    func isOrdered(_ field: ScannedField, before other: ScannedField) -> Bool {
        if field.place != other.place { return field.place < other.place }
        if field.head != other.head { return field.head < other.head }
        return self[field].compare(to: self[other]) < 0
    }

    /// Whether both have the same value in the same list element.
    @inline(__always)
    func areEqual(_ field: ScannedField, and other: ScannedField) -> Bool {
        field.context == other.context && haveSameValue(field, and: other)
    }

    /// Whether both are the same value of the same attribute, in any list element.
    @inline(__always)
    func haveSameValue(_ field: ScannedField, and other: ScannedField) -> Bool {
        field.hash == other.hash && field.attribute == other.attribute && field.head == other.head
            && self[field] == self[other]
    }
}

extension ByteView {
    /// Negative, 0 or positive, as these bytes come before as many others, equal them or come after
    /// them.
    func compare(to other: ByteView) -> Int {
        assert(count == other.count, "\(count) bytes are compared with \(other.count)")
        var offset = 0
        while offset &+ 8 <= count {
            let word = word(at: offset)
            let otherWord = other.word(at: offset)
            if word != otherWord { return word.byteSwapped < otherWord.byteSwapped ? -1 : 1 }
            offset &+= 8
        }
        while offset < count {
            if self[offset] != other[offset] { return Int(self[offset]) - Int(other[offset]) }
            offset &+= 1
        }
        return 0
    }
}
