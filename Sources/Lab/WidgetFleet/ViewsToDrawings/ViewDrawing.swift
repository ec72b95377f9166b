internal import Basics
internal import Foundation
internal import WidgetTimelines

/// Writes as JSON, for a page, how a widget is drawn: its size, and items in it, each where it is.
///
///     {"text": "62 %", "at": [16, 40], "width": 38.5, "size": 17, "weight": 600, "paint": "red"}
///     {"symbol": "star.fill", "frame": [0, 0, 20, 20], "paints": ["blue"]}
///     {"picture": "logo", "frame": [0, 0, 44, 44]}
///     {"path": "M0 0L…", "frame": [0, 0, 44, 44], "paint": "red/50", "line": 2}
///     {"items": […], "opacity": 0.5}
///
/// The last one is a group, with what is done to it: `clip`, `mask`, `filter`, `blend`, `turn`,
/// `scale`, `scheme`, `role`. Items that come later are in front. A number that is none is 0.
struct ViewDrawing {
    /// The bytes of a widget after which no more items are begun.
    static var bytesLimit: Int { 65_536 }
    /// The most bytes of a path; a longer one is not drawn.
    static var pathLimit: Int { 16_384 }
    /// The most colours of a gradient.
    static var stopsLimit: Int { 64 }
    /// The system's margin around a widget on the home screen.
    static var margin: CGFloat { 16 }
    /// The radius of its corners.
    static var cornerRadius: CGFloat { 24 }

    private var json = JSONWriter()
    private let maker: ViewMaker
    private let size: CGSize
    /// Whether it is a control that is on.
    private let isOn: Bool

    /// Where a widget is drawn, and as which.
    struct Place {
        let family: WidgetFamily
        var isControl = false
        var hasMargins = true
        /// Whether texts are bars, because there are none yet.
        var isPlaceholder = false

        var size: CGSize { isControl ? CGSize(width: 160, height: 64) : family.displaySize }
        var isOnHomeScreen: Bool { !isControl && !"\(family)".hasPrefix("accessory") }
    }

    /// The JSON of a widget's content at a moment.
    static func json(
        of content: ViewContent,
        in place: Place,
        at now: Date,
        calendar: Calendar
    ) -> String {
        let dates = DateText(now: now, calendar: calendar)
        let drawing = ViewDrawing(
            content,
            in: place,
            dates: dates,
            margin: place.hasMargins ? Self.margin : 0
        )
        // Without a background, a view is of the time before margins.
        guard drawing.maker.background == nil, place.isOnHomeScreen else { return drawing.text }
        let old = ViewDrawing(content, in: place, dates: dates, margin: 0)
        old.maker.omit("on iOS 17 and later, anything: a widget needs a containerBackground there")
        return old.text
    }

    /// Writes the members `view` and, if it is another one in a dark environment, `darkView`.
    static func write(
        _ content: (ColorScheme) -> ViewContent?,
        in place: Place,
        at now: Date,
        calendar: Calendar,
        to json: inout JSONWriter
    ) {
        guard let light = content(.light) else { return }
        let view = Self.json(of: light, in: place, at: now, calendar: calendar)
        json.member("view", json: view)
        guard let dark = content(.dark) else { return }
        let darkView = Self.json(of: dark, in: place, at: now, calendar: calendar)
        if darkView != view { json.member("darkView", json: darkView) }
    }

    private init(_ content: ViewContent, in place: Place, dates: DateText, margin: CGFloat) {
        maker = ViewMaker(dates: dates, family: place.family, isControl: place.isControl)
        size = place.size
        var style = ViewStyle()
        style.isRedacted = place.isPlaceholder
        isOn = place.isControl && content.notes.contains { $0.name == "toggle" && $0.isOn }
        let margin = place.isOnHomeScreen ? margin : place.isControl ? 12 : 0
        let box: Box
        if place.isControl {
            box = maker.controlBox(content, style: style)
        } else if place.family == .accessoryInline {
            box = maker.inlineBox(content, style: style)
        } else {
            if place.family == .accessoryRectangular { style.font = FontStyle(description: "15") }
            box = maker.make(content, style: style)
        }
        let room = CGRect(origin: .zero, size: size).insetBy(dx: margin, dy: margin)
        let frame = Box(.framed(box, width: room.width, height: room.height, .center), style: style)
        items { $0.draw(frame, at: room.origin, proposal: Proposal(room.size)) }
    }

    /// The whole JSON, once the content is drawn: only then is all known that is not.
    private var text: String {
        var all = JSONWriter()
        var back = self
        back.json = JSONWriter()
        if let background = maker.background {
            back.items { $0.draw(background, at: .zero, proposal: Proposal($0.size)) }
        }
        all.object { all in
            all.list("size", of: [size.width, size.height]) { $1.number(Double($0)) }
            if maker.background != nil {
                all.member("background", json: String(decoding: back.json.bytes, as: UTF8.self))
            }
            all.member("items", json: String(decoding: json.bytes, as: UTF8.self))
            if isOn { all.member("isOn", value: true) }
            all.list("omissions", of: maker.omissions.sorted()) { $1.string($0) }
        }
        return String(decoding: all.bytes, as: UTF8.self)
    }

    private mutating func items(_ body: (inout ViewDrawing) -> Void) {
        json.beginArray()
        body(&self)
        json.endArray()
    }

    private mutating func items(_ name: String, body: (inout ViewDrawing) -> Void) {
        json.key(name)
        items(body)
    }

    // MARK: - Boxes

    private mutating func draw(_ box: Box, at origin: CGPoint, proposal: Proposal) {
        guard json.bytes.count < Self.bytesLimit else {
            return maker.omit("what is beyond \(Self.bytesLimit / 1_024) KB")
        }
        let arrangement = box.arranged(proposal)
        let frame = CGRect(origin: origin, size: arrangement.size)
        switch box.content {
        case .text(let block):
            draw(block, lines: block.lines(in: proposal), in: frame, style: box.style)
        case .symbol(let name, _): draw(symbol: name, in: frame, style: box.style)
        case .picture(let name, _):
            json.beginObject()
            json.member("picture", value: name)
            write(frame)
            json.endObject()
        case .area(let outline, let paint): draw(outline, paint: paint, in: frame)
        case .divider:
            draw(.rectangle, paint: .color(Color(description: "separator")), in: frame)
        case .effect(_, .hidden): break
        case .effect(_, let effect): draw(arrangement, effect: effect, in: frame)
        default: draw(arrangement, at: origin)
        }
    }

    private mutating func draw(_ arrangement: Box.Arrangement, at origin: CGPoint) {
        for part in arrangement.parts {
            let place = CGPoint(x: origin.x + part.origin.x, y: origin.y + part.origin.y)
            draw(part.box, at: place, proposal: part.proposal)
        }
    }

    private mutating func draw(_ arrangement: Box.Arrangement, effect: Effect, in frame: CGRect) {
        if case .opacity(1) = effect { return draw(arrangement, at: frame.origin) }
        json.beginObject()
        switch effect {
        case .opacity(let opacity): write("opacity", number: opacity)
        case .clip(let outline): json.member("clip", value: path(outline, in: frame))
        case .mask(let box, let alignment):
            let proposal = Proposal(frame.size)
            let framed = Box(
                .framed(box, width: frame.width, height: frame.height, alignment),
                style: box.style
            )
            items("mask") { $0.draw(framed, at: frame.origin, proposal: proposal) }
        case .filter(let filter): json.member("filter", value: filter)
        case .blend(let mode): json.member("blend", value: mode)
        case .rotation(let degrees, let anchor):
            let place = frame.place(anchor)
            write("turn", numbers: [degrees, place.x, place.y])
        case .scale(let size, let anchor):
            let place = frame.place(anchor)
            write("scale", numbers: [size.width, size.height, place.x, place.y])
        case .scheme(let name): json.member("scheme", value: name)
        case .role(let name, let value):
            json.member("role", value: name)
            if let value { json.member("value", value: value) }
            write(frame)
        case .hidden: break
        }
        items("items") { $0.draw(arrangement, at: frame.origin) }
        json.endObject()
    }

    private mutating func draw(symbol name: String, in frame: CGRect, style: ViewStyle) {
        json.beginObject()
        let hasVariant = style.variant.isEmpty || name.contains(".\(style.variant)")
        json.member("symbol", value: hasVariant ? name : "\(name).\(style.variant)")
        write(frame)
        json.key("paints")
        json.beginArray()
        for paint in style.foreground { write(paint) }
        json.endArray()
        if let mode = style.renderingMode { json.member("mode", value: mode) }
        if style.isRedacted { write("opacity", number: 0.25) }
        json.member("weight", value: style.textFont.weight)
        json.endObject()
    }

    // MARK: - Texts

    private mutating func draw(
        _ block: TextBlock,
        lines: TextBlock.Lines,
        in frame: CGRect,
        style: ViewStyle
    ) {
        var drawing = self
        block.pieces(lines, at: frame.origin, width: frame.width) { units, start, baseline in
            guard let first = units.first else { return }
            let run = block.runs[first.run]
            let width = units.reduce(0) { $0 + $1.width } * lines.scale
            if first.isSymbol {
                let side = first.width * lines.scale
                let square = CGRect(x: start.x, y: baseline - side * 0.8, width: side, height: side)
                return drawing.draw(symbol: first.text, in: square, style: run.style)
            }
            if run.style.isRedacted {
                let height = run.font.size * lines.scale
                let bar = CGRect(
                    x: start.x,
                    y: baseline - height * 0.85,
                    width: width,
                    height: height
                )
                let outline = Outline { Path(roundedRect: $0, cornerRadius: 4) }
                return drawing.draw(outline, paint: .color(Color(description: "fill")), in: bar)
            }
            let text = units.map(\.text).joined()
            if text.allSatisfy(\.isWhitespace) { return }
            let place = CGPoint(x: start.x, y: baseline - run.style.baselineOffset)
            drawing.write(text, at: place, width: width, run: run, scale: lines.scale, frame: frame)
        }
        self = drawing
    }

    private mutating func write(
        _ text: String,
        at place: CGPoint,
        width: CGFloat,
        run: TextBlock.Run,
        scale: CGFloat,
        frame: CGRect
    ) {
        json.beginObject()
        json.member("text", value: text)
        write("at", numbers: [place.x, place.y])
        write("width", number: width)
        write("size", number: run.font.size * scale)
        json.member("weight", value: run.font.weight)
        if !run.font.design.isEmpty { json.member("design", value: run.font.design) }
        if run.font.isItalic { json.member("italic", value: true) }
        if run.style.kerning != 0 { json.member("isSpaced", value: true) }
        if run.style.isUnderlined { json.member("line", value: "underline") }
        if run.style.isStruck { json.member("line", value: "line-through") }
        json.key("paint")
        write(run.style.foreground[0])
        // What a gradient is spread over.
        write(frame)
        json.endObject()
    }

    // MARK: - Areas

    private func path(_ outline: Outline, in frame: CGRect) -> String {
        let local = CGRect(origin: .zero, size: frame.size)
        var path = outline.path.value(in: local)
        if outline.isOfContainer {
            let inside =
                [
                    frame.minX, frame.minY, size.width - frame.maxX, size.height - frame.maxY,
                ].min() ?? 0
            let radius = max(0, Self.cornerRadius - max(0, inside))
            path = Path(roundedRect: local, cornerRadius: radius)
        }
        return path.offsetBy(dx: frame.minX, dy: frame.minY).svg
    }

    private mutating func draw(_ outline: Outline, paint: Paint, in frame: CGRect) {
        let path = path(outline, in: frame)
        if path.isEmpty { return }
        guard path.utf8.count <= Self.pathLimit else {
            return maker.omit("a path of more than \(Self.pathLimit / 1_024) KB")
        }
        json.beginObject()
        json.member("path", value: path)
        write(frame)
        json.key("paint")
        write(paint)
        if outline.isEvenOdd { json.member("evenOdd", value: true) }
        if let line = outline.line {
            write("line", number: line.lineWidth)
            json.member("cap", value: "\(line.lineCap)")
            json.member("join", value: "\(line.lineJoin)")
            if !line.dash.isEmpty {
                write("dash", numbers: line.dash)
                write("dashPhase", number: line.dashPhase)
            }
        }
        json.endObject()
    }

    private mutating func write(_ paint: Paint) {
        switch paint {
        case .color(let color): json.string(color.description)
        case .material(let name):
            json.object { json in json.member("material", value: name) }
        case .gradient(let kind, let numbers, let stops):
            json.beginObject()
            write(kind, numbers: numbers)
            json.key("stops")
            json.beginArray()
            for stop in stops.prefix(Self.stopsLimit) {
                json.beginArray()
                json.string(stop.color.description)
                write(stop.location)
                json.endArray()
            }
            json.endArray()
            json.endObject()
        }
    }

    // MARK: - Numbers

    private mutating func write(_ frame: CGRect) {
        write("frame", numbers: [frame.minX, frame.minY, frame.width, frame.height])
    }

    private mutating func write(_ name: String, numbers: [CGFloat]) {
        json.key(name)
        json.beginArray()
        for number in numbers { write(number) }
        json.endArray()
    }

    private mutating func write(_ name: String, number: CGFloat) {
        json.key(name)
        write(number)
    }

    /// JSON has no infinity: a length that is larger than any screen means the same.
    private mutating func write(_ number: CGFloat) {
        let bounded = min(1e6, max(-1e6, number.isNaN ? 0 : number))
        json.number((Double(bounded) * 100).rounded() / 100)
    }
}

extension CGRect {
    /// The point at a place of the rectangle.
    fileprivate func place(_ anchor: UnitPoint) -> CGPoint {
        CGPoint(x: minX + width * anchor.x, y: minY + height * anchor.y)
    }
}
