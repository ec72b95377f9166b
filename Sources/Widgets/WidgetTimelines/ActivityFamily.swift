/// The size class of a live activity.
@available(iOS 18, *)
public enum ActivityFamily: Hashable, Sendable {
    case small
    case medium
}
