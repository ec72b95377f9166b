internal import Synchronization

/// The property wrapper `@Property`: a part of an entity that people see.
///
/// Source: <https://developer.apple.com/documentation/appintents/entityproperty>.
@propertyWrapper
public final class EntityProperty<Value: Sendable>: Sendable {
    private let stored: Mutex<Value?>

    /// The value.
    ///
    /// Traps if it was not set.
    public var wrappedValue: Value {
        get {
            guard let value = stored.withLock({ $0 }) else {
                preconditionFailure("a property of an entity was not set")
            }
            return value
        }
        set { stored.withLock { $0 = newValue } }
    }

    /// The property itself, for `$property`.
    public var projectedValue: EntityProperty<Value> { self }

    /// Makes a property with a value.
    public init(wrappedValue: Value, title: LocalizedStringResource? = nil) {
        stored = Mutex(wrappedValue)
    }

    /// Makes an optional property.
    public init<Wrapped>(title: LocalizedStringResource? = nil) where Value == Wrapped? {
        stored = Mutex(.some(nil))
    }

    /// Makes a property that is set later.
    @_disfavoredOverload
    public init(title: LocalizedStringResource? = nil) { stored = Mutex(nil) }
}
