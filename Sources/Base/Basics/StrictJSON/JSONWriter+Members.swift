/// Shorthands that write a member's name together with its value, or a whole list or object.
extension JSONWriter {
    /// A string member; null for nil.
    package mutating func member(_ name: String, value text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// An integer member; null for nil. A value below the range of `Int64` or above that of
    /// `UInt64` is clamped to it.
    package mutating func member(_ name: String, value number: (some BinaryInteger)?) {
        key(name)
        guard let number else { return null() }
        if number < 0 {
            integer(Int64(clamping: number))
        } else {
            unsigned(UInt64(clamping: number))
        }
    }

    /// A member that is a number of ms; null for nil.
    package mutating func member<Time: ClockTime>(_ name: String, value time: Time?)
    where Time.Length == Milliseconds {
        member(name, value: time?.rawValue)
    }

    /// A member that is a number of ms; null for nil.
    package mutating func member(_ name: String, value length: Milliseconds?) {
        member(name, value: length?.rawValue)
    }

    /// A number member; the value must be finite.
    package mutating func member(_ name: String, value number: Double) {
        key(name)
        self.number(number)
    }

    /// A member that is true or false.
    package mutating func member(_ name: String, value: Bool) {
        key(name)
        boolean(value)
    }

    /// A member whose value is JSON already; it is copied without a check.
    package mutating func member(_ name: String, json value: ByteView) {
        key(name)
        raw(value)
    }

    /// A member whose value is JSON already, copied without a check; null for nil.
    package mutating func member(_ name: String, json text: String?) {
        key(name)
        guard let text else { return null() }
        text.withByteView { raw($0) }
    }

    /// A list member; `body` writes one value for each element.
    package mutating func list<Element>(
        _ name: String,
        of elements: some Sequence<Element>,
        body: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        list(of: elements, body: body)
    }

    /// A list; `body` writes one value for each element.
    package mutating func list<Element>(
        of elements: some Sequence<Element>,
        body: (Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for element in elements { body(element, &self) }
        endArray()
    }

    /// A list member of strings.
    package mutating func list(_ name: String, of texts: some Sequence<String>) {
        list(name, of: texts) { text, json in json.string(text) }
    }

    /// An object member; `body` writes its members.
    package mutating func object(_ name: String, body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// An object; `body` writes its members.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// The bytes of one object; `body` writes its members.
    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.bytes
    }
}
