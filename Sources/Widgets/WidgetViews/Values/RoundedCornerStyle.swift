/// The shape of a rounded corner.
public enum RoundedCornerStyle: Hashable, Sendable {
    case circular
    case continuous
}
