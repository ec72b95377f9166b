internal import Synchronization

/// The property wrapper `@Parameter` for a parameter of an app intent.
///
/// It is a class, as on iOS: copies of an intent share the chosen value.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameter>.
@propertyWrapper
public final class IntentParameter<Value: Sendable>: Sendable {
    /// Nil while a required parameter has no value.
    private let chosen: Mutex<Value?>
    /// The title that people see; nil if it is the property's name.
    public let title: LocalizedStringResource?
    /// What finds entities; nil for their default query.
    package let query: (any EntityQuery)?

    /// The chosen or default value.
    ///
    /// Traps for a required parameter that has no value yet.
    public var wrappedValue: Value {
        get {
            guard let value = chosen.withLock({ $0 }) else {
                preconditionFailure("the parameter \(title?.text ?? "") has no value yet")
            }
            return value
        }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The parameter itself, for `$parameter`.
    public var projectedValue: IntentParameter<Value> { self }

    init(chosen: Value?, title: LocalizedStringResource? = nil, query: (any EntityQuery)? = nil) {
        self.chosen = Mutex(chosen)
        self.title = title
        self.query = query
    }
}

/// The interface of `IntentParameter` that does not depend on the type of its value.
package protocol ParameterWrapper {
    /// The value; nil inside `Any` if there is none.
    var anyValue: Any { get }
    /// The type of the values.
    var valueType: Any.Type { get }
    /// What finds entities; nil for their default query.
    var query: (any EntityQuery)? { get }
    /// Sets the value; ignores one of another type.
    func choose(any value: Any)
}

extension IntentParameter: ParameterWrapper {
    /// The value; nil inside `Any` if there is none.
    package var anyValue: Any { chosen.withLock { $0 } as Any }

    /// The type of the values.
    package var valueType: Any.Type { Value.self }

    /// Sets the value; ignores one of another type.
    package func choose(any value: Any) {
        guard let value = value as? Value else { return }
        chosen.withLock { $0 = value }
    }
}

extension IntentParameter: CustomStringConvertible {
    /// The value.
    public var description: String { chosen.withLock { $0.map { "\($0)" } } ?? "no value" }
}
