internal import LoadReporting
internal import ReloadModel

/// The picture of the report: the origin's requests per second in each mode, a zoom on the busiest
/// date, and the use of the widgets' budgets.
extension SimulationReport {
    /// A rectangle, in tenths of a pixel.
    private struct Frame {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        var base: Int { y + height }
    }

    private static var width: Int { 1_000 }
    private static var left: Int { 800 }
    private static var plotWidth: Int { 8_900 }
    private static var dayHeight: Int { 1_250 }
    private static var dayGap: Int { 520 }
    private static var zoomHeight: Int { 2_000 }
    private static var useHeight: Int { 1_500 }
    /// How much time the zoom shows before and after the busiest date, in s.
    private static var before: Int { 60 }
    private static var after: Int { 1_140 }

    /// The picture as an SVG file.
    package var svg: String {
        let days = 760 + records.count * (Self.dayHeight + Self.dayGap)
        let zoom = days + 300
        let use = zoom + Self.zoomHeight + 1_000
        let height = (use + Self.useHeight + 900) / 10
        var canvas = SVGCanvas(width: Self.width, height: height)
        canvas.label(
            "Requests to the origin while widgets reload",
            x: Self.left,
            y: 300,
            size: 18,
            isBold: true
        )
        canvas.label(heading, x: Self.left, y: 520, size: 12, color: "#555")
        let largest = max(records.map(\.peak).max() ?? 0, UInt32(originRate))
        for (index, record) in records.enumerated() {
            let frame = Frame(
                x: Self.left,
                y: 860 + index * (Self.dayHeight + Self.dayGap),
                width: Self.plotWidth,
                height: Self.dayHeight
            )
            draw(
                record,
                in: frame,
                scale: LogScale(largest: largest, length: frame.height),
                on: &canvas
            )
        }
        let frame = Frame(x: Self.left, y: zoom, width: Self.plotWidth, height: Self.zoomHeight)
        drawZoom(frame, scale: LogScale(largest: largest, length: frame.height), on: &canvas)
        drawUse(use, on: &canvas)
        return canvas.file(
            attributes: "font-family=\"'DejaVu Sans', Verdana, sans-serif\" font-size=\"12\" "
                + "fill=\"#222\"",
            head: "<rect width=\"\(Self.width)\" height=\"\(height)\" fill=\"#fff\"/>"
        )
    }

    private func color(_ mode: SpreadPolicy.Mode) -> (line: String, area: String) {
        switch mode {
        case .none: ("#b3261e", "#f0c4c0")
        case .uniform: ("#b26a00", "#f3dcb8")
        case .ledger: ("#00558c", "#bcd8ea")
        }
    }

    private func name(_ mode: SpreadPolicy.Mode) -> String {
        switch mode {
        case .none: "none: at the date itself"
        case .uniform: "uniform: at random within the window"
        case .ledger: "ledger: in the origin's slots"
        }
    }

    // MARK: - Axes

    private func drawAxes(_ frame: Frame, scale: LogScale, on canvas: inout SVGCanvas) {
        for tick in scale.ticks {
            let y = frame.base - scale.position(tick)
            canvas.line(x1: frame.x, y1: y, x2: frame.x + frame.width, y2: y, color: "#e3e3e3")
            canvas.label(grouped(UInt64(tick)), x: frame.x - 60, y: y + 40, anchor: .end, size: 11)
        }
        canvas.line(
            x1: frame.x,
            y1: frame.base,
            x2: frame.x + frame.width,
            y2: frame.base,
            color: "#555"
        )
        canvas.line(x1: frame.x, y1: frame.y, x2: frame.x, y2: frame.base, color: "#555")
        canvas.label(
            "requests/s, log scale",
            x: frame.x - 660,
            y: frame.y + frame.height / 2,
            anchor: .middle,
            size: 11,
            color: "#555",
            isVertical: true
        )
    }

    /// Draws the rate of the origin as a dashed line.
    private func drawRate(_ frame: Frame, scale: LogScale, on canvas: inout SVGCanvas) {
        let y = frame.base - scale.position(UInt32(originRate))
        canvas.line(
            x1: frame.x,
            y1: y,
            x2: frame.x + frame.width,
            y2: y,
            color: "#222",
            dash: "5 3"
        )
    }

    // MARK: - The day

    private func draw(
        _ record: DayRecord,
        in frame: Frame,
        scale: LogScale,
        on canvas: inout SVGCanvas
    ) {
        let colors = color(record.mode)
        drawAxes(frame, scale: scale, on: &canvas)
        let minutes = record.minutes
        let step = frame.width * 1_000 / max(1, minutes.count)
        canvas.steps(
            minutes.map { scale.position($0.peak) },
            x: frame.x,
            step: step,
            base: frame.base,
            color: colors.area,
            isFilled: true
        )
        canvas.steps(
            minutes.map { scale.position(UInt32(clamping: $0.sum), per: 60) },
            x: frame.x,
            step: step,
            base: frame.base,
            color: colors.line,
            isFilled: false
        )
        drawRate(frame, scale: scale, on: &canvas)
        drawHours(frame, seconds: record.requests.count, on: &canvas)
        canvas.label(
            name(record.mode),
            x: frame.x,
            y: frame.y - 100,
            color: colors.line,
            isBold: true
        )
        canvas.label(
            "busiest second \(grouped(UInt64(record.peak))) at "
                + SimulatedTime.text(time(record.busiest)).dropLast(4)
                + "; area: each minute's busiest second; line: its mean",
            x: frame.x + frame.width,
            y: frame.y - 100,
            anchor: .end,
            size: 11,
            color: "#555"
        )
    }

    private func drawHours(_ frame: Frame, seconds: Int, on canvas: inout SVGCanvas) {
        let hours = seconds / 3_600
        let every = hours <= 6 ? 1 : hours <= 36 ? 3 : 24
        for hour in stride(from: 0, through: hours, by: every) {
            let x = frame.x + frame.width * hour / max(1, hours)
            canvas.line(x1: x, y1: frame.base, x2: x, y2: frame.base + 40, color: "#555")
            let text =
                hours <= 36
                ? SimulatedTime.text(time(hour * 3_600)).dropFirst(4).prefix(5)
                : SimulatedTime.text(time(hour * 3_600)).prefix(3)
            canvas.label(String(text), x: x, y: frame.base + 170, anchor: .middle, size: 11)
        }
    }

    // MARK: - The busiest date

    /// Draws every second around the busiest date, one curve for each mode.
    private func drawZoom(_ frame: Frame, scale: LogScale, on canvas: inout SVGCanvas) {
        guard let first = records.first else { return }
        let busiest = first.busiest / 60 * 60
        let begin = max(0, busiest - Self.before)
        let end = min(first.requests.count, busiest + Self.after)
        drawAxes(frame, scale: scale, on: &canvas)
        for record in records {
            canvas.steps(
                record.requests[begin..<end].map { scale.position($0) },
                x: frame.x,
                step: frame.width * 1_000 / (end - begin),
                base: frame.base,
                color: color(record.mode).line,
                isFilled: false,
                width: "1"
            )
        }
        drawRate(frame, scale: scale, on: &canvas)
        for second in stride(from: begin, through: end, by: 120) {
            let x = frame.x + frame.width * (second - begin) / (end - begin)
            canvas.line(x1: x, y1: frame.base, x2: x, y2: frame.base + 40, color: "#555")
            let text = SimulatedTime.text(time(second)).dropFirst(4).prefix(5)
            canvas.label(String(text), x: x, y: frame.base + 170, anchor: .middle, size: 11)
        }
        let day = SimulatedTime.text(time(busiest)).prefix(9)
        canvas.label(
            "The busiest date, \(day), by the second",
            x: frame.x,
            y: frame.y - 100,
            isBold: true
        )
        drawLegend(
            frame.x + frame.width,
            y: frame.y - 100,
            dashed: "the origin's rate, \(grouped(UInt64(originRate)))/s",
            on: &canvas
        )
    }

    /// Draws the colours of the modes and the meaning of the dashed line; the legend ends at
    /// `right`.
    private func drawLegend(_ right: Int, y: Int, dashed: String, on canvas: inout SVGCanvas) {
        var x = right - 360 - dashed.count * 66
        canvas.line(x1: x, y1: y - 40, x2: x + 300, y2: y - 40, color: "#222", dash: "5 3")
        canvas.label(dashed, x: x + 360, y: y, size: 11)
        for record in records.reversed() {
            x -= 1_000
            canvas.line(
                x1: x,
                y1: y - 40,
                x2: x + 300,
                y2: y - 40,
                color: color(record.mode).line,
                width: "3"
            )
            canvas.label(record.mode.rawValue, x: x + 360, y: y, size: 11)
        }
    }

    // MARK: - Budgets

    /// Draws the use of budgets, one plot for each group of widgets.
    private func drawUse(_ top: Int, on canvas: inout SVGCanvas) {
        guard let first = records.first, !first.budgets.isEmpty else { return }
        canvas.label(
            "Reloads charged to each widget in 24 h",
            x: Self.left,
            y: top - 460,
            isBold: true
        )
        canvas.label(
            "widgets, log scale",
            x: Self.left - 660,
            y: top + Self.useHeight / 2,
            anchor: .middle,
            size: 11,
            color: "#555",
            isVertical: true
        )
        drawLegend(
            Self.left + Self.plotWidth,
            y: top - 460,
            dashed: "allowance, least and most",
            on: &canvas
        )
        let count = first.budgets.count
        let gap = 500
        let width = (Self.plotWidth - gap * (count - 1)) / count
        for index in 0..<count {
            let frame = Frame(
                x: Self.left + index * (width + gap),
                y: top,
                width: width,
                height: Self.useHeight
            )
            draw(records.map { ($0.mode, $0.budgets[index]) }, in: frame, on: &canvas)
        }
    }

    /// Draws how many widgets had each number of charges, two numbers in one step. The scale is
    /// logarithmic, because few widgets are at their limit.
    private func draw(
        _ uses: [(mode: SpreadPolicy.Mode, use: BudgetUse)],
        in frame: Frame,
        on canvas: inout SVGCanvas
    ) {
        let counts = uses.map { uses in Self.pairs(uses.use) }
        let use = uses[0].use
        let scale = LogScale(
            largest: counts.flatMap { $0 }.max() ?? 1,
            length: frame.height
        )
        for (index, tick) in scale.ticks.enumerated() where index % 2 == 0 {
            let y = frame.base - scale.position(tick)
            canvas.line(x1: frame.x, y1: y, x2: frame.x + frame.width, y2: y, color: "#e3e3e3")
            canvas.label(grouped(UInt64(tick)), x: frame.x - 40, y: y + 40, anchor: .end, size: 10)
        }
        for (index, pairs) in counts.enumerated() {
            canvas.steps(
                pairs.map { scale.position($0) },
                x: frame.x,
                step: frame.width * 1_000 / pairs.count,
                base: frame.base,
                color: color(uses[index].mode).line,
                isFilled: false,
                width: "1.5"
            )
        }
        canvas.line(
            x1: frame.x,
            y1: frame.base,
            x2: frame.x + frame.width,
            y2: frame.base,
            color: "#555"
        )
        for charges in stride(from: 0, through: 120, by: 20) {
            let x = frame.x + frame.width * charges / 122
            canvas.line(x1: x, y1: frame.base, x2: x, y2: frame.base + 30, color: "#555")
            canvas.label("\(charges)", x: x, y: frame.base + 150, anchor: .middle, size: 10)
        }
        for allowance in Set([use.least, use.allowance]).sorted() {
            let x = frame.x + frame.width * allowance / 122
            canvas.line(x1: x, y1: frame.y, x2: x, y2: frame.base, color: "#222", dash: "5 3")
        }
        canvas.label(use.name, x: frame.x, y: frame.y - 180, size: 11)
        canvas.label(
            "\(grouped(use.count)) widgets",
            x: frame.x,
            y: frame.y - 50,
            size: 10,
            color: "#555"
        )
        canvas.label(
            "reloads in 24 h",
            x: frame.x + frame.width / 2,
            y: frame.base + 320,
            anchor: .middle,
            size: 10
        )
    }

    /// The numbers of widgets by charges, with every two numbers of charges added up.
    private static func pairs(_ use: BudgetUse) -> [UInt32] {
        stride(from: 0, to: use.widgets.count, by: 2).map { charges in
            let pair = use.widgets[charges..<min(charges + 2, use.widgets.count)]
            return UInt32(clamping: pair.reduce(0, +))
        }
    }
}
