/// How a parameter that is a number is edited.
public enum IntentControlStyle: Sendable {
    case field
    case stepper
    case slider
}
