/// An error of an intent.
public struct AppIntentError: Error, CustomStringConvertible {
    /// The error as a sentence without a full stop.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The intent must be performed once more.
    public static let restartPerform = AppIntentError("the intent must be performed once more")

    /// Makes an error that says what people see.
    public init(_ text: LocalizedStringResource) {
        description = text.text
    }
}
