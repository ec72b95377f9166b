internal import RouterMetrics

/// A plot in the making: two axes, and what is drawn between them.
struct Plot {
    private(set) var canvas: SVGCanvas
    let x: PlotAxis
    let y: PlotAxis
    /// Between the axes, in tenths of a pixel.
    let left: Int
    let top: Int
    let right: Int
    let base: Int

    /// Draws the axes.
    ///
    /// - Parameters:
    ///   - width: in pixels, as all others.
    ///   - height: of all.
    ///   - left: room for the marks of the axis upwards.
    ///   - top: room above.
    ///   - x: to the right.
    ///   - y: upwards.
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

    /// Where a value lies, in tenths of a pixel.
    func x(_ value: Double) -> Int { left + x.place(value, length: right - left) }
    func y(_ value: Double) -> Int { base - y.place(value, length: base - top) }

    // MARK: - What is drawn

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

    /// A series from the left end to the right one: each value lasts as long as the others.
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

    /// A curve from place to place.
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

    /// A dashed line from end to end.
    mutating func level(_ value: Double, _ color: PlotColor) {
        let place = y(value)
        canvas.line(left, place, right, place, color: color.light, width: "1.2", dash: "6 4")
    }

    /// Draws the axis in front of what lies on it because it is below the first value upwards.
    mutating func coverBase() {
        canvas.line(left, base, right, base, color: PlotColor.paper.light, width: "3")
        canvas.line(left, base, right, base, color: PlotColor.faint.light)
    }

    mutating func sayNothing() {
        label("nothing was measured", (left + right) / 2, (top + base) / 2, .faint, .middle)
    }

    /// Values of a series in a plot; of more, neighbours are drawn as the largest of them.
    static var valuesLimit: Int { 900 }
}

/// In what a time axis counts.
struct TimeUnit: Equatable {
    let name: String
    let seconds: Double

    /// The one that suits so many seconds.
    init(for seconds: Int) {
        switch seconds {
        case ...240: (name, self.seconds) = ("seconds", 1)
        case ...14_400: (name, self.seconds) = ("minutes", 60)
        default: (name, self.seconds) = ("hours", 3_600)
        }
    }

    /// Between marks of so many seconds; nil for what suits numbers that are counted by tens.
    func step(for seconds: Int) -> Double? {
        if self.seconds < 3_600 { return nil }
        return seconds <= 43_200 ? 1 : seconds <= 130_000 ? 3 : 24
    }
}
