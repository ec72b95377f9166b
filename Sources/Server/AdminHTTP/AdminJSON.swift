internal import ByteStorage
internal import StrictJSON

/// Members of the bodies that the loop leaves.
extension JSONWriter {
    mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        key(name)
        guard let number else { return null() }
        if number < 0 { integer(Int64(clamping: number)) } else { unsigned(UInt64(number)) }
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }

    mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// A value that is JSON already; null for nil.
    mutating func member(_ name: String, json text: String?) {
        key(name)
        guard let text else { return null() }
        text.withByteView { raw($0) }
    }

    /// A list; its elements are written by `body`.
    mutating func list<Element>(
        _ name: String,
        of elements: some Sequence<Element>,
        _ body: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { body(element, &self) }
        endArray()
    }
}
