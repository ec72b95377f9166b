/// One value of a widget's configuration: what a rule compares with the fields of a push.
///
/// Literals make one, and `init` makes one of a variable.
public enum ConfigurationValue: Hashable, Sendable {
    /// A text, such as an entity's id.
    case string(String)
    /// A number; beyond 2^53, use a text.
    case number(Double)
    /// True or false.
    case boolean(Bool)
    /// A list of values that are no lists.
    case list([ConfigurationValue])

    /// Makes a text; nil if there is none.
    public init?(_ string: String?) {
        guard let string else { return nil }
        self = .string(string)
    }

    /// Makes a number; nil if there is none.
    public init?(_ number: (some BinaryInteger)?) {
        guard let number else { return nil }
        self = .number(Double(number))
    }

    /// Makes a number; nil if there is none.
    public init?(_ number: Double?) {
        guard let number else { return nil }
        self = .number(number)
    }

    /// Makes true or false; nil if there is neither.
    public init?(_ boolean: Bool?) {
        guard let boolean else { return nil }
        self = .boolean(boolean)
    }

    /// Makes a list of texts; nil if there is none.
    public init?(_ strings: [String]?) {
        guard let strings else { return nil }
        self = .list(strings.map(ConfigurationValue.string))
    }
}

extension ConfigurationValue: Codable {
    /// Reads a value of JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else {
            self = .list(try container.decode([ConfigurationValue].self))
        }
    }

    /// Writes the value as JSON has it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let string): try container.encode(string)
        case .number(let number): try container.encode(number)
        case .boolean(let boolean): try container.encode(boolean)
        case .list(let values): try container.encode(values)
        }
    }
}

extension ConfigurationValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Makes true or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Makes a list.
    public init(arrayLiteral elements: ConfigurationValue...) { self = .list(elements) }
}
