/// The size of text that a person has chosen.
public enum DynamicTypeSize: Int, CaseIterable, Comparable, Hashable, Sendable {
    case xSmall
    case small
    case medium
    case large
    case xLarge
    case xxLarge
    case xxxLarge
    case accessibility1
    case accessibility2
    case accessibility3
    case accessibility4
    case accessibility5

    /// Whether one comes before the other.
    public static func < (left: DynamicTypeSize, right: DynamicTypeSize) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Whether it is one of the sizes for people who see badly.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}
