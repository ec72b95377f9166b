package import Basics
internal import Cryptography
internal import RouterCore

/// An object of an answer. `protocol/admin.table` says which members it has; `Members.swift`, which
/// is made from it, writes them.
package protocol AnswerObject: Sendable {
    /// Writes its members into an open object.
    func writeMembers(to json: inout JSONWriter)
}

extension RouterStatus: AdminBody {}
extension DeviceView: AdminBody {}
extension PushHistory: AdminBody {}

extension AdminBody where Self: AnswerObject {
    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }
}

/// Members of the types that the table has.
extension JSONWriter {
    /// The bytes of one object.
    static func object(_ value: some AnswerObject) -> [UInt8] {
        object { value.writeMembers(to: &$0) }
    }

    /// An object member; null for nil.
    mutating func member(_ name: String, value: (some AnswerObject)?) {
        object(name, of: value) { $0.writeMembers(to: &$1) }
    }

    /// A member whose value is the name of a case; null for nil.
    mutating func member(_ name: String, value: (some RawRepresentable<String>)?) {
        member(name, value: value?.rawValue)
    }

    /// An object member with a number under each name.
    mutating func member(_ name: String, counts: [(String, some BinaryInteger)]) {
        object(name) { json in
            for (name, count) in counts { json.member(name, value: count) }
        }
    }

    /// An object member with a number under each name, in the order of the names.
    mutating func member(_ name: String, counts: [String: Int]) {
        member(name, counts: counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Writes how much an app file declares as the members `apps` and `kinds`.
    package mutating func members(of catalog: AppCatalog) {
        member("apps", value: catalog.apps.count)
        member("kinds", value: catalog.apps.reduce(0) { $0 + $1.kinds.count })
    }

    /// A member that is a length of time in µs, with one decimal below 100 µs.
    mutating func member(_ name: String, microseconds length: Nanoseconds) {
        key(name)
        let number = length.rawValue
        if number < 100_000 {
            self.number(Double((number + 50) / 100) / 10)
        } else {
            integer((number + 500) / 1_000)
        }
    }

    /// An object member; `body` writes its members. Null for nil.
    mutating func object<Value>(
        _ name: String,
        of value: Value?,
        body: (Value, inout JSONWriter) -> Void
    ) {
        key(name)
        guard let value else { return null() }
        object { json in body(value, &json) }
    }

    /// A list member of objects; `body` writes the members of each.
    mutating func objects<Element>(
        _ name: String,
        of elements: [Element],
        body: (Element, inout JSONWriter) -> Void
    ) {
        list(name, of: elements) { element, json in
            json.object { json in body(element, &json) }
        }
    }

    /// A list member of objects.
    mutating func list(_ name: String, of elements: [some AnswerObject]) {
        objects(name, of: elements) { $0.writeMembers(to: &$1) }
    }

    /// A list member of numbers.
    mutating func list(_ name: String, of numbers: [Int]) {
        list(name, of: numbers) { number, json in json.integer(Int64(number)) }
    }
}

// MARK: - Values of members that no property has

extension DeviceView {
    var isOnline: Bool { connection != nil }
}

extension APNsPushView {
    var isReached: Bool { channel != nil }
}

extension APNsChannel {
    var name: String { "\(self)" }
}

extension EndedTokenView {
    /// The hash by which the app's own database finds the token.
    var tokenDigest: String { token.withByteView { SHA256.digest($0).hexadecimal } }
}

extension RecentLatency {
    /// Nil if nothing was measured.
    var measured: RecentLatency? { isEmpty ? nil : self }
}

extension Operator {
    var sortedApps: [String]? { apps?.sorted() }
}
