internal import RouterMetrics

/// A plot being drawn: two axes, and what lies between them.
struct Plot {
    private(set) var canvas: SVGCanvas
    let x: PlotAxis
    let y: PlotAxis
    /// The area between the axes, in tenths of a pixel.
    let left: Int
    let top: Int
    let right: Int
    let base: Int

    /// Draws the axes.
    ///
    /// - Parameters:
    ///   - width: the width of the picture; sizes are in pixels.
    ///   - height: the height of the picture.
    ///   - left: the space for the marks of the vertical axis.
    ///   - top: the space above the plot.
    ///   - x: the horizontal axis.
    ///   - y: the vertical axis.
    init(
        width: Int = 860,
        height: Int = 250,
        left: Int = 74,
        top: Int = 14,
        x: PlotAxis,
        y: PlotAxis
    ) {
        canvas = SVGCanvas(width: width, height: height)
        (self.x, self.y) = (x, y)
        (self.left, self.top) = (10 * left, 10 * top)
        (right, base) = (10 * width - 160, 10 * height - 480)
        assert(right > self.left && base > self.top, "nothing lies between the axes")
        for mark in y.visibleMarks {
            let position = self.y(mark.value)
            canvas.line(
                x1: self.left,
                y1: position,
                x2: right,
                y2: position,
                color: PlotColor.grid.light
            )
            write(mark.text, x: self.left - 80, y: position + 40, anchor: .end)
        }
        for mark in x.visibleMarks {
            let position = self.x(mark.value)
            if x.hasGrid {
                canvas.line(
                    x1: position,
                    y1: self.top,
                    x2: position,
                    y2: base,
                    color: PlotColor.grid.light
                )
            }
            canvas.line(
                x1: position,
                y1: base,
                x2: position,
                y2: base + 40,
                color: PlotColor.faint.light
            )
            write(mark.text, x: position, y: base + 180, anchor: .middle)
        }
        canvas.line(x1: self.left, y1: base, x2: right, y2: base, color: PlotColor.faint.light)
        write(x.title, x: (self.left + right) / 2, y: base + 400, anchor: .middle)
        canvas.label(
            y.title,
            x: 160,
            y: (self.top + base) / 2,
            anchor: .middle,
            color: PlotColor.faint.light,
            isVertical: true
        )
    }

    var picture: PlotPicture { PlotPicture(canvas) }

    /// The position of a value, in tenths of a pixel.
    func x(_ value: Double) -> Int { left + x.position(value, length: right - left) }
    func y(_ value: Double) -> Int { base - y.position(value, length: base - top) }

    // MARK: - Drawing

    private mutating func write(_ text: String, x: Int, y: Int, anchor: SVGCanvas.Anchor) {
        canvas.label(text, x: x, y: y, anchor: anchor, color: PlotColor.faint.light)
    }

    mutating func label(
        _ text: String,
        x: Int,
        y: Int,
        color: PlotColor,
        anchor: SVGCanvas.Anchor = .start,
        size: Int = 12
    ) {
        canvas.label(text, x: x, y: y, anchor: anchor, size: size, color: color.light)
    }

    /// Draws a series across the whole width as steps of equal length.
    mutating func steps(
        _ values: [Double],
        color: PlotColor,
        width: String = "1.3",
        dash: String? = nil,
        hasLine: Bool = true,
        hasArea: Bool = false
    ) {
        let thinned = Thinning(values, to: Self.valuesLimit)
        let heights = thinned.values.map { base - y($0) }
        let step = (right - left) * 1_000 * thinned.step / max(1, values.count)
        for isFilled in [true, false] where isFilled ? hasArea : hasLine {
            canvas.steps(
                heights,
                x: left,
                step: step,
                base: base,
                color: color.light,
                isFilled: isFilled,
                width: width,
                dash: dash,
                opacity: "0.16"
            )
        }
    }

    /// Draws a line through points.
    mutating func curve(
        _ places: [(x: Double, y: Double)],
        color: PlotColor,
        width: String = "2",
        dash: String? = nil,
        hasDots: Bool = false
    ) {
        let places = places.map { (x: x($0.x), y: y($0.y)) }
        canvas.curve(places, color: color.light, width: width, dash: dash)
        if !hasDots { return }
        for (x, y) in places { canvas.dot(x: x, y: y, radius: 14, color: color.light) }
    }

    /// Draws a dashed horizontal line.
    mutating func horizontalLine(_ value: Double, color: PlotColor) {
        let position = y(value)
        canvas.line(
            x1: left,
            y1: position,
            x2: right,
            y2: position,
            color: color.light,
            width: "1.2",
            dash: "6 4"
        )
    }

    /// Draws the horizontal axis again, over parts of curves that lie on it only because their
    /// values are below the scale.
    mutating func redrawBase() {
        canvas.line(
            x1: left,
            y1: base,
            x2: right,
            y2: base,
            color: PlotColor.paper.light,
            width: "3"
        )
        canvas.line(x1: left, y1: base, x2: right, y2: base, color: PlotColor.faint.light)
    }

    /// Writes that there is nothing to draw.
    mutating func drawNoData() {
        label(
            "nothing was measured",
            x: (left + right) / 2,
            y: (top + base) / 2,
            color: .faint,
            anchor: .middle
        )
    }

    /// The most values of a series that are drawn. In a longer series, several neighbouring values
    /// are drawn as the largest of them.
    static var valuesLimit: Int { 900 }
}

/// The unit of a time axis.
struct TimeUnit: Equatable {
    let name: String
    let seconds: Double

    /// Chooses the unit that suits a span, in seconds.
    init(for seconds: Int) {
        switch seconds {
        case ...240: (name, self.seconds) = ("seconds", 1)
        case ...14_400: (name, self.seconds) = ("minutes", 60)
        default: (name, self.seconds) = ("hours", 3_600)
        }
    }

    /// The distance between marks for a span in seconds, in this unit; nil if decimal steps suit.
    func step(for seconds: Int) -> Double? {
        if self.seconds < 3_600 { return nil }
        return seconds <= 43_200 ? 1 : seconds <= 130_000 ? 3 : 24
    }
}
