internal import Basics
internal import Foundation

/// The target of a figure.
package enum BenchAim: Codable, Equatable, Sendable {
    /// At most this many times the reference.
    case ratio(Double)
    /// At least this fraction of the reference.
    case share(Double)
    /// At most this value.
    case value(Double)
    /// At least this value.
    case least(Double)

    /// True if a figure reaches the target. Without a reference, a target for the ratio is not
    /// reached.
    package func isMet(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .ratio(let most): (ratio ?? .infinity) <= most
        case .share(let least): (ratio ?? 0) >= least
        case .value(let most): value <= most
        case .least(let least): value >= least
        }
    }

    /// The target for people, such as `ratio <= 1.25`.
    package func text(unit: String) -> String {
        switch self {
        case .ratio(let most): "ratio <= \(FigureText.fixed(most, places: 2))"
        case .share(let least): "ratio >= \(FigureText.fixed(least, places: 2))"
        case .value(let most): "<= \(FigureText.short(most)) \(unit)"
        case .least(let least): ">= \(FigureText.short(least)) \(unit)"
        }
    }
}

/// The direction in which a figure improves.
package enum BenchDirection: String, Codable, Sendable {
    case lower
    case higher
    /// Neither: it describes the run, such as how many widgets a push matched.
    case neither
}

/// One figure of one run, and the figure of its reference if there is one. The benchmarks print
/// each figure as a line of JSON, which another process reads.
package struct BenchFigure: Equatable, Sendable {
    /// What is measured; the parts of the name are joined by dots: `frames.16.rate`.
    package var name: String
    /// The router's figure, in `unit`; NaN if a figure read from JSON had no finite value.
    package var value: Double
    /// The unit of `value` and `reference`, such as `pushes/s`.
    package var unit: String
    /// The figure of the reference program for the same work; nil if there is no reference.
    package var reference: Double?
    /// The target of the figure; nil if it has none.
    package var aim: BenchAim?
    /// The direction in which the figure improves.
    package var better: BenchDirection

    /// Makes a figure; without a direction, its name and its aim say which one it is.
    package init(
        _ name: String,
        value: Double,
        unit: String,
        reference: Double? = nil,
        aim: BenchAim? = nil,
        better: BenchDirection? = nil
    ) {
        self.name = name
        self.value = value
        self.unit = unit
        self.reference = reference
        self.aim = aim
        self.better = better ?? Self.direction(name, aim: aim)
    }

    /// Rates improve upwards and costs downwards; what only describes a run does neither.
    private static func direction(_ name: String, aim: BenchAim?) -> BenchDirection {
        switch aim {
        case .share?, .least?: return .higher
        case .ratio?, .value?: return .lower
        case nil: break
        }
        switch name.split(separator: ".").last {
        case "rate", "share": return .higher
        case "matches", "lookups", "reloads", "records", "batch": return .neither
        default: return .lower
        }
    }

    /// The value divided by the reference; nil without a reference above 0.
    package var ratio: Double? {
        guard let reference, reference > 0 else { return nil }
        return value / reference
    }

    /// The target and whether it is reached; empty without one.
    package var verdict: String {
        guard let aim else { return "" }
        return aim.text(unit: unit) + (aim.isMet(value: value, ratio: ratio) ? " met" : " MISSED")
    }

    /// One line of JSON; missing values are null.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension BenchFigure: Codable {
    private enum Key: String, CodingKey {
        case name, value, unit, reference, ratio, aim, better
    }

    /// Decodes what `encode` has written; a null value becomes NaN, and `ratio` is computed.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        name = try object.decode(String.self, forKey: .name)
        value = try object.decodeIfPresent(Double.self, forKey: .value) ?? .nan
        unit = try object.decode(String.self, forKey: .unit)
        reference = try object.decodeIfPresent(Double.self, forKey: .reference)
        aim = try object.decodeIfPresent(BenchAim.self, forKey: .aim)
        better = try object.decode(BenchDirection.self, forKey: .better)
    }

    /// Encodes numbers rounded to three decimals; NaN and infinities become null.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(name, forKey: .name)
        try object.encode(Self.rounded(value), forKey: .value)
        try object.encode(unit, forKey: .unit)
        try object.encode(Self.rounded(reference), forKey: .reference)
        try object.encode(Self.rounded(ratio), forKey: .ratio)
        try object.encode(better, forKey: .better)
        try object.encodeIfPresent(aim, forKey: .aim)
    }

    /// Reads a figure that `json` has written.
    ///
    /// - Throws: `ReportProblem` if the line is not such a figure.
    package init(json line: some StringProtocol) throws {
        do {
            self = try JSONDecoder().decode(BenchFigure.self, from: Data(line.utf8))
        } catch {
            throw ReportProblem("this is not a figure: \(line)")
        }
    }

    /// Rounds to three decimal places; nil for infinities and NaN, which JSON cannot express.
    static func rounded(_ number: Double?) -> Double? {
        guard let number, number.isFinite else { return nil }
        return (number * 1_000).rounded() / 1_000
    }
}
