/// A configuration that a person has chosen for a widget, with its parameters as `@Parameter`s or
/// plain stored properties.
///
/// Source: <https://developer.apple.com/documentation/appintents/widgetconfigurationintent>.
public protocol WidgetConfigurationIntent: Sendable {
    /// With every parameter as it is when nobody has chosen one.
    init()
}

/// A parameter of a configuration.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameter>.
@propertyWrapper
public struct IntentParameter<Value: Sendable>: Sendable {
    /// What was chosen.
    public var wrappedValue: Value

    /// A parameter that is shown under its property's name.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// - Parameters:
    ///   - wrappedValue: the value when nobody has chosen one.
    ///   - title: what the person is shown.
    public init(wrappedValue: Value, title: String) {
        self.wrappedValue = wrappedValue
    }

    /// - Parameters:
    ///   - title: what the person is shown.
    ///   - value: the value when nobody has chosen one.
    public init(title: String, default value: Value) {
        wrappedValue = value
    }

    /// A parameter that has no value when nobody has chosen one.
    public init<Wrapped>(title: String) where Value == Wrapped? {
        wrappedValue = nil
    }
}

extension WidgetConfigurationIntent {
    /// The attribute of a parameter.
    public typealias Parameter = IntentParameter
}
