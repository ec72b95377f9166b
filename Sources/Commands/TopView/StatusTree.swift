import ByteStorage
import StrictJSON

/// A JSON value as a tree, for documents that are read once a second.
///
/// What is missing, or of another type than expected, is nothing: a router may tell less, or more,
/// than this program knows of.
enum StatusTree: Equatable {
    case object([Member])
    case array([StatusTree])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    struct Member: Equatable {
        let name: String
        let value: StatusTree
    }

    /// - Throws: `JSONError` if the bytes are not one JSON object.
    init(_ bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withByteView { (view) throws(JSONError) -> StatusTree in
            var scanner = JSONScanner()
            try validateJSON(view, using: &scanner)
            var reader = JSONReader(view)
            return StatusTree(&reader)
        }
    }

    /// The scanner has bounded how deep this goes.
    private init(_ reader: inout JSONReader) {
        switch reader.peek() {
        case .object:
            var members: [Member] = []
            reader.enterObject()
            while let name = reader.nextKey()?.string {
                members.append(Member(name: name, value: StatusTree(&reader)))
            }
            self = .object(members)
        case .array:
            var elements: [StatusTree] = []
            reader.enterArray()
            while reader.nextElement() { elements.append(StatusTree(&reader)) }
            self = .array(elements)
        case .string: self = .string(reader.readString().string)
        case .number: self = .number(Double(reader.readNumber().string) ?? 0)
        case .true, .false: self = .boolean(reader.readBoolean())
        case .null:
            reader.skipValue()
            self = .null
        }
    }

    /// A member of an object.
    subscript(name: String) -> StatusTree {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.name == name }?.value ?? .null
    }

    var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    var isTrue: Bool { self == .boolean(true) }

    var elements: [StatusTree] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The members that are numbers, in their order.
    var counters: [Counter] {
        guard case .object(let members) = self else { return [] }
        return members.compactMap { member in
            member.value.number.map { Counter(name: member.name, value: $0) }
        }
    }
}

/// A named number.
struct Counter: Equatable, Sendable {
    let name: String
    let value: Double
}

extension [Counter] {
    /// The value of a name; nil if there is none.
    subscript(name: String) -> Double? { first { $0.name == name }?.value }

    /// All values together.
    var sum: Double { reduce(0) { $0 + $1.value } }
}
