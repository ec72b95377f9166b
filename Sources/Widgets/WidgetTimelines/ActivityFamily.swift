/// The size class of a live activity.
public enum ActivityFamily: Hashable, Sendable {
    case small
    case medium
}
