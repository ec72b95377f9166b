/// How a picture is scaled.
public enum ImageInterpolation: Hashable, Sendable {
    case none
    case low
    case medium
    case high
}
