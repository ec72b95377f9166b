/// How the layers of a symbol are coloured.
public enum SymbolRenderingMode: Hashable, Sendable {
    case monochrome
    case hierarchical
    case palette
    case multicolor
}
