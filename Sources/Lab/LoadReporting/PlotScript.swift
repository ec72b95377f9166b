internal import Foundation
internal import TextFigures

/// A script for gnuplot, with its data: one plot.
struct PlotScript {
    let width: Int
    let height: Int
    private var lines: [String]
    private var blocks = 0
    private var layers: [String] = []

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        let (faint, grid) = (PlotColor.faint.light, PlotColor.grid.light)
        lines = [
            "set terminal svg size \(width),\(height) dynamic noenhanced font 'Helvetica,12'",
            "set border 1 lc rgb '\(faint)'",
            "set tics nomirror scale 0.4 textcolor rgb '\(faint)'",
            "set ytics scale 0",
            "set grid ytics lt 1 lw 1 lc rgb '\(grid)'",
            "set style fill transparent solid 0.16 noborder",
            "set lmargin 9.5",
            "set rmargin 2",
            "set tmargin 1",
            "unset key",
        ]
    }

    mutating func set(_ option: String) { lines.append("set \(option)") }

    mutating func axis(_ name: Character, _ title: String) {
        let shift = name == "y" ? " offset 1,0" : ""
        set("\(name)label '\(Self.quoted(title))'\(shift) tc rgb '\(PlotColor.faint.light)'")
    }

    /// Text at a place in gnuplot's coordinates.
    mutating func label(
        _ text: String,
        at place: String,
        _ color: PlotColor,
        alignment: String = "left"
    ) {
        set("label '\(Self.quoted(text))' at \(place) \(alignment) tc rgb '\(color.light)' front")
    }

    /// - Parameter rows: of numbers; each is a line of the block.
    /// - Returns: the block's name.
    mutating func data(_ rows: [[Double]]) -> String {
        blocks += 1
        let name = "$data\(blocks)"
        let text = rows.map { row in row.map { FigureText.fixed($0, 6) }.joined(separator: " ") }
        lines += ["\(name) << end"] + text + ["end"]
        return name
    }

    mutating func layer(_ layer: String) { layers.append(layer) }

    /// The whole script.
    var text: String {
        (lines + ["plot " + layers.joined(separator: ", ")]).joined(separator: "\n") + "\n"
    }

    /// For a single-quoted string, in which gnuplot takes everything literally but the quote.
    ///
    /// Control characters, which neither scripts nor SVG can have, become spaces.
    static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            quoted += isControl ? " " : scalar == "'" ? "''" : String(scalar)
        }
        return quoted
    }

    // MARK: - What plots have in common

    /// A series as steps, each with its place on a time axis of this unit.
    mutating func steps(_ values: [Double], unit: TimeUnit) -> String {
        let thinned = Thinning(values, to: Self.valuesLimit)
        var rows = thinned.values.enumerated().map { index, value in
            [Double(index * thinned.step) / unit.seconds, value]
        }
        // The last value lasts as long as the others.
        if let last = thinned.values.last {
            rows.append([Double(values.count) / unit.seconds, last])
        }
        return data(rows)
    }

    /// From zero to a little more than this, with a few lines at round figures.
    mutating func upwards(to largest: Double) {
        let top = largest.isFinite ? min(max(1, largest), 1e12) : 1
        var step = pow(10, floor(log10(top / 5)))
        for factor in [2, 2.5, 2] where top / step > 5 { step *= factor }
        set("yrange [0:\(FigureText.fixed(top * 1.14, 3))]")
        let marks = stride(from: 0, through: top * 1.14, by: step).map { mark in
            let text = step < 1 ? FigureText.fixed(mark, 1) : FigureText.grouped(Int(mark))
            return "'\(text)' \(FigureText.fixed(mark, 3))"
        }
        set("ytics (\(marks.joined(separator: ", ")))")
    }

    /// Lines at the powers of ten.
    mutating func logarithmically(to largest: Double) {
        let powers = (0...9).map { Int(pow(10, Double($0))) }
        let marks = powers.map { "'\(FigureText.grouped($0))' \($0)" }
        set("logscale y")
        set("yrange [0.8:\(FigureText.fixed(largest * 2.4, 3))]")
        set("ytics (\(marks.joined(separator: ", ")))")
    }

    /// Values of a series in a plot; of more, neighbours are drawn as the largest of them.
    static var valuesLimit: Int { 900 }

    mutating func timeAxis(seconds: Int, unit: TimeUnit) {
        set("xrange [0:\(FigureText.fixed(max(1, Double(seconds)) / unit.seconds, 6))]")
        if let step = unit.step(for: seconds) { set("xtics \(step)") }
        axis("x", unit.name)
    }
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
    func step(for seconds: Int) -> Int? {
        if self.seconds < 3_600 { return nil }
        return seconds <= 43_200 ? 1 : seconds <= 130_000 ? 3 : 24
    }
}
