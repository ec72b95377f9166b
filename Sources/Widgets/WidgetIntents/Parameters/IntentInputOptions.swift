/// How a parameter that is a text is entered.
public struct IntentInputOptions: Sendable {
    /// How capital letters are entered.
    public enum CapitalizationType: Sendable {
        case none
        case words
        case sentences
        case allCharacters
    }

    /// The keyboard that is displayed.
    public enum KeyboardType: Sendable {
        case `default`
        case asciiCapable
        case numbersAndPunctuation
        case numberPad
        case decimalPad
        case emailAddress
        case phonePad
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case URL
        case webSearch
    }

    /// Makes options.
    public init(
        keyboardType: KeyboardType = .default,
        capitalizationType: CapitalizationType = .sentences,
        multiline: Bool = false,
        autocorrect: Bool = true,
        smartQuotes: Bool = true,
        smartDashes: Bool = true
    ) {}
}
