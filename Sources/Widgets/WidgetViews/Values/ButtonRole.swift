/// What a button is for.
public enum ButtonRole: Hashable, Sendable {
    case destructive
    case cancel
}
