/// What performing an intent leads to.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentresult>.
public protocol IntentResult: Sendable {
    associatedtype Value
    /// The value of the result; nil if it has none.
    var value: Value? { get }
}

/// A result with a value.
public protocol ReturnsValue<Value>: IntentResult {}

/// A result with words for the person.
public protocol ProvidesDialog: IntentResult {}

/// A result with a view for the person.
public protocol ShowsSnippetView: IntentResult {}

/// A result with an intent whose result is shown to the person.
public protocol ShowsSnippetIntent: IntentResult {}

/// A result that leads to another intent.
public protocol OpensIntent: IntentResult {}

/// The result of an intent, with what it was made of.
public struct IntentResultContainer<Value: Sendable>: ReturnsValue, ProvidesDialog,
    ShowsSnippetView, ShowsSnippetIntent, OpensIntent
{
    /// The value; nil if there is none.
    public let value: Value?
    /// The words for the person; nil if there are none.
    public let dialog: IntentDialog?
}

/// The result of an intent that returns nothing.
public typealias NoIntentResult = IntentResultContainer<Never>

extension IntentResultContainer where Value == Never {
    /// Makes a result without anything.
    public init() {
        value = nil
        dialog = nil
    }
}

extension IntentResult where Self == NoIntentResult {
    /// No value.
    public static func result() -> NoIntentResult { NoIntentResult() }

    /// Words for the person.
    public static func result(dialog: IntentDialog) -> NoIntentResult {
        NoIntentResult(value: nil, dialog: dialog)
    }

    /// Words and a view for the person.
    public static func result<View>(
        dialog: IntentDialog,
        view: View
    ) -> NoIntentResult {
        NoIntentResult(value: nil, dialog: dialog)
    }

    /// Words and a view for the person.
    public static func result<View>(
        dialog: IntentDialog,
        content: () -> View
    ) -> NoIntentResult {
        NoIntentResult(value: nil, dialog: dialog)
    }

    /// A view for the person.
    public static func result<View>(view: View) -> NoIntentResult { NoIntentResult() }

    /// Another intent.
    public static func result(opensIntent: some AppIntent) -> NoIntentResult { NoIntentResult() }

    /// Another intent, and words for the person.
    public static func result(
        opensIntent: some AppIntent,
        dialog: IntentDialog
    ) -> NoIntentResult {
        NoIntentResult(value: nil, dialog: dialog)
    }
}

extension IntentResult {
    /// A value.
    public static func result<Value: Sendable>(
        value: Value
    ) -> Self where Self == IntentResultContainer<Value> {
        IntentResultContainer(value: value, dialog: nil)
    }

    /// A value, and words for the person.
    public static func result<Value: Sendable>(
        value: Value,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// A value, and a view for the person.
    public static func result<Value: Sendable, View>(
        value: Value,
        view: View
    ) -> Self where Self == IntentResultContainer<Value> {
        IntentResultContainer(value: value, dialog: nil)
    }

    /// A value, and words and a view for the person.
    public static func result<Value: Sendable, View>(
        value: Value,
        dialog: IntentDialog,
        view: View
    ) -> Self where Self == IntentResultContainer<Value> {
        IntentResultContainer(value: value, dialog: dialog)
    }

    /// A value, and another intent.
    public static func result<Value: Sendable>(
        value: Value,
        opensIntent: some AppIntent
    ) -> Self where Self == IntentResultContainer<Value> {
        IntentResultContainer(value: value, dialog: nil)
    }
}
