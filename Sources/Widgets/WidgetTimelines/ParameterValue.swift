/// The value of a configuration's parameter, in the forms that a push can be compared with.
package enum ParameterValue: Equatable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int64)
    /// A Boolean.
    case boolean(Bool)
    case list([ParameterValue])
}

// Conversion to and from the types of intents' properties, which are known only at run time.

extension ParameterValue {
    /// Converts any value; nil if it has none of the forms.
    init?(any value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let boolean as Bool: self = .boolean(boolean)
        case let integer as any BinaryInteger:
            guard let integer = Int64(exactly: integer) else { return nil }
            self = .integer(integer)
        case let number as any BinaryFloatingPoint: self = .number(Double(number))
        case let value as any RawRepresentable: self.init(any: value.rawValue)
        case let value as any EntityIdentifierConvertible:
            self = .text(value.entityIdentifierString)
        case let value as any Identifiable: self.init(any: value.id)
        default: self.init(children: Mirror(reflecting: value))
        }
    }

    private init?(children mirror: Mirror) {
        switch mirror.displayStyle {
        case .optional:
            guard let some = mirror.children.first else { return nil }
            self.init(any: some.value)
        case .collection, .set:
            self = .list(mirror.children.compactMap { ParameterValue(any: $0.value) })
        default: return nil
        }
    }
}

extension ParameterValue {
    /// Converts the value to a property's type: text, a number, a Boolean, an enum by its raw
    /// value, an optional, or an array of these.
    ///
    /// An entity is found by its id, with its own query or that of the parameter.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - entities: finds entities.
    /// - Returns: nil if the type has no such value.
    /// - Throws: `WidgetChoiceError` if a query finds no entity of the id.
    func make(_ type: Any.Type, entities: EntityLookup) throws(WidgetChoiceError) -> Any? {
        if let optional = type as? any OptionalType.Type {
            return try make(optional.wrapped, entities: entities)
        }
        if let entity = type as? any AppEntity.Type { return try entities.find(entity, id: self) }
        if case .list(let values) = self {
            return try (type as? any ListType.Type)?.make(values, entities: entities)
        }
        return makePlain(type)
    }

    /// Converts the value to a type that is neither a list nor an entity.
    func makePlain(_ type: Any.Type) -> Any? {
        if let raw = type as? any RawRepresentable.Type { return make(raw: raw) }
        switch self {
        case .text(let text): return type == String.self ? text : nil
        case .boolean(let boolean): return type == Bool.self ? boolean : nil
        case .integer(let integer):
            if let type = type as? any FixedWidthInteger.Type { return type.init(exactly: integer) }
            return (type as? any BinaryFloatingPoint.Type)?.init(exactly: integer)
        case .number(let number):
            if let type = type as? any FixedWidthInteger.Type { return type.init(exactly: number) }
            return (type as? any BinaryFloatingPoint.Type)?.init(number)
        case .list: return nil
        }
    }

    private func make<Raw: RawRepresentable>(raw type: Raw.Type) -> Any? {
        (makePlain(Raw.RawValue.self) as? Raw.RawValue).flatMap { Raw(rawValue: $0) }
    }

    /// The value as an `INIntent`'s property stores it.
    var object: Any {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .integer(let integer): Int(integer)
        case .boolean(let boolean): boolean
        case .list(let values): values.map(\.object)
        }
    }

    /// Whether both values are the same to a router: 3 equals 3.0.
    func isSame(as other: ParameterValue) -> Bool {
        switch (self, other) {
        case (.integer(let integer), .number(let number)),
            (.number(let number), .integer(let integer)):
            Double(exactly: integer) == number
        case (.list(let one), .list(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        default: self == other
        }
    }
}

/// `Optional` of any type.
private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
}

/// `Array` of any elements.
private protocol ListType {
    static func make(
        _ values: [ParameterValue],
        entities: EntityLookup
    ) throws(WidgetChoiceError) -> Any?
}

extension Array: ListType {
    static func make(
        _ values: [ParameterValue],
        entities: EntityLookup
    ) throws(WidgetChoiceError) -> Any? {
        var elements: [Element] = []
        for value in values {
            guard let element = try value.make(Element.self, entities: entities) as? Element
            else { return nil }
            elements.append(element)
        }
        return elements
    }
}
