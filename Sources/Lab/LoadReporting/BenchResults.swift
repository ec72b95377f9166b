internal import Foundation

/// The results of benchmarks that were run several times on one machine, as `bench all` reports
/// them and `bench compare` reads them.
package struct BenchResults: Codable, Equatable, Sendable {
    /// The median of several runs, and the lowest and highest.
    package struct Spread: Codable, Equatable, Sendable {
        package var median: Double
        package var low: Double
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
        package var name: String
        package var unit: String
        package var better: BenchDirection
        package var value: Spread
        /// Nil if a run had no reference.
        package var reference: Spread?
        /// Over the ratios of the single runs, each to the reference of the same run.
        package var ratio: Spread?
        package var aim: BenchAim?

        /// True if the medians reach the target; nil without one.
        package var isMet: Bool? { aim?.isMet(value: value.median, ratio: ratio?.median) }
    }

    /// A benchmark with its figures.
    package struct Benchmark: Codable, Equatable, Sendable {
        package var name: String
        /// What it measures, in one sentence.
        package var what: String
        /// The arguments it was run with, after its name.
        package var arguments: [String]
        /// The duration of all its runs together, in s.
        package var seconds: Double
        package var figures: [Figure]
        /// Why it was not measured; nil if it was.
        package var failure: String?

        /// - Parameters:
        ///   - name: the name of the benchmark.
        ///   - what: what it measures, in one sentence.
        ///   - arguments: the arguments it was run with.
        ///   - seconds: the duration of all its runs together.
        ///   - runs: the figures of each run; a figure that not every run has is left out.
        ///   - failure: why it was not measured.
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

    package var version = Self.version
    package var machine: MachineDescription
    /// The program that was measured, with its version, and its commit if that is known.
    package var program: String
    /// The command that measures the same again.
    package var command: String
    /// In ms since 1970.
    package var startedAt: Int64
    /// How often each benchmark was run.
    package var runs: Int
    package var benchmarks: [Benchmark]

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

    /// Reads results that `json` has written.
    ///
    /// - Parameters:
    ///   - json: the text.
    ///   - name: the file's name, for messages.
    /// - Throws: `ReportProblem` if the text is no results, or of a newer version.
    package init(json: String, named name: String) throws {
        do {
            self = try JSONDecoder().decode(BenchResults.self, from: Data(json.utf8))
        } catch {
            throw ReportProblem("\(name) has no results of `reload-lab bench all --json`")
        }
        if version > Self.version {
            throw ReportProblem("\(name) is of version \(version); this program knows 1")
        }
    }
}
