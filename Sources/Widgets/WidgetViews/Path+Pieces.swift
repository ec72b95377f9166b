internal import Foundation

extension Path {
    /// The path as SVG writes it.
    package var svg: String {
        pieces.map { piece in
            switch piece {
            case .move(let point): "M" + Self.svg(point)
            case .line(let point): "L" + Self.svg(point)
            case .quadCurve(let point, let control): "Q" + Self.svg(control, point)
            case .curve(let point, let first, let second): "C" + Self.svg(first, second, point)
            case .closeSubpath: "Z"
            }
        }.joined()
    }

    private static func svg(_ points: CGPoint...) -> String {
        points.map { "\(hundredths($0.x)) \(hundredths($0.y))" }.joined(separator: " ")
    }

    /// A number with two decimals; one that is none is 0, and one that is too large is a million.
    private static func hundredths(_ number: CGFloat) -> String {
        let whole = Int((min(1e6, max(-1e6, number.isNaN ? 0 : number)) * 100).rounded())
        return whole % 100 == 0 ? "\(whole / 100)" : "\(Double(whole) / 100)"
    }

    /// The path with each point moved.
    func mapped(_ move: (CGPoint) -> CGPoint) -> Path {
        Path(
            pieces: pieces.map { piece in
                switch piece {
                case .move(let point): .move(to: move(point))
                case .line(let point): .line(to: move(point))
                case .quadCurve(let point, let control):
                    .quadCurve(to: move(point), control: move(control))
                case .curve(let point, let first, let second):
                    .curve(to: move(point), control1: move(first), control2: move(second))
                case .closeSubpath: .closeSubpath
                }
            }
        )
    }

    /// The last point that something was drawn to.
    var lastPoint: CGPoint? { lines.last?.last }

    // MARK: - Parts

    /// The lines that the path consists of; a curve is cut into short ones.
    private var lines: [[CGPoint]] {
        var lines: [[CGPoint]] = []
        func last() -> CGPoint { lines.last?.last ?? .zero }
        func add(_ point: CGPoint) {
            if lines.isEmpty { lines.append([.zero]) }
            lines[lines.count - 1].append(point)
        }
        for piece in pieces {
            switch piece {
            case .move(let point): lines.append([point])
            case .line(let point): add(point)
            case .quadCurve(let end, let control):
                let start = last()
                let first = start.between(control, part: 2 / 3)
                let second = end.between(control, part: 2 / 3)
                Self.points(start, first, second, end).forEach(add)
            case .curve(let end, let first, let second):
                Self.points(last(), first, second, end).forEach(add)
            case .closeSubpath:
                guard let start = lines.last?.first else { continue }
                add(start)
                lines.append([start])
            }
        }
        return lines
    }

    /// How many lines a curve is cut into.
    private static var linesOfCurve: Int { 24 }

    private static func points(
        _ start: CGPoint,
        _ first: CGPoint,
        _ second: CGPoint,
        _ end: CGPoint
    ) -> [CGPoint] {
        (1...linesOfCurve).map { number in
            let part = CGFloat(number) / CGFloat(linesOfCurve)
            let middle = first.between(second, part: part)
            return start.between(first, part: part).between(middle, part: part)
                .between(middle.between(second.between(end, part: part), part: part), part: part)
        }
    }

    /// The part of the path from one share of its length to another, from 0 to 1.
    func trimmed(from start: CGFloat, to end: CGFloat) -> Path {
        // In this order: NaN is no bound then.
        let start = min(max(0, start), 1)
        let end = min(max(start, end), 1)
        if start == 0 && end == 1 { return self }
        if start == end { return Path() }
        let lines = lines
        let whole = lines.reduce(0) { sum, line in
            sum + zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
        let range = start * whole...end * whole
        var path = Path()
        var passed: CGFloat = 0
        for line in lines {
            var isDrawn = false
            for (one, next) in zip(line, line.dropFirst()) {
                let length = one.distance(to: next)
                defer { passed += length }
                guard length > 0, passed < range.upperBound, passed + length > range.lowerBound
                else { continue }
                let first = max(0, range.lowerBound - passed) / length
                let last = min(1, (range.upperBound - passed) / length)
                if !isDrawn { path.move(to: one.between(next, part: first)) }
                path.addLine(to: one.between(next, part: last))
                isDrawn = true
            }
        }
        return path
    }

    /// The smallest rectangle around all points of the lines.
    var bounds: CGRect {
        let points = lines.filter { $0.count > 1 }.flatMap { $0 }
        guard let first = points.first else { return .null }
        return points.dropFirst().reduce(CGRect(origin: first, size: .zero)) {
            $0.union(CGRect(origin: $1, size: .zero))
        }
    }

    // MARK: - Arcs

    /// Adds a part of a circle, with a line to its beginning if the path has begun; in SwiftUI,
    /// `isClockwise` is meant in a system whose y axis goes up.
    mutating func addArc(
        _ center: CGPoint,
        _ radius: CGFloat,
        from start: Angle,
        to end: Angle,
        _ isClockwise: Bool,
        _ transform: CGAffineTransform
    ) {
        let whole = 2 * Double.pi
        var length = (end.radians - start.radians).truncatingRemainder(dividingBy: whole)
        if length == 0 && end != start { length = isClockwise ? -whole : whole }
        if isClockwise && length > 0 { length -= whole }
        if !isClockwise && length < 0 { length += whole }
        guard length.isFinite, start.radians.isFinite else { return }
        let count = max(1, (abs(length) / (.pi / 2)).rounded(.up))
        let step = length / count
        // How far the controls of a curve are from its ends, so that it is nearly an arc.
        let reach = radius * 4 / 3 * tan(step / 4)
        func point(_ angle: Double, _ aside: CGFloat = 0) -> CGPoint {
            CGPoint(
                x: center.x + radius * cos(angle) - aside * sin(angle),
                y: center.y + radius * sin(angle) + aside * cos(angle)
            ).applying(transform)
        }
        let first = point(start.radians)
        if pieces.isEmpty || pieces.last == .closeSubpath {
            move(to: first)
        } else {
            addLine(to: first)
        }
        for number in 0..<Int(count) {
            let angle = start.radians + Double(number) * step
            addCurve(
                to: point(angle + step),
                control1: point(angle, reach),
                control2: point(angle + step, -reach)
            )
        }
    }

    /// Adds a rectangle with round corners, whose radii are those from the top leading one
    /// clockwise, or one for all. It begins in the middle of the right side, as Apple's does, and
    /// without round corners at the top leading one.
    mutating func addRect(_ rect: CGRect, radii: [CGSize], transform: CGAffineTransform) {
        // The share of a corner that the controls of its curve are away from the ends.
        let reach: CGFloat = 1 - 0.5523
        // Each corner, clockwise, and the way into the area.
        let corners: [(x: CGFloat, y: CGFloat, inX: CGFloat, inY: CGFloat)] = [
            (rect.minX, rect.minY, 1, 1), (rect.maxX, rect.minY, -1, 1),
            (rect.maxX, rect.maxY, -1, -1), (rect.minX, rect.maxY, 1, -1),
        ]
        func point(_ number: Int, alongX: CGFloat, alongY: CGFloat) -> CGPoint {
            let corner = corners[number]
            let radius = radii.count == 4 ? radii[number] : radii.first ?? .zero
            let width = max(0, min(radius.width, rect.width / 2))
            let height = max(0, min(radius.height, rect.height / 2))
            return CGPoint(
                x: corner.x + corner.inX * width * alongX,
                y: corner.y + corner.inY * height * alongY
            ).applying(transform)
        }
        if radii.isEmpty {
            let points = corners.map { CGPoint(x: $0.x, y: $0.y).applying(transform) }
            addLines(points)
            return closeSubpath()
        }
        move(to: CGPoint(x: rect.maxX, y: rect.midY).applying(transform))
        for number in [2, 3, 0, 1] {
            // Clockwise, the corners at the left of the top and the right of the bottom begin at a
            // side, the others at the top or the bottom.
            let isFromSide = number % 2 == 0
            let (side, edge) = (
                point(number, alongX: 0, alongY: 1), point(number, alongX: 1, alongY: 0)
            )
            addLine(to: isFromSide ? side : edge)
            if side == edge { continue }
            let (near, far) = (
                point(number, alongX: 0, alongY: reach), point(number, alongX: reach, alongY: 0)
            )
            addCurve(
                to: isFromSide ? edge : side,
                control1: isFromSide ? near : far,
                control2: isFromSide ? far : near
            )
        }
        closeSubpath()
    }

    /// Adds an ellipse, from its rightmost point clockwise.
    mutating func addEllipse(_ rect: CGRect, transform: CGAffineTransform) {
        let ellipse = CGAffineTransform(
            a: rect.width / 2,
            b: 0,
            c: 0,
            d: rect.height / 2,
            tx: rect.midX,
            ty: rect.midY
        ).concatenating(transform)
        move(to: CGPoint(x: 1, y: 0).applying(ellipse))
        addArc(.zero, 1, from: .zero, to: .degrees(360), false, ellipse)
        closeSubpath()
    }
}

extension CGPoint {
    /// The point at a share of the way to another.
    func between(_ other: CGPoint, part: CGFloat) -> CGPoint {
        CGPoint(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
    }

    func distance(to other: CGPoint) -> CGFloat { hypot(other.x - x, other.y - y) }
}

extension CGRect {
    /// The rectangle as much smaller at each side, if it is so large.
    func smaller(_ amount: CGFloat) -> CGRect {
        insetBy(dx: min(amount, width / 2), dy: min(amount, height / 2))
    }

    /// The largest square in the middle.
    var square: CGRect {
        let side = min(width, height)
        return CGRect(x: midX - side / 2, y: midY - side / 2, width: side, height: side)
    }

    /// The point at a place of the rectangle.
    func point(_ place: UnitPoint) -> CGPoint {
        CGPoint(x: minX + width * place.x, y: minY + height * place.y)
    }
}

extension CGAffineTransform {
    /// Around a point: what the transformation does around the origin.
    func around(_ point: CGPoint) -> CGAffineTransform {
        CGAffineTransform(translationX: -point.x, y: -point.y).concatenating(self)
            .concatenating(CGAffineTransform(translationX: point.x, y: point.y))
    }
}
