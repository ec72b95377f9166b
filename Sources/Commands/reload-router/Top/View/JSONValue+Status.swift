import DataStructures
import StrictJSON

/// A status as `top` reads it.
///
/// What is missing, or of another type than expected, is nothing: a router may tell less, or more,
/// than this program knows of.
extension JSONValue {
    /// - Throws: `JSONError` if the bytes are not one JSON object.
    init(_ bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withByteView { (view) throws(JSONError) in try JSONValue(parsing: view) }
    }

    /// A member of an object.
    subscript(name: String) -> JSONValue { member(name) ?? .null }

    var number: Double? {
        guard case .number(let text) = self else { return nil }
        return Double(text) ?? 0
    }

    var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    var isTrue: Bool { self == .boolean(true) }

    var elements: [JSONValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// The members that are numbers, in their order.
    var counters: [Counter] {
        members.compactMap { member in
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
