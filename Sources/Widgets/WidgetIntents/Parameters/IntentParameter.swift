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

    private init(
        chosen: Value?,
        title: LocalizedStringResource?,
        query: (any EntityQuery)?
    ) {
        self.chosen = Mutex(chosen)
        self.title = title
        self.query = query
    }

    /// Makes a parameter with a default value, titled with its property's name.
    public convenience init(wrappedValue: Value) {
        self.init(chosen: wrappedValue, title: nil, query: nil)
    }

    /// - Parameters:
    ///   - wrappedValue: the default value.
    ///   - title: the title that people see.
    ///   - description: the description that people see.
    public convenience init(
        wrappedValue: Value,
        title: LocalizedStringResource,
        description: LocalizedStringResource? = nil
    ) {
        self.init(chosen: wrappedValue, title: title, query: nil)
    }

    /// Makes an optional parameter without a title.
    public convenience init<Wrapped>() where Value == Wrapped? {
        self.init(chosen: .some(nil), title: nil, query: nil)
    }

    /// Makes a required parameter without a title.
    @_disfavoredOverload
    public convenience init() {
        self.init(chosen: nil, title: nil, query: nil)
    }

    /// Makes an optional parameter. Of what it declares, the default value and the query of
    /// entities have an effect here.
    public convenience init<Wrapped>(
        title: LocalizedStringResource,
        description: LocalizedStringResource? = nil,
        default value: Wrapped? = nil,
        displayName: Bool.IntentDisplayName? = nil,
        kind: IntentDateKind? = nil,
        controlStyle: IntentControlStyle? = nil,
        inclusiveRange: (lowerBound: Wrapped, upperBound: Wrapped)? = nil,
        supportedTypeIdentifiers: [String]? = nil,
        supportedContentTypes: [Any]? = nil,
        size: IntentCollectionSize? = nil,
        inputOptions: IntentInputOptions? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider options: (any DynamicOptionsProvider)? = nil,
        query: (any EntityQuery)? = nil
    ) where Value == Wrapped? {
        self.init(chosen: .some(value), title: title, query: query)
    }

    /// Makes a required parameter, or one with a default value. Of what it declares, the default
    /// value and the query of entities have an effect here.
    @_disfavoredOverload
    public convenience init(
        title: LocalizedStringResource,
        description: LocalizedStringResource? = nil,
        default value: Value? = nil,
        displayName: Bool.IntentDisplayName? = nil,
        kind: IntentDateKind? = nil,
        controlStyle: IntentControlStyle? = nil,
        inclusiveRange: (lowerBound: Value, upperBound: Value)? = nil,
        supportedTypeIdentifiers: [String]? = nil,
        supportedContentTypes: [Any]? = nil,
        size: IntentCollectionSize? = nil,
        inputOptions: IntentInputOptions? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider options: (any DynamicOptionsProvider)? = nil,
        query: (any EntityQuery)? = nil
    ) {
        self.init(chosen: value, title: title, query: query)
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

extension IntentParameter {
    /// Asks the person for a value; here there is no person, so it fails.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value {
        throw needsValueError(dialog)
    }

    /// Asks the person to choose among values; here there is no person, so it fails.
    public func requestDisambiguation(
        among values: [Value],
        dialog: IntentDialog? = nil
    ) async throws -> Value {
        throw needsValueError(dialog)
    }

    /// Asks the person to confirm a value; here there is no person, so it is confirmed.
    public func requestConfirmation(
        for value: Value,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        true
    }

    /// The error of an intent whose parameter has no value.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        AppIntentError(dialog?.full.text ?? "a parameter has no value")
    }

    /// The error of an intent whose parameter has several values.
    public func needsDisambiguationError(
        among values: [Value],
        dialog: IntentDialog? = nil
    ) -> AppIntentError {
        AppIntentError(dialog?.full.text ?? "a parameter has several values")
    }
}
