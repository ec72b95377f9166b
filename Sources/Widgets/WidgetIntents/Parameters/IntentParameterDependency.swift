/// The property wrapper `@IntentParameterDependency`: the values that a person has chosen for other
/// parameters so far, on which a query's results depend.
///
/// No configuration is edited here, so it is always nil.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentparameterdependency>.
@propertyWrapper
public struct IntentParameterDependency<Intent: AppIntent>: Sendable {
    /// The values so far; nil while no configuration is edited.
    public var wrappedValue: IntentProjection<Intent>? { nil }

    /// Makes a dependency on parameters.
    public init<each Value: Sendable>(
        _ parameters: repeat KeyPath<Intent, IntentParameter<each Value>>
    ) {}
}

/// The values that a person has chosen for the parameters of an intent so far.
@dynamicMemberLookup
public struct IntentProjection<Intent: AppIntent>: Sendable {
    private let intent: Intent

    /// A chosen value.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Intent, Value>) -> Value {
        intent[keyPath: path]
    }

    /// A chosen value of an optional parameter.
    ///
    /// Traps if there is none; a projection exists only when its parameters have values.
    public subscript<Value>(dynamicMember path: KeyPath<Intent, Value?>) -> Value {
        guard let value = intent[keyPath: path] else {
            preconditionFailure("a parameter has no value yet")
        }
        return value
    }
}
