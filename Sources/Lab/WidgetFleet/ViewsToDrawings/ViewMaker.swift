internal import Foundation
internal import WidgetTimelines

/// Makes boxes of a widget's content.
final class ViewMaker {
    /// The most containers and modifiers in one another; those in them are left out.
    static var depthLimit: Int { 256 }

    let dates: DateText
    let family: WidgetFamily
    let isControl: Bool
    /// The background of the whole widget; nil until a view says it.
    private(set) var background: Box?
    /// The parts of the content that are not drawn, in words.
    private(set) var omissions: Set<String> = []
    private var depth = 0

    init(dates: DateText, family: WidgetFamily, isControl: Bool) {
        self.dates = dates
        self.family = family
        self.isControl = isControl
    }

    func omit(_ words: String) { omissions.insert(words) }

    /// The box of a content that is a view of its own: several views are in front of one another.
    func make(_ content: ViewContent, style: ViewStyle, alignment: Alignment) -> Box {
        let members = content.members
        if members.count == 1 { return make(members[0], style: style) }
        return Box(.layers(alignment, boxes(members, style: style)), style: style)
    }

    private func boxes(_ views: [ViewContent], style: ViewStyle) -> [Box] {
        views.map { make($0, style: style) }
    }

    /// The box of a content: several views are below each other.
    func make(_ content: ViewContent, style: ViewStyle) -> Box {
        guard depth < Self.depthLimit else {
            omit("what is more than \(Self.depthLimit) levels deep")
            return Box(.layers(.center, []), style: style)
        }
        depth += 1
        defer { depth -= 1 }
        switch content {
        case .text(let parts):
            return Box(.text(TextBlock(parts, style: noting(style), dates: dates)), style: style)
        case .image(let name):
            omit("the picture “\(name)”")
            return Box(.picture(name, side: 44), style: style)
        case .symbol(let name): return Box(.symbol(name, side: style.symbolSide), style: style)
        case .progress: return Box(.layers(.center, []), style: style)
        case .area(let outline, let paint):
            return Box(.area(outline, noting(style.resolved(paint))), style: style)
        case .spacer(let length): return Box(.spacer(length ?? 8), style: style)
        case .divider: return Box(.divider, style: style)
        case .group:
            return stack(
                .vertical,
                alignment: .center,
                spacing: nil,
                views: content.members,
                style: style
            )
        case .stack(let stack, let views): return box(stack, views: views, style: style)
        case .sized(let views):
            let style = style.inStack(nil)
            return Box(
                .sized { self.make(views.value(in: $0), style: style, alignment: .topLeading) },
                style: style
            )
        case .fitting(let views, let axes):
            return Box(.fitting(boxes(views, style: style), axes), style: style)
        case .noted(let view, let note): return make(view, note: note, style: style)
        }
    }

    private func stack(
        _ axis: Axis,
        alignment: Alignment,
        spacing: CGFloat?,
        views: [ViewContent],
        style: ViewStyle
    ) -> Box {
        let views = views.flatMap(\.members)
        return Box(
            .line(axis, alignment, spacing: spacing, boxes(views, style: style.inStack(axis))),
            style: style
        )
    }

    private func box(_ stack: Stack, views: [ViewContent], style: ViewStyle) -> Box {
        switch stack.direction {
        case .row:
            return self.stack(
                .horizontal,
                alignment: stack.alignment,
                spacing: stack.spacing,
                views: views,
                style: style
            )
        case .column:
            return self.stack(
                .vertical,
                alignment: stack.alignment,
                spacing: stack.spacing,
                views: views,
                style: style
            )
        case .layers:
            let boxes = boxes(views.flatMap(\.members), style: style.inStack(nil))
            return Box(.layers(stack.alignment, boxes), style: style)
        case .grid(let spacing):
            let rows = views.flatMap(\.members).map { view -> [Box] in
                if case .stack(let row, let cells) = view, row.direction == .row {
                    return boxes(cells.flatMap(\.members), style: style.inStack(nil))
                }
                let box = make(view, style: style.inStack(.vertical))
                box.isWholeRow = true
                return [box]
            }
            let size = CGSize(width: spacing ?? 8, height: stack.spacing ?? 8)
            return Box(.grid(rows, stack.alignment, spacing: size), style: style)
        case .tracks(let axis, let items):
            let boxes = boxes(views.flatMap(\.members), style: style.inStack(nil))
            return Box(
                .tracks(axis, items, stack.alignment, spacing: stack.spacing ?? 8, boxes),
                style: style
            )
        }
    }

    // MARK: - Modifiers

    private func make(_ view: ViewContent, note: ViewNote, style: ViewStyle) -> Box {
        var inner = style
        if inner.apply(note) { return make(view, style: inner) }
        if let box = control(view, note: note, style: style) { return box }
        if case .view(let other, let alignment) = note.value {
            return make(view, name: note.name, other: other, alignment: alignment, style: style)
        }
        if note.name == "resizable" { return resizable(view, style: style) }
        if note.name == "colorScheme", let scheme = note.value.word {
            // Texts have the usual colour of the scheme.
            inner.foreground = [.label]
            return Box(.effect(make(view, style: inner), .scheme(scheme)), style: style)
        }
        let box = make(view, style: style)
        if let content = arranged(box, note: note) ?? painted(box, note: note, style: style) {
            let changed = Box(content, style: style)
            changed.takePlace(of: box)
            return changed
        }
        switch note.name {
        case "layoutPriority": box.priority = Double(note.value.number ?? 0)
        case "zIndex": box.level = note.value.number ?? 0
        case "gridColumnAlignment":
            let sides: [HorizontalAlignment] = [.leading, .center, .trailing]
            box.columnAlignment = sides.first {
                Alignment(horizontal: $0, vertical: .center).places.horizontal == note.value.word
            }
        case "gridCellColumns": box.columns = max(1, Int(min(100, note.value.number ?? 1)))
        default:
            if !Self.invisible.contains(note.name), !note.name.hasPrefix("accessibility") {
                omit("the modifier \(note.name)")
            }
        }
        return box
    }

    /// A view with another one beside it, or in the back of the widget.
    private func make(
        _ view: ViewContent,
        name: String,
        other: ViewContent,
        alignment: Alignment,
        style: ViewStyle
    ) -> Box {
        let box = make(view, style: style)
        let beside = make(other, style: style.inStack(nil), alignment: alignment)
        switch name {
        case "containerBackground":
            background = beside
            return box
        case "mask": return changed(box, content: .effect(box, .mask(beside, alignment)))
        case "background", "overlay":
            return changed(
                box,
                content: .beside(box, beside, alignment, isInFront: name == "overlay")
            )
        default:
            omit("the modifier \(name)")
            return box
        }
    }

    /// A box around another one, that takes its place among others.
    private func changed(_ box: Box, content: Box.Content) -> Box {
        let changed = Box(content, style: box.style)
        changed.takePlace(of: box)
        return changed
    }

    private func resizable(_ view: ViewContent, style: ViewStyle) -> Box {
        switch view {
        case .symbol(let name): return Box(.symbol(name, side: nil), style: style)
        case .image(let name):
            omit("the picture “\(name)”")
            return Box(.picture(name, side: nil), style: style)
        case .noted(let view, let note):
            var inner = style
            _ = inner.apply(note)
            return resizable(view, style: inner)
        default: return make(view, style: style)
        }
    }

    private func arranged(_ box: Box, note: ViewNote) -> Box.Content? {
        switch (note.name, note.value) {
        case ("padding", .numbers(let numbers)) where numbers.count == 4:
            let sides = numbers.map { finite($0) ?? 0 }
            let insets = EdgeInsets(
                top: sides[0],
                leading: sides[1],
                bottom: sides[2],
                trailing: sides[3]
            )
            return .padded(box, insets)
        case ("frame", .frame(let lengths, let alignment)) where lengths.count == 2:
            return .framed(box, width: finite(lengths[0]), height: finite(lengths[1]), alignment)
        case ("frame", .frame(let lengths, let alignment)) where lengths.count == 4:
            let (least, most) = (
                Proposal(width: lengths[0], height: lengths[2]),
                Proposal(width: lengths[1], height: lengths[3])
            )
            return .bounded(box, least: least, most: most, alignment)
        case ("fixedSize", .numbers(let numbers)) where numbers.count == 2:
            var axes: Axis.Set = []
            if numbers[0] == 1 { axes.insert(.horizontal) }
            if numbers[1] == 1 { axes.insert(.vertical) }
            return .fixed(box, axes)
        case ("aspectRatio", .numbers(let numbers)) where numbers.count == 2:
            return .ratio(box, finite(numbers[0]), isFilling: numbers[1] == 1)
        case ("offset", .numbers(let numbers)) where numbers.count == 2:
            return .moved(
                box,
                CGSize(width: finite(numbers[0]) ?? 0, height: finite(numbers[1]) ?? 0)
            )
        case ("position", .numbers(let numbers)) where numbers.count == 2:
            return .positioned(box, CGPoint(x: finite(numbers[0]) ?? 0, y: finite(numbers[1]) ?? 0))
        case ("alignmentGuide", .guide(let name, let place)): return .guided(box, name, place)
        default: return nil
        }
    }

    private func finite(_ number: CGFloat?) -> CGFloat? {
        guard let number, number.isFinite else { return nil }
        return min(Proposal.largest, max(-Proposal.largest, number))
    }

    private func painted(_ box: Box, note: ViewNote, style: ViewStyle) -> Box.Content? {
        switch (note.name, note.value) {
        case ("background", .paint(let paint)):
            return beside(box, paint: paint, outline: .rectangle, isInFront: false, style: style)
        case ("background", .area(let paint, let outline)):
            return beside(box, paint: paint, outline: outline, isInFront: false, style: style)
        case ("overlay", .paint(let paint)):
            return beside(box, paint: paint, outline: .rectangle, isInFront: true, style: style)
        case ("border", .area(let paint, let outline)):
            return beside(box, paint: paint, outline: outline, isInFront: true, style: style)
        case ("containerBackground", .paint(let paint)):
            background = Box(.area(.rectangle, noting(style.resolved(paint))), style: style)
            return .effect(box, .opacity(1))
        case ("clipShape", .outline(let outline)): return .effect(box, .clip(outline))
        case ("clipped", _): return .effect(box, .clip(.rectangle))
        case ("cornerRadius", _):
            let radius = note.value.number ?? 0
            return .effect(box, .clip(Outline { Path(roundedRect: $0, cornerRadius: radius) }))
        default: return Effect(note, style: style).map { .effect(box, $0) }
        }
    }

    private func beside(
        _ box: Box,
        paint: Paint,
        outline: Outline,
        isInFront: Bool,
        style: ViewStyle
    ) -> Box.Content {
        let area = Box(.area(outline, noting(style.resolved(paint))), style: style)
        return .beside(box, area, .center, isInFront: isInFront)
    }

    // MARK: - Omissions

    /// A paint, of which it is noted what is not known.
    private func noting(_ paint: Paint) -> Paint {
        switch paint {
        case .color(let color): note(color)
        case .gradient(_, _, let stops): for stop in stops { note(stop.color) }
        case .material: break
        }
        return paint
    }

    private func note(_ color: Color) {
        for name in color.ownNames { omit("the colour “\(name)” of the app’s catalogue") }
    }

    private func noting(_ style: ViewStyle) -> ViewStyle {
        if let name = style.font.ownName { omit("the font “\(name)”") }
        for paint in style.foreground { _ = noting(paint) }
        return style
    }

    /// Modifiers that change nothing that is seen in a widget that nothing touches.
    private static let invisible: Set = [
        "id", "tag", "onAppear", "onDisappear", "onTapGesture", "onChange", "task", "onOpenURL",
        "help", "contextMenu", "animation", "transition", "contentTransition", "geometryGroup",
        "matchedGeometryEffect", "symbolEffect", "allowsHitTesting", "contentShape",
        "previewContext", "previewDisplayName", "previewDevice", "previewLayout", "widgetURL",
        "widgetAccentable", "widgetAccentedRenderingMode", "privacySensitive", "drawingGroup",
        "invalidatableContent", "compositingGroup", "antialiased", "interpolation",
        "coordinateSpace", "ignoresSafeArea", "edgesIgnoringSafeArea", "navigationTitle",
        "allowsTightening", "textScale", "fontWidth", "renderingMode", "listRowSeparator",
        "listRowInsets", "listStyle", "preferredColorScheme", "label", "controlWidgetActionHint",
        "controlWidgetStatus", "contentMargins", "flipsForRightToLeftLayoutDirection",
        "containerShape", "backgroundStyle", "gridCellUnsizedAxes", "dynamicTypeSize",
    ]
}

extension ViewStyle {
    /// The style in a stack along an axis, or in none.
    func inStack(_ axis: Axis?) -> ViewStyle {
        var style = self
        style.axis = axis
        return style
    }
}

extension Effect {
    /// What a modifier does to a picture; nil if it is none of those.
    init?(_ note: ViewNote, style: ViewStyle) {
        let number = note.value.number ?? 0
        switch (note.name, note.value) {
        case ("opacity", _): self = .opacity(min(1, max(0, note.value.number ?? 1)))
        case ("hidden", _): self = .hidden
        case ("disabled", _): self = .opacity(note.isOn ? 0.4 : 1)
        case ("shadow", .shadow(let color, let numbers)):
            let lengths = [numbers[1], numbers[2], numbers[0]].map { "\(Double($0))px" }
            // CSS's radius is half as far as Apple's.
            self = .filter("drop-shadow \(lengths.joined(separator: " ")) \(color)")
        case ("blur", _): self = .filter("blur(\(Double(number))px)")
        case ("brightness", _): self = .filter("brightness(\(Double(1 + number)))")
        case ("contrast", _): self = .filter("contrast(\(Double(number)))")
        case ("saturation", _): self = .filter("saturate(\(Double(number)))")
        case ("grayscale", _): self = .filter("grayscale(\(Double(number)))")
        case ("hueRotation", _): self = .filter("hue-rotate(\(Double(number))deg)")
        case ("colorInvert", _): self = .filter("invert(1)")
        case ("blendMode", .text(let name)):
            let words = name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
            self = .blend(words.joined())
        case ("rotationEffect", .numbers(let numbers)):
            let parts = numbers.map { $0 ?? 0 }
            self = .rotation(parts[0], UnitPoint(x: parts[1], y: parts[2]))
        case ("scaleEffect", .numbers(let numbers)):
            let parts = numbers.map { $0 ?? 0 }
            let size = CGSize(width: parts[0], height: parts[1])
            self = .scale(size, UnitPoint(x: parts[2], y: parts[3]))
        case ("link", .text(let address)): self = .role("link", address)
        default: return nil
        }
    }
}
