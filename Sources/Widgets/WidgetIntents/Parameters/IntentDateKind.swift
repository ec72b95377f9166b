/// Which parts of a date a parameter has.
public enum IntentDateKind: Sendable {
    case date
    case dateTime
    case time
}
