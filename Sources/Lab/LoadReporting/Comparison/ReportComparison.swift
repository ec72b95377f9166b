internal import Basics
internal import Foundation

/// Sets two reports of one sort beside each other, for `reload-lab compare`.
package enum ReportComparison {
    /// A report as JSON, and the name of its file.
    package typealias File = (name: String, json: String)

    /// A page with the numbers of both, their ratios, and their curves in the same plots.
    ///
    /// - Throws: `ReportProblem` if they are not two reports of fleets, of replays or of
    ///   simulations, or if one is damaged.
    package static func page(_ now: File, before: File) throws(ReportProblem) -> ReportPage {
        let sorts: [any ComparedReport.Type] = [
            FleetReport.self, ReplayReport.self, SimulationSummary.self,
        ]
        let members = (
            try decode([String: AnyMember].self, from: now),
            try decode([String: AnyMember].self, from: before)
        )
        let sort = sorts.first { sort in
            members.0[sort.ownMember] != nil && members.1[sort.ownMember] != nil
        }
        guard let sort else {
            throw ReportProblem(
                "\(before.name) and \(now.name) are not two reports of `fleet`, two of `replay` or two "
                    + "of `simulate`; `bench compare` compares benchmarks"
            )
        }
        return try page(of: sort, now: now, before: before)
    }

    /// The page of two reports of this sort.
    private static func page<Report: ComparedReport>(
        of sort: Report.Type,
        now: File,
        before: File
    ) throws(ReportProblem) -> ReportPage {
        let runs = [
            (name: now.name, report: try decode(sort, from: now)),
            (name: before.name, report: try decode(sort, from: before)),
        ]
        let latencies = runs.map(\.report.latencies)
        let percentiles = Chart.percentiles(
            latencies[0],
            other: latencies[1],
            note: "dashed: \(before.name)",
            resolution: runs.map(\.report.resolution).max() ?? 0
        )
        return ReportPage(
            title: "\(now.name) beside \(before.name)",
            subtitle: differences(runs.map(\.report.compared)),
            notes: runs.flatMap { run in
                (run.report.provenance?.lines ?? []).map { "\(run.name): \($0)" }
            },
            charts: Report.charts(of: runs) + (latencies[0].isEmpty ? [] : [percentiles]),
            tables: [
                ReportTable(beside: "", runs: runs.map { ($0.name, $0.report.compared) })
            ]
        )
    }

    /// A member of JSON, whatever it is.
    private struct AnyMember: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from file: File
    ) throws(ReportProblem) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(file.json.utf8))
        } catch {
            throw ReportProblem("\(file.name) cannot be compared: \(sentence(error))")
        }
    }

    /// What is wrong with JSON, and where.
    private static func sentence(_ error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String {
            keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        }
        return switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(path(context.codingPath + [key]).dropFirst()) is missing"
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no JSON object"
                : "\(path(context.codingPath).dropFirst()): \(context.debugDescription)"
        default: "\(error)"
        }
    }

    /// Whether two numbers differ by a tenth at most.
    private static func isNear(_ one: Double?, to other: Double?) -> Bool {
        guard let one, let other else { return one == other }
        return max(one, other) <= min(one, other) * 1.1
    }

    /// In what the runs themselves differ, apart from their dates.
    private static func differences(_ figures: [[ReportFigure]]) -> String {
        let names = figures[0].filter { figure in
            let other = figures[1].first { $0.part == figure.part && $0.name == figure.name }
            guard figure.part == "Run", figure.name != "started at" else { return false }
            // Runs of one length by the clock do not end in the same millisecond.
            if figure.name == "duration" { return !isNear(figure.number, to: other?.number) }
            return other?.text != figure.text
        }.map(\.name)
        return names.isEmpty ? "Run alike" : "Not alike: " + names.joined(separator: ", ")
    }
}

/// A report that can stand beside another one of its sort.
protocol ComparedReport: Decodable {
    /// The member of its JSON that no other sort has.
    static var ownMember: String { get }
    /// Where it is from; nil if it is not known.
    var provenance: Provenance? { get }
    /// Its distributions, if it has any.
    var latencies: [NamedLatency] { get }
    /// The steps of these, in ms; 0 if there are none.
    var resolution: Double { get }
    /// All of its figures.
    var compared: [ReportFigure] { get }

    /// Plots with the curves of several of them.
    static func charts(of runs: [(name: String, report: Self)]) -> [Chart]
}

extension ComparedReport {
    var resolution: Double { 0 }
}

extension FleetReport: ComparedReport {
    static var ownMember: String { "scenario" }

    var compared: [ReportFigure] {
        [ReportFigure(part: "Run", name: "mode", text: mode.rawValue, number: nil)] + figures
    }

    static func charts(of runs: [(name: String, report: FleetReport)]) -> [Chart] {
        let reloads = runs.map { ($0.name, $0.report.series.reloads) }
        return [JitterComparison(runs.map { ($0.name, $0.report) }).chart]
            + [.beside("Widgets reloaded", unit: "a second", runs: reloads)]
    }
}

extension ReplayReport: ComparedReport {
    static var ownMember: String { "capture" }

    var compared: [ReportFigure] { ReportFigure.percentiles(of: latencies) + figures }

    static func charts(of runs: [(name: String, report: ReplayReport)]) -> [Chart] {
        let pushes = runs.map { ($0.name, $0.report.series.acknowledged) }
        let reloads = runs.map { ($0.name, $0.report.series.reloads) }
        return [
            .beside("Pushes acknowledged", unit: "a second", runs: pushes),
            .beside("Widgets reloaded", unit: "a second", runs: reloads),
        ]
    }
}

extension Chart {
    /// A plot of series, one for each of two runs, of values that are `seconds` apart.
    static func beside(
        _ title: String,
        unit: String,
        runs: [(name: String, values: [Int])],
        seconds: Int = 1
    ) -> Chart {
        let count = runs.map(\.values.count).max() ?? 0
        let largest = runs.compactMap { $0.values.max() }.max() ?? 0
        var chart = Chart(
            title,
            x: .time(seconds: count * seconds),
            y: .upwards(to: Double(largest), title: unit)
        )
        for (run, color) in zip(runs, [.blue, .amber] as [PlotColor]) {
            // The curve of a shorter run ends at 0.
            let rest = Array(repeating: 0, count: count - run.values.count)
            chart.addSteps(run.name, of: (run.values + rest).map(Double.init), color: color)
        }
        return chart
    }
}
