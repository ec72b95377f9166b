/// Whether a parameter takes the result of the intent before it.
public enum InputConnectionBehavior: Sendable {
    case `default`
    case never
    case connectToPreviousIntentResult
}
