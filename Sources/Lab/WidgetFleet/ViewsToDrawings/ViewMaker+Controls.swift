internal import Foundation
internal import WidgetTimelines

extension ViewMaker {
    /// The side of a ring.
    private static var ringSide: CGFloat { 58 }
    private static var spinnerSide: CGFloat { 20 }
    private static var iconSide: CGFloat { 24 }
    private static var lineWidth: CGFloat { 5 }
    /// The part of a ring that is open at the bottom, from the left end clockwise.
    private static var openRing: (start: CGFloat, length: CGFloat) { (135, 270) }

    /// The box of a control, as the system draws it; nil if the modifier is none.
    func control(_ view: ViewContent, note: ViewNote, style: ViewStyle) -> Box? {
        switch note.name {
        case "button":
            return Box(
                .effect(button(view, note: note, style: style), .role("button", nil)),
                style: style
            )
        case "toggle": return toggle(view, isOn: note.isOn, style: style)
        case "label": return label(view, style: style)
        case "Gauge", "ProgressView":
            guard case .stack(_, let parts) = view, case .progress(let fraction)? = parts.last
            else { return nil }
            let share = fraction.map { CGFloat(min(1, max(0, $0.isNaN ? 0 : $0))) }
            let labels = (0..<4).map { number -> ViewContent? in
                guard number < parts.count - 1, !parts[number].members.isEmpty else { return nil }
                return parts[number]
            }
            return note.name == "Gauge"
                ? gauge(share ?? 0, labels: labels, style: style)
                : progress(share, labels: labels, style: style)
        default: return nil
        }
    }

    // MARK: - Buttons and labels

    private func button(_ view: ViewContent, note: ViewNote, style: ViewStyle) -> Box {
        let name = style.styles["buttonStyle"] ?? "automatic"
        let isBare = ["plain", "borderless"].contains(name) || note.value.word == "own"
        if isBare || isControl || "\(family)".hasPrefix("accessory") {
            return make(view, style: style)
        }
        var inner = style
        if note.value.word == "destructive" { inner.tint = .color(.red) }
        let tint = inner.resolved(.color(named: "tint"))
        let isProminent = name.hasSuffix("rominent")
        inner.foreground = [isProminent ? .color(.white) : tint]
        let label = make(view, style: inner, alignment: .center)
        let insets = EdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12)
        let shape = style.styles["buttonBorderShape"]
        let outline = Outline { rect in
            if shape == "circle" { return Path(ellipseIn: rect) }
            let isRound = shape != "roundedRectangle"
            return Path(roundedRect: rect, cornerRadius: isRound ? rect.height / 2 : 8)
        }
        let paint =
            isProminent ? tint : name == "glass" ? .material("thinMaterial") : tint.opacity(0.18)
        let area = Box(.area(outline, paint), style: style)
        let padded = Box(.padded(label, insets), style: style)
        return Box(.beside(padded, area, .center, isInFront: false), style: style)
    }

    private func toggle(_ view: ViewContent, isOn: Bool, style: ViewStyle) -> Box {
        if isControl { return make(view, style: style) }
        if style.styles["toggleStyle"] == "button" {
            let note = ViewNote("button", value: .none)
            var inner = style
            inner.styles["buttonStyle"] = isOn ? "automatic" : "plain"
            return Box(
                .effect(button(view, note: note, style: inner), .role("switch", nil)),
                style: style
            )
        }
        let track = isOn ? style.tint ?? .color(.green) : .color(named: "secondaryFill")
        let knob = framed(
            Box(.area(Self.ellipse, .color(.white)), style: style),
            width: 23,
            height: 23
        )
        let back = framed(Box(.area(Self.capsule, track), style: style), width: 44, height: 27)
        let inside = Box(
            .padded(knob, EdgeInsets(top: 2, leading: 2, bottom: 2, trailing: 2)),
            style: style
        )
        let place: Alignment = isOn ? .trailing : .leading
        let control = Box(.beside(back, inside, place, isInFront: true), style: style)
        let named = Box(.effect(control, .role("switch", isOn ? "on" : "off")), style: style)
        if style.hidesLabels { return named }
        let space = Box(.spacer(8), style: style.inStack(.horizontal))
        let boxes = [make(view, style: style, alignment: .center), space, named]
        return Box(.line(.horizontal, .center, spacing: nil, boxes), style: style)
    }

    private func label(_ view: ViewContent, style: ViewStyle) -> Box? {
        guard case .stack(_, let parts) = view, parts.count == 2 else { return nil }
        switch style.styles["labelStyle"] {
        case "iconOnly": return make(parts[0], style: style, alignment: .center)
        case "titleOnly": return make(parts[1], style: style, alignment: .center)
        default:
            let boxes = parts.map {
                make($0, style: style.inStack(.horizontal), alignment: .center)
            }
            return Box(.line(.horizontal, .center, spacing: nil, boxes), style: style)
        }
    }

    // MARK: - Gauges

    private func gauge(_ share: CGFloat, labels: [ViewContent?], style: ViewStyle) -> Box {
        let name = style.styles["gaugeStyle"] ?? "automatic"
        let (label, current, least, most) = (labels[0], labels[1], labels[2], labels[3])
        let isRound =
            name.contains("ircular")
            || name == "automatic" && family == .accessoryCircular
        if !isRound {
            let marks = name == "accessoryLinear"
            let bar = bar(share, hasMarker: marks, style: style)
            let row = row(
                [least.map { make($0, style: style) }, bar, most.map { make($0, style: style) }],
                style: style
            )
            let shown = style.hidesLabels ? nil : label
            return column(
                [
                    shown.map { make($0, style: style) }, row,
                    current.map { make($0, style: style) },
                ],
                style: style
            )
        }
        let isOpen = !name.hasSuffix("Capacity")
        let (start, length) = isOpen ? Self.openRing : (-90, 360)
        let tint = Self.turned(style.resolved(.color(named: "tint")), start: start, length: length)
        var layers = [
            arc(start, length: length, paint: isOpen ? tint : tint.opacity(0.25), style: style)
        ]
        if isOpen {
            // A marker in a gap of the ring.
            let place = start + length * share
            let dot = style.inStack(nil)
            layers.append(marker(at: place, paint: tint, style: dot))
        } else {
            layers.append(arc(start, length: length * share, paint: tint, style: style))
        }
        var small = style
        small.font = FontStyle(description: current == nil && label != nil ? "body" : "title3")
        (small.lineLimit, small.leastScale) = (1, 0.4)
        let middle = (current ?? label).map { make($0, style: small, alignment: .center) }
        if let middle { layers.append(framed(middle, width: 36, height: 32)) }
        var tiny = style
        tiny.font = FontStyle(description: "10 medium")
        (tiny.lineLimit, tiny.leastScale) = (1, 0.5)
        var ring = Box(.layers(.center, layers), style: style)
        if isOpen {
            let ends = [least, most].compactMap { $0 }
            let shown = ends.isEmpty && current != nil ? [label].compactMap { $0 } : ends
            let boxes = shown.map { make($0, style: tiny) }
            let row = Box(.line(.horizontal, .center, spacing: 4, boxes), style: tiny)
            let narrow = framed(row, width: 34, height: nil)
            ring = Box(
                .beside(
                    framed(ring, width: Self.ringSide, height: Self.ringSide),
                    narrow,
                    .bottom,
                    isInFront: true
                ),
                style: style
            )
        }
        return Box(
            .effect(framed(ring, width: Self.ringSide, height: Self.ringSide), .role("meter", nil)),
            style: style
        )
    }

    private func progress(_ share: CGFloat?, labels: [ViewContent?], style: ViewStyle) -> Box {
        let isRound =
            style.styles["progressViewStyle"] == "circular"
            || family == .accessoryCircular
        let shown = style.hidesLabels ? [nil, nil] : labels.prefix(2).map { $0 }
        guard let share else {
            let spinner = framed(
                arc(-90, length: 270, paint: .color(.gray), style: style, width: 2.5),
                width: Self.spinnerSide,
                height: Self.spinnerSide
            )
            return column(
                [role(spinner, style: style), shown[0].map { make($0, style: style) }],
                style: style
            )
        }
        if !isRound {
            var small = style
            small.font = FontStyle(description: "footnote")
            small.foreground = [.color(.secondary)]
            let current = shown[1].map { make($0, style: small) }
            return column(
                [
                    shown[0].map { make($0, style: style) },
                    bar(share, hasMarker: false, style: style), current,
                ],
                style: style
            )
        }
        let tint = style.resolved(.color(named: "tint"))
        let layers = [
            arc(-90, length: 360, paint: tint.opacity(0.25), style: style),
            arc(-90, length: 360 * share, paint: tint, style: style),
            framed(
                (labels[1] ?? labels[0]).map { make($0, style: style, alignment: .center) }
                    ?? column([], style: style),
                width: 36,
                height: 36
            ),
        ]
        return role(
            framed(
                Box(.layers(.center, layers), style: style),
                width: Self.ringSide,
                height: Self.ringSide
            ),
            style: style
        )
    }

    private func role(_ box: Box, style: ViewStyle) -> Box {
        Box(.effect(box, .role("meter", nil)), style: style)
    }

    private func bar(_ share: CGFloat, hasMarker: Bool, style: ViewStyle) -> Box {
        let tint = Self.turned(style.resolved(.color(named: "tint")), start: nil, length: 0)
        let line = Self.lineWidth
        let back = hasMarker ? tint : .color(named: "fill")
        var layers = [
            framed(Box(.area(Self.capsule, back), style: style), width: nil, height: line)
        ]
        let mark = Box.Content.sized { size in
            let place = line / 2 + (size.width - line) * share
            let dot = hasMarker ? line * 1.6 : line
            let area =
                hasMarker
                ? Box(.area(Self.ellipse, .color(named: "label")), style: style)
                : Box(
                    .area(
                        Outline { rect in
                            Path(roundedRect: rect, cornerRadius: rect.height / 2)
                        },
                        tint
                    ),
                    style: style
                )
            let width = hasMarker ? dot : max(line, size.width * share)
            let box = self.framed(area, width: width, height: dot)
            let x = hasMarker ? place - dot / 2 : 0
            return Box(.moved(box, CGSize(width: x, height: (size.height - dot) / 2)), style: style)
        }
        layers.append(framed(Box(mark, style: style), width: nil, height: line))
        return role(Box(.layers(.center, layers), style: style), style: style)
    }

    private func arc(
        _ start: CGFloat,
        length: CGFloat,
        paint: Paint,
        style: ViewStyle,
        width: CGFloat = 5
    ) -> Box {
        var outline = Outline { rect in
            Path { path in
                path.addRelativeArc(
                    center: CGPoint(x: rect.midX, y: rect.midY),
                    radius: min(rect.width, rect.height) / 2 - width / 2,
                    startAngle: .degrees(start),
                    delta: .degrees(length)
                )
            }
        }
        outline.line = StrokeStyle(lineWidth: width, lineCap: .round)
        return Box(.area(outline, paint), style: style)
    }

    /// A dot on a ring, with room around it.
    private func marker(at degrees: CGFloat, paint: Paint, style: ViewStyle) -> Box {
        let dot = { (radius: CGFloat, paint: Paint) in
            let outline = Outline { rect in
                let reach = min(rect.width, rect.height) / 2 - Self.lineWidth / 2
                let angle = degrees * .pi / 180
                let center = CGPoint(
                    x: rect.midX + reach * cos(angle),
                    y: rect.midY + reach * sin(angle)
                )
                return Path(
                    ellipseIn: CGRect(origin: center, size: .zero).insetBy(dx: -radius, dy: -radius)
                )
            }
            return Box(.area(outline, paint), style: style)
        }
        let gap = dot(Self.lineWidth * 0.9, .color(named: "background"))
        return Box(
            .layers(.center, [gap, dot(Self.lineWidth * 0.55, .color(named: "label"))]),
            style: style
        )
    }

    /// The colours of a gradient along a ring from an angle on, or along a bar.
    private static func turned(_ paint: Paint, start: CGFloat?, length: CGFloat) -> Paint {
        guard case .gradient(_, _, let stops) = paint else { return paint }
        if let start {
            return .gradient(kind: "angular", [0.5, 0.5, start, start + length], stops)
        }
        return .gradient(kind: "linear", [0, 0.5, 1, 0.5], stops)
    }

    private static let ellipse = Outline { Path(ellipseIn: $0) }
    private static let capsule = Outline {
        Path(roundedRect: $0, cornerRadius: min($0.width, $0.height) / 2)
    }

    private func framed(_ box: Box, width: CGFloat?, height: CGFloat?) -> Box {
        Box(.framed(box, width: width, height: height, .center), style: box.style)
    }

    private func row(_ boxes: [Box?], style: ViewStyle) -> Box {
        Box(.line(.horizontal, .center, spacing: 6, boxes.compactMap { $0 }), style: style)
    }

    private func column(_ boxes: [Box?], style: ViewStyle) -> Box {
        Box(.line(.vertical, .leading, spacing: 4, boxes.compactMap { $0 }), style: style)
    }

    // MARK: - Where there is little room

    /// The symbols and texts of a view in their order, as a control or the line beside the clock
    /// have them.
    private func leaves(_ content: ViewContent, style: ViewStyle) -> [Box] {
        switch content {
        case .text, .image: return [make(content, style: style)]
        case .symbol(let name):
            let isSmall = family == .accessoryInline && !isControl
            return [
                Box(.symbol(name, side: isSmall ? style.symbolSide : Self.iconSide), style: style)
            ]
        case .noted(let view, let note):
            var inner = style
            _ = inner.apply(note)
            return leaves(view, style: inner)
        case .group(let views), .stack(_, let views):
            return views.flatMap { leaves($0, style: style) }
        case .fitting(let views, _): return views.first.map { leaves($0, style: style) } ?? []
        case .sized(let views): return leaves(views.usual, style: style)
        case .progress, .area, .spacer, .divider: return []
        }
    }

    /// A control: its symbol, and its texts below each other beside it.
    func controlBox(_ content: ViewContent, style: ViewStyle) -> Box {
        var style = style
        style.font = FontStyle(description: "13 semibold")
        style.lineLimit = 1
        let leaves = leaves(content, style: style)
        let texts = leaves.filter(\.isText)
        let icon = leaves.first { !$0.isText }.map { framed($0, width: 28, height: 28) }
        let column = Box(
            .line(.vertical, .leading, spacing: 0, Array(texts.prefix(2))),
            style: style
        )
        let row = Box(
            .line(.horizontal, .center, spacing: 10, [icon, column].compactMap { $0 }),
            style: style
        )
        return Box(
            .bounded(
                row,
                least: .ideal,
                most: Proposal(width: Proposal.largest, height: nil),
                .leading
            ),
            style: style
        )
    }

    /// The line beside the clock: one symbol and one text.
    func inlineBox(_ content: ViewContent, style: ViewStyle) -> Box {
        var style = style
        style.font = FontStyle(description: "subheadline medium")
        style.lineLimit = 1
        let leaves = leaves(content, style: style)
        let text = leaves.firstIndex(where: \.isText)
        let icon = leaves.prefix(text ?? leaves.count).first
        let boxes = [icon, text.map { leaves[$0] }].compactMap { $0 }
        return Box(.line(.horizontal, .center, spacing: 4, boxes), style: style)
    }
}
