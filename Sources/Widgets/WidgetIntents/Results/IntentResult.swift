/// What performing an intent leads to.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentresult>.
public protocol IntentResult: Sendable {
    associatedtype Value
    /// The value of the result; nil if it has none.
    var value: Value? { get }
}

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
