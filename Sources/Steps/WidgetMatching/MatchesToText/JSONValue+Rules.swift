internal import Basics
internal import EventPatterns

/// Values as rules see them, for `RuleExplainer`.
extension JSONValue {
    /// The elements of a list; the value itself if it is not a list.
    var elements: [JSONValue] {
        if case .list(let elements) = self { return elements }
        return [self]
    }

    /// The scalars to which a field's tests apply: the value itself, or the elements of a list and
    /// of the lists in it, at any depth. Objects are left out.
    var scalars: [JSONValue] {
        if case .list(let elements) = self { return elements.flatMap(\.scalars) }
        return isObject ? [] : [self]
    }

    /// Whether the value is an object.
    var isObject: Bool {
        if case .object = self { return true }
        return false
    }

    /// Whether two values are the same scalar: strings compare by bytes, numbers by exact value.
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.number(let left), .number(let right)): DecimalOrder.compare(left, to: right) == 0
        case (.boolean(let left), .boolean(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }

    /// The JSON value that a rule's value stands for.
    init(_ value: PatternValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .number(let text): .number(text)
            case .boolean(let value): .boolean(value)
            case .null: .null
            }
    }
}
