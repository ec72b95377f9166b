/// Whether an app is in sight.
public enum ScenePhase: Int, Comparable, Hashable, Sendable {
    case background
    case inactive
    case active

    /// Whether one comes before the other.
    public static func < (left: ScenePhase, right: ScenePhase) -> Bool {
        left.rawValue < right.rawValue
    }
}
