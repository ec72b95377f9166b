/// A configuration that a person has chosen for a widget: a subclass has its parameters as stored
/// properties.
///
///     final class SelectCharacterIntent: INIntent {
///         var character: String?
///     }
///
/// Source: <https://developer.apple.com/documentation/sirikit/inintent>.
open class INIntent {
    /// A configuration whose parameters are as the subclass declares them.
    public init() {}
}
