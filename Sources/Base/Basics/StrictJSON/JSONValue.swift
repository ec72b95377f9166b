/// A JSON value as a tree, for callers to whom convenience matters more than speed.
///
/// Equality compares numbers as text, and members in their order.
package indirect enum JSONValue: Equatable, Sendable {
    case string(String)
    /// A number as the document spells it.
    case number(String)
    case boolean(Bool)
    case null
    case list([JSONValue])
    case object([Member])

    /// A member of an object: its name and its value.
    package struct Member: Equatable, Sendable {
        /// The member's name, decoded.
        package let name: String
        /// The member's value.
        package var value: JSONValue

        /// A member of this name and value.
        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Parses bytes that must be one JSON object. Throws the first error and its offset.
    package init(parsing bytes: ByteView, depthLimit: Int = 32) throws(JSONError) {
        var scanner = JSONScanner(depthLimit: depthLimit)
        try validateJSON(bytes, using: &scanner)
        var reader = JSONReader(bytes)
        self.init(&reader)
    }

    /// Reads the next value; the recursion is bounded because the scanner has checked the depth.
    package init(_ reader: inout JSONReader) {
        switch reader.peek() {
        case .object:
            var members: [Member] = []
            reader.enterObject()
            while let name = reader.nextKey()?.string {
                members.append(Member(name: name, value: JSONValue(&reader)))
            }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            reader.enterArray()
            while reader.nextElement() { elements.append(JSONValue(&reader)) }
            self = .list(elements)
        case .string: self = .string(reader.readString().string)
        case .number: self = .number(reader.readNumber().string)
        case .true, .false: self = .boolean(reader.readBoolean())
        case .null:
            reader.skipValue()
            self = .null
        }
    }

    /// A whole number.
    package static func integer(_ value: Int64) -> JSONValue { .number(String(value)) }

    /// A number; the value must be finite.
    package static func double(_ value: Double) -> JSONValue { .number(String(value)) }

    /// An object with its members sorted by name.
    package static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
    }

    /// The members of an object; empty for every other kind of value.
    package var members: [Member] {
        if case .object(let members) = self { return members }
        return []
    }

    /// The value of the member of that name, compared byte by byte; nil if there is none.
    package func member(_ name: String) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The value as JSON text without white space.
    package var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes a value.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .string(let text): string(text)
        case .number(let text): text.withByteView { raw($0) }
        case .boolean(let value): boolean(value)
        case .null: null()
        case .list(let elements): list(of: elements) { element, json in json.value(element) }
        case .object(let members):
            beginObject()
            for member in members { self.member(member.name, value: member.value) }
            endObject()
        }
    }

    /// Writes a member of an object.
    package mutating func member(_ name: String, value: JSONValue) {
        key(name)
        self.value(value)
    }
}
