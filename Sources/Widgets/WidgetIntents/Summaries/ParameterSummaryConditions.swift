/// How the value of a parameter is compared.
public enum ComparableParameterSummaryOperator: Sendable {
    case equalTo
    case notEqualTo
    case lessThan
    case lessThanOrEqualTo
    case greaterThan
    case greaterThanOrEqualTo
}

/// How the value of a parameter is compared with several values.
public enum OneOfParameterSummaryOperator: Sendable {
    case oneOf
    case notOneOf
}

/// Whether a parameter has a value.
public enum HasValueParameterSummaryOperator: Sendable {
    case hasAnyValue
    case hasNoValue
}

/// A summary that depends on a parameter, or on the size of the widget.
///
/// Source: <https://developer.apple.com/documentation/appintents/parametersummarywhencondition>.
public struct ParameterSummaryWhenCondition<
    Intent: AppIntent,
    WhenTrue: ParameterSummary,
    WhenFalse: ParameterSummary
>: ParameterSummary {
    /// Compares a parameter with a value.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ComparableParameterSummaryOperator,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}

    /// Compares an optional parameter with a value.
    @_disfavoredOverload
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value?>>,
        _ comparison: ComparableParameterSummaryOperator,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}

    /// Compares a parameter with several values.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: OneOfParameterSummaryOperator,
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}

    /// Asks whether a parameter has a value.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: HasValueParameterSummaryOperator,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}

    /// Asks for the size of the widget.
    public init(
        widgetFamily comparison: ComparableParameterSummaryOperator,
        _ family: IntentWidgetFamily,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}

    /// Asks whether the widget has one of several sizes.
    public init(
        widgetFamily comparison: OneOfParameterSummaryOperator,
        _ families: [IntentWidgetFamily],
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue,
        @ParameterSummaryBuilder<Intent> otherwise: () -> WhenFalse
    ) {}
}

extension ParameterSummaryWhenCondition where WhenFalse == EmptyParameterSummary {
    /// Compares a parameter with a value.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ComparableParameterSummaryOperator,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue
    ) {}

    /// Asks whether a parameter has a value.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: HasValueParameterSummaryOperator,
        @ParameterSummaryBuilder<Intent> _ whenTrue: () -> WhenTrue
    ) {}
}

/// A summary for each value of a parameter.
public struct ParameterSummarySwitchCondition<Intent: AppIntent, Value>: ParameterSummary {
    /// Makes a summary for each value of a parameter.
    public init(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        @ParameterSummaryCaseBuilder<Intent, Value> _ cases: () -> EmptyParameterSummary
    ) where Value: Sendable {}

    /// Makes a summary for each size of the widget.
    public init(
        _ family: ParameterSummaryWidgetFamily,
        @ParameterSummaryCaseBuilder<Intent, Value> _ cases: () -> EmptyParameterSummary
    ) where Value == IntentWidgetFamily {}
}

/// The size of the widget, in `Switch(.widgetFamily)`.
public enum ParameterSummaryWidgetFamily: Sendable {
    case widgetFamily
}

/// The summary for some values of a parameter.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value>: ParameterSummary {
    /// The summary for a value.
    public init<Content: ParameterSummary>(
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) {}

    /// The summary for several values.
    public init<Content: ParameterSummary>(
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) {}
}

/// The summary for all other values of a parameter.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent, Value>: ParameterSummary {
    /// The summary.
    public init<Content: ParameterSummary>(
        @ParameterSummaryBuilder<Intent> _ content: () -> Content
    ) {}
}

/// Combines the cases of a block.
@resultBuilder
public enum ParameterSummaryCaseBuilder<Intent: AppIntent, Value> {
    /// A case of the block.
    public static func buildExpression(
        _ content: ParameterSummaryCaseCondition<Intent, Value>
    ) -> EmptyParameterSummary { EmptyParameterSummary() }
    /// The last case of the block.
    public static func buildExpression(
        _ content: ParameterSummaryDefaultCaseCondition<Intent, Value>
    ) -> EmptyParameterSummary { EmptyParameterSummary() }
    /// The block.
    public static func buildBlock(_ cases: EmptyParameterSummary...) -> EmptyParameterSummary {
        EmptyParameterSummary()
    }
}
