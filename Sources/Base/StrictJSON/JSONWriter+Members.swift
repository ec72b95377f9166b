package import DataStructures

/// Members with their values.
extension JSONWriter {
    package mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        key(name)
        guard let number else { return null() }
        if number < 0 { integer(Int64(clamping: number)) } else { unsigned(UInt64(number)) }
    }

    /// A number, which must be finite.
    package mutating func member(_ name: String, _ number: Double) {
        key(name)
        self.number(number)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// A value that is JSON already.
    package mutating func member(_ name: String, json value: ByteView) {
        key(name)
        raw(value)
    }

    /// The same; null for nil.
    package mutating func member(_ name: String, json text: String?) {
        key(name)
        guard let text else { return null() }
        text.withByteView { raw($0) }
    }

    /// A list; its elements are written by `body`.
    package mutating func list<Element>(
        _ name: String,
        of elements: some Sequence<Element>,
        _ body: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        list(of: elements, body)
    }

    package mutating func list<Element>(
        of elements: some Sequence<Element>,
        _ body: (Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for element in elements { body(element, &self) }
        endArray()
    }

    /// A list of strings.
    package mutating func list(_ name: String, of texts: some Sequence<String>) {
        list(name, of: texts) { text, json in json.string(text) }
    }

    /// An object; its members are written by `body`.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// The bytes of one object, whose members are written by `body`.
    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.bytes
    }
}
