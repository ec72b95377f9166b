/// How much a widget displays.
public enum LevelOfDetail: Hashable, Sendable {
    case `default`
    case simplified
}
