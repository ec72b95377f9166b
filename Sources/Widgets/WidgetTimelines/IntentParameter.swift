internal import Synchronization

/// The property wrapper `@Parameter` for a parameter of a widget's configuration.
///
/// It is a class, as on iOS: copies of an intent share the chosen value.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameter>.
@propertyWrapper
public final class IntentParameter<Value: Sendable>: Sendable {
    /// Nil while a required parameter has no value.
    private let chosen: Mutex<Value?>

    /// The chosen or default value.
    ///
    /// Traps for a required parameter that has no value yet.
    public var wrappedValue: Value {
        get {
            guard let value = chosen.withLock({ $0 }) else {
                preconditionFailure("nobody has chosen the parameter's value")
            }
            return value
        }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Makes a parameter with a default value, titled with its property's name.
    public init(wrappedValue: Value) {
        chosen = Mutex(wrappedValue)
    }

    /// - Parameters:
    ///   - wrappedValue: the default value.
    ///   - title: the title that people see.
    public init(wrappedValue: Value, title: String) {
        chosen = Mutex(wrappedValue)
    }

    /// - Parameters:
    ///   - title: the title that people see.
    ///   - value: the default value.
    public init(title: String, default value: Value) {
        chosen = Mutex(value)
    }

    /// Makes an optional parameter whose default is nil.
    public init<Wrapped>(title: String) where Value == Wrapped? {
        chosen = Mutex(.some(nil))
    }

    /// Makes a required parameter.
    ///
    /// - Parameter title: the title that people see.
    @_disfavoredOverload
    public init(title: String) {
        chosen = Mutex(nil)
    }
}

/// The interface of `IntentParameter` that does not depend on the type of its value.
protocol ParameterWrapper {
    /// The value; nil inside `Any` if there is none.
    var anyValue: Any { get }
    /// Sets the value; ignores one that the parameter cannot have.
    func choose(_ value: ParameterValue)
}

extension IntentParameter: ParameterWrapper {
    var anyValue: Any { chosen.withLock { $0 } as Any }

    func choose(_ value: ParameterValue) {
        guard let value = value.make(Value.self) as? Value else { return }
        chosen.withLock { $0 = value }
    }
}
