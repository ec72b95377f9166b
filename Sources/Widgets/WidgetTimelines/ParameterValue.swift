/// The value of a configuration's parameter, in the forms that a push can be compared with.
package enum ParameterValue: Equatable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int64)
    /// A Boolean.
    case boolean(Bool)
    case list([ParameterValue])
}

extension WidgetChoice {
    /// The names and values of the parameters that have one, in the order of declaration; those of
    /// superclasses come first.
    ///
    /// The parameters are the intent's stored properties. An enum counts as its raw value, an
    /// `Identifiable` value as its id. Other values that are not text, a number, a Boolean or a
    /// list of these are left out.
    package var parameters: [(name: String, value: ParameterValue)] {
        intent.map { Self.parameters(of: Mirror(reflecting: $0)) } ?? []
    }

    private static func parameters(of mirror: Mirror) -> [(name: String, value: ParameterValue)] {
        var found = mirror.superclassMirror.map(parameters(of:)) ?? []
        for (label, value) in mirror.children {
            guard var name = label else { continue }
            var stored = value
            if let wrapper = value as? any ParameterWrapper {
                // A wrapped property is stored under its name with an underscore.
                assert(name.hasPrefix("_"), "the parameter \(name) is not declared with @Parameter")
                name.removeFirst()
                stored = wrapper.anyValue
            }
            if let value = ParameterValue(any: stored) { found.append((name, value)) }
        }
        return found
    }
}

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
