/// How much room there is.
public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact
    case regular
}
