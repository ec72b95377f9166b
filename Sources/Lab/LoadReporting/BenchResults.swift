internal import Foundation

/// The results of benchmarks that were run several times on one machine, as `bench all` reports
/// them and `bench compare` reads them.
package struct BenchResults: Codable, Equatable, Sendable {
    /// The median of the values of several runs, and the lowest and highest of them.
    package struct Spread: Codable, Equatable, Sendable {
        /// The median of the runs; of an even number of runs, the mean of the middle two.
        package var median: Double
        /// The lowest value.
        package var low: Double
        /// The highest value.
        package var high: Double

        /// - Parameter values: at least one value, in any order.
        package init(_ values: [Double]) {
            let sorted = values.sorted()
            let middle = sorted.count / 2
            let isOdd = sorted.count % 2 == 1
            median = isOdd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
            (low, high) = (sorted[0], sorted[sorted.count - 1])
        }
    }

    /// A figure over all runs.
    package struct Figure: Codable, Equatable, Sendable {
        /// The name of the figure, such as `frames.16.rate`.
        package var name: String
        /// The unit of `value` and `reference`.
        package var unit: String
        /// The direction in which the figure improves.
        package var better: BenchDirection
        /// The router's figures.
        package var value: Spread
        /// The reference's figures; nil if one of the runs had none.
        package var reference: Spread?
        /// The ratio of each run to its own reference; nil if one of the runs had none.
        package var ratio: Spread?
        /// The target of the figure; nil if it has none.
        package var aim: BenchAim?

        /// True if the medians reach the target; nil without one.
        package var isMet: Bool? { aim?.isMet(value: value.median, ratio: ratio?.median) }
    }

    /// A benchmark with its figures.
    package struct Benchmark: Codable, Equatable, Sendable {
        /// The name that `reload-lab bench` runs it by.
        package var name: String
        /// What it measures, in one sentence.
        package var what: String
        /// The arguments it was run with, after its name.
        package var arguments: [String]
        /// The duration of all its runs together, in s.
        package var seconds: Double
        /// The figures that every run has measured, in the order of the first run.
        package var figures: [Figure]
        /// Why it was not measured; nil if it was.
        package var failure: String?

        /// Merges the figures of all runs.
        package init(
            name: String,
            what: String,
            arguments: [String],
            seconds: Double,
            runs: [[BenchFigure]],
            failure: String? = nil
        ) {
            self.name = name
            self.what = what
            self.arguments = arguments
            self.seconds = seconds
            self.failure = failure
            figures = (runs.first ?? []).compactMap { Self.merge($0.name, of: runs) }
        }

        private static func merge(_ name: String, of runs: [[BenchFigure]]) -> Figure? {
            let all = runs.compactMap { run in run.first { $0.name == name && $0.value.isFinite } }
            guard all.count == runs.count, let first = all.first else { return nil }
            let references = all.compactMap(\.reference)
            let ratios = all.compactMap(\.ratio)
            return Figure(
                name: name,
                unit: first.unit,
                better: first.better,
                value: Spread(all.map(\.value)),
                reference: references.count == all.count ? Spread(references) : nil,
                ratio: ratios.count == all.count ? Spread(ratios) : nil,
                aim: first.aim
            )
        }
    }

    /// The version of the JSON that this program writes, and the newest that it reads.
    package static var version: Int { 1 }

    /// The version of the JSON: of results that were read, the version in the file.
    package var version = Self.version
    /// The machine on which the benchmarks were run.
    package var machine: MachineDescription
    /// The program that was measured, with its version, and its commit if that is known.
    package var program: String
    /// The command that measures the same again.
    package var command: String
    /// When the benchmarks were started, in ms since 1970.
    package var startedAt: Int64
    /// How often each benchmark was run.
    package var runs: Int
    /// The benchmarks in the order in which they were run, failed ones included.
    package var benchmarks: [Benchmark]

    /// Makes the results of a run.
    package init(
        machine: MachineDescription,
        program: String,
        command: String,
        startedAt: Int64,
        runs: Int,
        benchmarks: [Benchmark] = []
    ) {
        self.machine = machine
        self.program = program
        self.command = command
        self.startedAt = startedAt
        self.runs = runs
        self.benchmarks = benchmarks
    }

    /// The results as JSON with sorted keys.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// Reads results that `json` has written; messages name the file.
    ///
    /// - Throws: `ReportProblem` if the text is not such results, or if their version is newer.
    package init(json: String, named name: String) throws {
        do {
            self = try JSONDecoder().decode(BenchResults.self, from: Data(json.utf8))
        } catch {
            throw ReportProblem("\(name) has no results of `reload-lab bench all --json`")
        }
        if version > Self.version {
            throw ReportProblem(
                "\(name) is of version \(version); this program knows \(Self.version)"
            )
        }
    }
}
