/// The sentence in which people see the parameters of an intent; it has no effect here.
///
/// Source: <https://developer.apple.com/documentation/appintents/parametersummary>.
public protocol ParameterSummary: Sendable {}

/// No sentence.
public struct EmptyParameterSummary: ParameterSummary {}

/// A sentence with parameters in it, and those that follow it.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    /// Makes a summary of a sentence.
    public init(_ text: ParameterSummaryString<Intent>, table: String? = nil) {}

    /// Makes a summary of a sentence and more parameters.
    public init(
        _ text: ParameterSummaryString<Intent>,
        table: String? = nil,
        @ParameterKeyPathsBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]
    ) {}

    /// Makes a summary of parameters alone.
    public init(@ParameterKeyPathsBuilder<Intent> _ parameters: () -> [PartialKeyPath<Intent>]) {}

    /// Makes an empty summary.
    public init() {}
}

/// A sentence with parameters in it: `"Show \(\.$character)"`.
public struct ParameterSummaryString<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable
{
    /// Makes a sentence without parameters.
    public init(stringLiteral text: String) {}

    /// Makes a sentence from its pieces.
    public init(stringInterpolation: StringInterpolation) {}

    /// Collects the pieces of a sentence.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// Starts a sentence.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds the text between two parameters.
        public mutating func appendLiteral(_ literal: String) {}

        /// Adds a parameter.
        public mutating func appendInterpolation<Value>(
            _ parameter: KeyPath<Intent, IntentParameter<Value>>
        ) {}

        /// Adds one of the parameters that the person has chosen.
        public mutating func appendInterpolation<Value>(
            _ parameter: KeyPath<Intent, IntentParameter<Value>>,
            valueSpecifier: String
        ) {}
    }
}

/// Combines the parameters of a block.
@resultBuilder
public enum ParameterKeyPathsBuilder<Intent: AppIntent> {
    /// A parameter of the block.
    public static func buildExpression<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>
    ) -> PartialKeyPath<Intent> {
        parameter
    }
    /// The block.
    public static func buildBlock(
        _ parameters: PartialKeyPath<Intent>...
    ) -> [PartialKeyPath<Intent>] {
        parameters
    }
}

/// Combines the summaries of a block.
@resultBuilder
public enum ParameterSummaryBuilder<Intent: AppIntent> {
    /// The summary of the block.
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content {
        content
    }
    /// No summary.
    public static func buildBlock() -> EmptyParameterSummary { EmptyParameterSummary() }
    /// An `if` that holds.
    public static func buildEither(
        first content: some ParameterSummary
    ) -> EmptyParameterSummary { EmptyParameterSummary() }
    /// An `else`.
    public static func buildEither(
        second content: some ParameterSummary
    ) -> EmptyParameterSummary { EmptyParameterSummary() }
    /// An `if` without an `else`.
    public static func buildOptional(
        _ content: (some ParameterSummary)?
    ) -> EmptyParameterSummary { EmptyParameterSummary() }
}

extension AppIntent {
    /// A sentence with parameters in it.
    public typealias Summary = IntentParameterSummary<Self>
    /// A summary that depends on a parameter.
    public typealias When<WhenTrue: ParameterSummary, WhenFalse: ParameterSummary> =
        ParameterSummaryWhenCondition<Self, WhenTrue, WhenFalse>
    /// A summary for each value of a parameter.
    public typealias Switch<Value> = ParameterSummarySwitchCondition<Self, Value>
    /// The summary for some values of a parameter.
    public typealias Case<Value> = ParameterSummaryCaseCondition<Self, Value>
    /// The summary for all other values of a parameter.
    public typealias DefaultCase<Value> = ParameterSummaryDefaultCaseCondition<Self, Value>
}
