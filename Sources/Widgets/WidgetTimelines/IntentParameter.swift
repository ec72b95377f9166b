internal import Synchronization

/// A parameter of a configuration.
///
/// A class, as on iOS: copies of an intent share what was chosen.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameter>.
@propertyWrapper
public final class IntentParameter<Value: Sendable>: Sendable {
    /// Nil while a parameter that must be chosen is not.
    private let chosen: Mutex<Value?>

    /// What was chosen.
    ///
    /// To be read only when it was, if there is no value for when it was not.
    public var wrappedValue: Value {
        get {
            guard let value = chosen.withLock({ $0 }) else {
                preconditionFailure("nobody has chosen the parameter's value")
            }
            return value
        }
        set { chosen.withLock { $0 = newValue } }
    }

    /// A parameter that is shown under its property's name.
    public init(wrappedValue: Value) {
        chosen = Mutex(wrappedValue)
    }

    /// - Parameters:
    ///   - wrappedValue: the value when nobody has chosen one.
    ///   - title: what the person is shown.
    public init(wrappedValue: Value, title: String) {
        chosen = Mutex(wrappedValue)
    }

    /// - Parameters:
    ///   - title: what the person is shown.
    ///   - value: the value when nobody has chosen one.
    public init(title: String, default value: Value) {
        chosen = Mutex(value)
    }

    /// A parameter that has no value when nobody has chosen one.
    public init<Wrapped>(title: String) where Value == Wrapped? {
        chosen = Mutex(.some(nil))
    }

    /// A parameter that must be chosen.
    ///
    /// - Parameter title: what the person is shown.
    @_disfavoredOverload
    public init(title: String) {
        chosen = Mutex(nil)
    }
}

/// A property wrapper whose value is a parameter.
protocol ParameterWrapper {
    var anyValue: Any { get }
    /// Chooses a value, if it is one that the parameter can have.
    func choose(_ value: ParameterValue)
}

extension IntentParameter: ParameterWrapper {
    var anyValue: Any { chosen.withLock { $0 } as Any }

    func choose(_ value: ParameterValue) {
        guard let value = value.make(Value.self) as? Value else { return }
        chosen.withLock { $0 = value }
    }
}
