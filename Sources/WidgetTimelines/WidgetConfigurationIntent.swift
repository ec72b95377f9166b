/// A configuration that a person has chosen for a widget, with its parameters as `@Parameter`s or
/// plain stored properties.
///
/// Source: <https://developer.apple.com/documentation/appintents/widgetconfigurationintent>.
public protocol WidgetConfigurationIntent: Sendable {
    /// What people are shown above the parameters.
    static var title: LocalizedStringResource { get }
    /// What it is about.
    static var description: IntentDescription { get }

    /// With every parameter as it is when nobody has chosen one.
    init()
}

extension WidgetConfigurationIntent {
    /// The type's name.
    public static var title: LocalizedStringResource { LocalizedStringResource("\(Self.self)") }
    /// Nothing.
    public static var description: IntentDescription { "" }
}

/// Text for people, in the language of the code.
public struct LocalizedStringResource: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let key: String

    /// The text as it is.
    public init(stringLiteral text: String) {
        key = text
    }

    init(_ text: String) {
        key = text
    }
}

/// What an intent is about.
public struct IntentDescription: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let descriptionText: LocalizedStringResource

    /// - Parameter text: a sentence.
    public init(_ text: LocalizedStringResource) {
        descriptionText = text
    }

    /// A sentence.
    public init(stringLiteral text: String) {
        descriptionText = LocalizedStringResource(text)
    }
}

/// A parameter of a configuration.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameter>.
@propertyWrapper
public struct IntentParameter<Value: Sendable>: Sendable {
    /// Nil while a parameter that must be chosen is not.
    var chosen: Value?

    /// What was chosen.
    ///
    /// To be read only when it was, if there is no value for when it was not.
    public var wrappedValue: Value {
        get {
            guard let chosen else { preconditionFailure("nobody has chosen the parameter's value") }
            return chosen
        }
        set { chosen = newValue }
    }

    /// A parameter that is shown under its property's name.
    public init(wrappedValue: Value) {
        chosen = wrappedValue
    }

    /// - Parameters:
    ///   - wrappedValue: the value when nobody has chosen one.
    ///   - title: what the person is shown.
    public init(wrappedValue: Value, title: String) {
        chosen = wrappedValue
    }

    /// - Parameters:
    ///   - title: what the person is shown.
    ///   - value: the value when nobody has chosen one.
    public init(title: String, default value: Value) {
        chosen = value
    }

    /// A parameter that has no value when nobody has chosen one.
    public init<Wrapped>(title: String) where Value == Wrapped? {
        chosen = .some(nil)
    }

    /// A parameter that must be chosen.
    ///
    /// - Parameter title: what the person is shown.
    @_disfavoredOverload
    public init(title: String) {
        chosen = nil
    }
}

extension WidgetConfigurationIntent {
    /// The attribute of a parameter.
    public typealias Parameter = IntentParameter
}
