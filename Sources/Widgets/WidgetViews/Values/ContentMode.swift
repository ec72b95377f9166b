/// How a picture fits into an area.
public enum ContentMode: CaseIterable, Hashable, Sendable {
    case fit
    case fill
}
