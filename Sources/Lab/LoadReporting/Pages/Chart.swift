internal import Basics

/// A plot of a report: axes and curves. A page's script draws it with Chart.js; `picture` is an SVG
/// file for where there is no page.
package struct Chart: Encodable, Sendable {
    /// How a curve is drawn.
    package enum Style: String, Encodable, Sendable {
        case line
        /// A line, and the area below it.
        case area
        /// A line with a dot at each value. A value of 0 is a gap.
        case dots
    }

    /// A curve.
    struct Curve: Encodable, Sendable {
        /// What the legend calls it; empty to leave it out there.
        let label: String
        let color: PlotColor
        /// Positions on the horizontal and on the vertical axis; nil where there is no value.
        let points: [[Double?]]
        var style = Style.line
        /// The lengths of the line's strokes and gaps, in pixels; empty for a solid line.
        var dash: [Int] = []
        /// True if each value holds until the next one.
        var isStepped = false
    }

    let title: String
    let x: PlotAxis
    let y: PlotAxis
    private(set) var curves: [Curve] = []
    /// What stands beside the legend.
    private(set) var note: String

    /// Makes a plot without curves.
    package init(_ title: String, x: PlotAxis, y: PlotAxis, note: String = "") {
        self.title = title
        self.x = x
        self.y = y
        self.note = note
    }

    /// True if nothing was measured.
    var isEmpty: Bool { curves.allSatisfy { $0.points.allSatisfy { $0[1] == nil } } }

    /// The most values of a series that are drawn. In a longer series, several neighbouring values
    /// are drawn as the largest of them.
    private static var valuesLimit: Int { 1_500 }

    /// Adds a series across the whole width, as steps of equal length; see `Curve`.
    package mutating func addSteps(
        _ label: String,
        of values: [Double],
        color: PlotColor,
        style: Style = .line,
        dash: [Int] = []
    ) {
        let thinned = Thinning(values, to: Self.valuesLimit)
        if thinned.step > 1 && !note.contains("largest of every") {
            note += (note.isEmpty ? "" : "; ") + "largest of every \(thinned.step)"
        }
        let length = x.range.upperBound - x.range.lowerBound
        let step = length * Double(thinned.step) / Double(max(1, values.count))
        var points = thinned.values.enumerated().map { (index, value) -> [Double?] in
            let isGap = style == .dots && value == 0
            let position = Self.rounded(x.range.lowerBound + Double(index) * step)
            return [position, isGap ? nil : Self.rounded(value)]
        }
        if let last = points.last { points.append([Self.rounded(x.range.upperBound), last[1]]) }
        var curve = Curve(label: label, color: color, points: points, isStepped: true)
        (curve.style, curve.dash) = (style, dash)
        curves.append(curve)
    }

    /// Adds a line through points; see `Curve`.
    package mutating func addLine(
        _ label: String,
        through places: [(x: Double, y: Double)],
        color: PlotColor,
        dash: [Int] = []
    ) {
        let points = places.map { [Self.rounded($0.x), Self.rounded($0.y)] }
        curves.append(Curve(label: label, color: color, points: points, dash: dash))
    }

    /// Adds a dashed horizontal line.
    package mutating func addLevel(_ label: String, at value: Double) {
        let places = [x.range.lowerBound, x.range.upperBound].map { (x: $0, y: value) }
        addLine(label, through: places, color: .ink, dash: [6, 4])
    }

    /// Rounds to four decimals; nil for infinities and NaN, which JSON does not have, and for
    /// numbers that are too large to be rounded.
    private static func rounded(_ number: Double) -> Double? {
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded.isFinite ? rounded : nil
    }

    // MARK: - Latencies

    /// A plot of latencies over their rarity, which grows tenfold from one grid line to the next.
    /// Those below `resolution` ms are drawn there.
    static func percentiles(
        _ latencies: [NamedLatency],
        other: [NamedLatency] = [],
        note: String = "",
        resolution: Double = 0
    ) -> Chart {
        let least = max(0.001, resolution)
        let spectra = (latencies + other).map(\.summary.spectrum)
        var chart = Chart(
            "Latency by percentile",
            x: .rarity(upTo: spectra.compactMap(\.percentiles.last).max() ?? 0),
            y: .latency(spectra.flatMap(\.milliseconds).map { max(least, $0) }),
            note: note
        )
        let colors: [PlotColor] = [.blue, .green, .amber]
        let runs: [(latencies: [NamedLatency], dash: [Int])] = [(latencies, []), (other, [5, 4])]
        for (latencies, dash) in runs {
            for (latency, color) in zip(latencies, colors) {
                let spectrum = latency.summary.spectrum
                let places = zip(spectrum.percentiles, spectrum.milliseconds).map {
                    (x: PlotAxis.rarity(of: $0), y: max(least, $1))
                }
                let label = dash.isEmpty ? latency.name : ""
                chart.addLine(label, through: places, color: color, dash: dash)
            }
        }
        return chart
    }

    // MARK: - HTML

    /// The plot as part of a page: its title, and the place where the script draws it.
    var figure: String {
        let aside = note.isEmpty ? "" : "<span class=\"note\">\(note.escaped)</span>"
        let canvas = "<div><canvas role=\"img\" aria-label=\"\(title.escaped)\"></canvas></div>"
        return "<figure><figcaption><h2>\(title.escaped)</h2>\(aside)"
            + "</figcaption>\(isEmpty ? "<p>Nothing was measured.</p>" : canvas)</figure>"
    }
}
