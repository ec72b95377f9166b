/// How a view reacts to a pointer.
public enum HoverEffect: Hashable, Sendable {
    case automatic
    case highlight
    case lift
}
