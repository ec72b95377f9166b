/// A modifier of a view, with what it gets.
public struct ViewNote: Equatable, Sendable {
    /// The modifier's name.
    public let name: String
    /// What the modifier gets, as far as it is drawn.
    public let value: NoteValue

    /// A note with a modifier's name, and what it gets.
    package init(_ name: String, value: NoteValue = .none) {
        self.name = name
        self.value = value
    }
}

/// What a modifier gets, as far as it is drawn.
public enum NoteValue: Equatable, Sendable {
    /// Nothing that is kept.
    case none
    /// A name or a text.
    case text(String)
    /// Numbers, some of which may be missing.
    case numbers([CGFloat?])
    /// Lengths of a view, and where it is in them.
    case frame([CGFloat?], Alignment)
    /// What something is filled with.
    case paint(Paint)
    /// What an area is filled with, and its outline.
    indirect case area(Paint, Outline)
    /// An outline.
    indirect case outline(Outline)
    /// Several styles, the most important first.
    case paints([Paint])
    /// The colour of a shadow, and its radius and offset.
    case shadow(Color, [CGFloat])
    /// Where an alignment's guide is in a view of a size.
    case guide(String, Later<CGSize, CGFloat>)
    /// Another view, and where it is.
    case view(ViewContent, Alignment)

    /// The other view; nil if there is none.
    var view: ViewContent? {
        if case .view(let content, _) = self { return content }
        return nil
    }

    /// A name or a text, unless it is nil.
    package init(_ text: String?) { self = text.map { .text($0) } ?? .none }
    /// Whether a modifier applies.
    package init(_ isActive: Bool) { self = .text(isActive ? "on" : "off") }
    /// A colour, unless it is nil.
    package init(_ color: Color?) { self = color.map { .paint(.color($0)) } ?? .none }

    init(_ number: CGFloat) { self = .numbers([number]) }
    init(_ number: Int?) { self = .numbers([number.map { CGFloat($0) }]) }
    init(_ numbers: [CGFloat?]) { self = .numbers(numbers) }
    init(_ lengths: [CGFloat?], _ alignment: Alignment) { self = .frame(lengths, alignment) }
    init(_ paints: [Paint]) { self = .paints(paints) }
    init(shadow color: Color, _ numbers: [CGFloat]) { self = .shadow(color, numbers) }
    init(guide name: String, _ computeValue: @escaping (ViewDimensions) -> CGFloat) {
        let usual = EnvironmentValues.now.displaySize
        self = .guide(name, Later(usual: usual) { computeValue(ViewDimensions(size: $0)) })
    }
    init(_ paint: Paint?) { self = paint.map { .paint($0) } ?? .none }
    init(_ style: some ShapeStyle) { self = .paint(style.paint) }
    init(_ style: some ShapeStyle, in shape: some Shape) {
        self = .area(style.paint, shape.outline)
    }
    init(outline shape: some Shape) { self = .outline(shape.outline) }
    init(_ insets: EdgeInsets) {
        self = .numbers([insets.top, insets.leading, insets.bottom, insets.trailing])
    }

    /// Lengths at some edges: nil at the others, and at these if the usual length is meant.
    init(_ edges: Edge.Set, _ length: CGFloat?) {
        let length = length ?? Self.usualPadding
        let sides: [Edge.Set] = [.top, .leading, .bottom, .trailing]
        self = .numbers(sides.map { edges.contains($0) ? length : 0 })
    }

    /// The room around a view whose modifier says none, in points.
    private static var usualPadding: CGFloat { 16 }
}

/// A style of controls that is drawn by its name.
protocol NamedStyle {
    var styleName: String { get }
}
