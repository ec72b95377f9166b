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

/// An `INIntent` whose parameters can be chosen by their names, as a fleet's scenario does.
///
/// Where there is no key-value coding, the class has to say how; app intents need not.
public protocol ChoosableIntent: INIntent {
    /// A configuration for which nothing is chosen yet.
    init()

    /// Chooses a parameter, if it can have the value.
    ///
    /// - Parameters:
    ///   - value: a `String`, `Int`, `Double`, `Bool`, or a list of such.
    ///   - key: the property's name.
    func setValue(_ value: Any, forKey key: String)
}
