/// A JSON value as the model has it: compared by definition, not by bytes.
indirect enum ModelValue {
    case string(String)
    case number(ModelNumber)
    case boolean(Bool)
    case null
    case list([ModelValue])
    case object([ModelMember])

    /// Whether two values are the same scalar: same type, same value.
    func isSame(as other: ModelValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.number(let left), .number(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }

    var isScalar: Bool {
        switch self {
        case .list, .object: false
        case .string, .number, .boolean, .null: true
        }
    }

    /// The value of an object's member.
    func member(_ name: String) -> ModelValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The scalars that a field's tests look at.
    var scalars: [ModelValue] { leaves.filter(\.isScalar) }

    /// The elements of a list, and of the lists in it, that are no lists; or the one value.
    var leaves: [ModelValue] {
        if case .list(let elements) = self { return elements.flatMap(\.leaves) }
        return [self]
    }

    /// A list's elements, or the one value.
    var elements: [ModelValue] {
        if case .list(let elements) = self { return elements }
        return [self]
    }
}

/// A member of an object.
struct ModelMember {
    let name: String
    let value: ModelValue
}

extension String {
    /// Equality by bytes; Swift's own is by what the text looks like.
    func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
