/// The configuration that a person has chosen for a widget. A subclass declares the parameters as
/// stored properties.
///
///     final class SelectCharacterIntent: INIntent {
///         var character: String?
///     }
///
/// Source: <https://developer.apple.com/documentation/sirikit/inintent>.
open class INIntent {
    /// Makes a configuration with the default values that the subclass declares.
    public init() {}
}

/// An `INIntent` whose parameters can be set by their names, as a fleet's scenario does.
///
/// On Linux there is no key-value coding, so the class must implement it; app intents need not.
public protocol ChoosableIntent: INIntent {
    /// Makes a configuration with the default values.
    init()

    /// Sets a parameter; ignores a value that the parameter cannot have.
    ///
    /// - Parameters:
    ///   - value: a `String`, `Int`, `Double`, `Bool`, or an array of these.
    ///   - key: the property's name.
    func setValue(_ value: Any, forKey key: String)
}
