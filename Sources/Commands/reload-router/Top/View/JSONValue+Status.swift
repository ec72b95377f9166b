import Basics

/// Access to the JSON of an answer of the admin API.
///
/// A member that is missing, or of another type, reads as nil, false or empty: a router may report
/// less, or more, than this program knows.
extension JSONValue {
    init(_ bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withByteView { (view) throws(JSONError) in try JSONValue(parsing: view) }
    }

    /// The value of a member; `.null` if there is none.
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

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    var elements: [JSONValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// The members that are numbers, in the order of the object.
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
    subscript(name: String) -> Double? { first { $0.name == name }?.value }

    var sum: Double { reduce(0) { $0 + $1.value } }
}
