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
        _ x: PlotAxis,
        _ y: PlotAxis
    ) {
        canvas = SVGCanvas(width: width, height: height)
        (self.x, self.y) = (x, y)
        (self.left, self.top) = (10 * left, 10 * top)
        (right, base) = (10 * width - 160, 10 * height - 480)
        for mark in y.visibleMarks {
            let place = self.y(mark.value)
            canvas.line(self.left, place, right, place, color: PlotColor.grid.light)
            write(mark.text, self.left - 80, place + 40, .end)
        }
        for mark in x.visibleMarks {
            let place = self.x(mark.value)
            if x.hasGrid {
                canvas.line(place, self.top, place, base, color: PlotColor.grid.light)
            }
            canvas.line(place, base, place, base + 40, color: PlotColor.faint.light)
            write(mark.text, place, base + 180, .middle)
        }
        canvas.line(self.left, base, right, base, color: PlotColor.faint.light)
        write(x.title, (self.left + right) / 2, base + 400, .middle)
        canvas.label(
            y.title,
            160,
            (self.top + base) / 2,
            .middle,
            color: PlotColor.faint.light,
            isVertical: true
        )
    }

    var picture: PlotPicture { PlotPicture(canvas) }

    /// The position of a value, in tenths of a pixel.
    func x(_ value: Double) -> Int { left + x.place(value, length: right - left) }
    func y(_ value: Double) -> Int { base - y.place(value, length: base - top) }

    // MARK: - Drawing

    private mutating func write(_ text: String, _ x: Int, _ y: Int, _ anchor: SVGCanvas.Anchor) {
        canvas.label(text, x, y, anchor, color: PlotColor.faint.light)
    }

    mutating func label(
        _ text: String,
        _ x: Int,
        _ y: Int,
        _ color: PlotColor,
        _ anchor: SVGCanvas.Anchor = .start,
        size: Int = 12
    ) {
        canvas.label(text, x, y, anchor, size: size, color: color.light)
    }

    /// Draws a series across the whole width as steps of equal length.
    mutating func steps(
        _ values: [Double],
        _ color: PlotColor,
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
        _ color: PlotColor,
        width: String = "2",
        dash: String? = nil,
        hasDots: Bool = false
    ) {
        let places = places.map { (x: x($0.x), y: y($0.y)) }
        canvas.curve(places, color: color.light, width: width, dash: dash)
        if !hasDots { return }
        for (x, y) in places { canvas.dot(x, y, radius: 14, color: color.light) }
    }

    /// Draws a dashed horizontal line.
    mutating func level(_ value: Double, _ color: PlotColor) {
        let place = y(value)
        canvas.line(left, place, right, place, color: color.light, width: "1.2", dash: "6 4")
    }

    /// Draws the horizontal axis again, over curves that lie on it because their values are below
    /// the scale.
    mutating func coverBase() {
        canvas.line(left, base, right, base, color: PlotColor.paper.light, width: "3")
        canvas.line(left, base, right, base, color: PlotColor.faint.light)
    }

    /// Writes that there is nothing to draw.
    mutating func sayNothing() {
        label("nothing was measured", (left + right) / 2, (top + base) / 2, .faint, .middle)
    }

    /// Most values of a series that are drawn; of more, several neighbours become the largest of
    /// them.
    static var valuesLimit: Int { 900 }
}

/// The unit of a time axis.
struct TimeUnit: Equatable {
    let name: String
    let seconds: Double

    /// The unit that suits a span of so many seconds.
    init(for seconds: Int) {
        switch seconds {
        case ...240: (name, self.seconds) = ("seconds", 1)
        case ...14_400: (name, self.seconds) = ("minutes", 60)
        default: (name, self.seconds) = ("hours", 3_600)
        }
    }

    /// The distance between marks, in this unit, for a span of so many seconds; nil where decimal
    /// steps suit.
    func step(for seconds: Int) -> Double? {
        if self.seconds < 3_600 { return nil }
        return seconds <= 43_200 ? 1 : seconds <= 130_000 ? 3 : 24
    }
}
