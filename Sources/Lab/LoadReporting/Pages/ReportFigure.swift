internal import Basics
internal import Foundation

/// A figure of a report, with the name and the unit that its property has: `peakPerSecond` of
/// `pushes` is the rate `peak per second` of the part `Pushes`. So the JSON, the text and the page
/// call it the same.
struct ReportFigure {
    /// The part of the report that it belongs to.
    let part: String
    let name: String
    /// The value for people.
    let text: String
    /// The value for comparisons; nil if it is no number.
    let number: Double?

    /// All figures of a report, in the order of its properties. Distributions and series, which
    /// have tables and plots of their own, are left out, as are where it is from, and what was not
    /// measured.
    static func all(of report: Any) -> [ReportFigure] { all(of: report, part: "Run") }

    /// The percentiles of distributions, without a number where nothing was measured.
    static func percentiles(
        of latencies: [NamedLatency],
        resolution: Double = 0
    ) -> [ReportFigure] {
        latencies.flatMap { name, summary in
            LatencySummary.times.map { time, path in
                ReportFigure(
                    part: name,
                    name: time,
                    text: summary.text(path, resolution: resolution),
                    number: summary.count == 0 ? nil : summary[keyPath: path]
                )
            }
        }
    }

    /// The figures of a part of a report, and of the parts of that.
    static func all(of value: Any, part: String) -> [ReportFigure] {
        var (own, further): ([ReportFigure], [ReportFigure]) = ([], [])
        for child in Mirror(reflecting: value).children {
            guard let name = child.label, let value = measured(child.value) else { continue }
            if let counts = value as? [String: Int] {
                let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                let words = words(name).filter { $0 != "by" }.joined(separator: " ")
                own += sorted.map { ReportFigure("\(words) \($0.key)", of: part, count: $0.value) }
            } else if let figure = ReportFigure(words(name), of: part, value: value) {
                own.append(figure)
            } else if !(value is LatencySummary), !(value is Provenance),
                Mirror(reflecting: value).displayStyle == .struct
            {
                further += all(of: value, part: title(name))
            }
        }
        return own + further
    }

    /// A value that is not nil, without its optional.
    private static func measured(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    private static func title(_ name: String) -> String {
        switch name {
        case "apns": "APNs"
        default: name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    /// The words of a property's name: `generatorCPUSeconds` is `generator CPU seconds`.
    private static func words(_ name: String) -> [String] {
        name.matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/#).map { word in
            word.output.count > 1 && word.output.allSatisfy(\.isUppercase)
                ? String(word.output) : word.output.lowercased()
        }
    }

    init(part: String, name: String, text: String, number: Double?) {
        (self.part, self.name, self.text, self.number) = (part, name, text, number)
    }

    /// A count.
    init(_ name: String, of part: String, count: Int) {
        let text = FigureText.grouped(count)
        self.init(part: part, name: name, text: text, number: Double(count))
    }

    /// A plain value, whose unit is in the words of its name; nil for any other.
    private init?(_ words: [String], of part: String, value: Any) {
        self.part = part
        let units: Set = ["seconds", "milliseconds", "nanoseconds"]
        let unit = words.first(where: units.contains)
        let name = words.filter { $0 != unit }.joined(separator: " ")
        self.name = name.isEmpty ? "duration" : name
        switch value {
        case let value as Double:
            number = value
            text =
                switch unit {
                case "nanoseconds": FigureText.nanoseconds(value)
                case "milliseconds": FigureText.milliseconds(value)
                case "seconds": FigureText.seconds(value)
                default: name.hasSuffix("per second") ? FigureText.rate(value) : "\(value)"
                }
        case let value as Int:
            number = Double(value)
            let isRate = name.hasSuffix("per second")
            text =
                words.first == "bytes"
                ? FigureText.bytes(value)
                : isRate ? FigureText.rate(Double(value)) : FigureText.grouped(value)
        case let value as Int64:
            number = nil
            text = Date(timeIntervalSince1970: Double(value) / 1_000).formatted(.iso8601)
        case is String, is UInt64, is Bool:
            number = nil
            text = "\(value)"
        default: return nil
        }
    }
}
