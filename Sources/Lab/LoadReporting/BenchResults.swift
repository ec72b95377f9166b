internal import Foundation

/// What benchmarks gave that were run several times on one machine.
package struct BenchResults: Codable, Equatable, Sendable {
    /// The middle of several runs, and how far they lay apart.
    package struct Spread: Codable, Equatable, Sendable {
        package var median: Double
        package var low: Double
        package var high: Double

        /// - Parameter values: at least one.
        package init(_ values: [Double]) {
            let sorted = values.sorted()
            let middle = sorted.count / 2
            let isOdd = sorted.count % 2 == 1
            median = isOdd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
            (low, high) = (sorted[0], sorted[sorted.count - 1])
        }
    }

    package struct Figure: Codable, Equatable, Sendable {
        package var name: String
        package var unit: String
        package var better: BenchDirection
        package var value: Spread
        package var reference: Spread?
        /// Of the runs' own ratios, each beside its reference.
        package var ratio: Spread?
        package var aim: BenchAim?

        /// Whether the medians are as they should be; nil without an aim.
        package var isMet: Bool? { aim?.isMet(value: value.median, ratio: ratio?.median) }
    }

    package struct Benchmark: Codable, Equatable, Sendable {
        package var name: String
        /// One sentence.
        package var what: String
        /// With which it was run, behind its name.
        package var arguments: [String]
        /// That all its runs took.
        package var seconds: Double
        package var figures: [Figure]
        /// Why it was not measured.
        package var failure: String?

        /// - Parameters:
        ///   - name: of the benchmark.
        ///   - what: one sentence.
        ///   - arguments: with which it was run.
        ///   - seconds: that all its runs took.
        ///   - runs: the figures of each run; those that not every run has are left out.
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

    package static var version: Int { 1 }

    package var version = Self.version
    package var machine: MachineDescription
    /// Of the program that was measured, with its commit if it is known.
    package var program: String
    /// That measures the same again.
    package var command: String
    /// In ms since 1970.
    package var startedAt: Int64
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

    /// The results as JSON, their names in order.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// Results that `json` has written.
    ///
    /// - Parameters:
    ///   - json: the text.
    ///   - name: of the file, for messages.
    /// - Throws: `ReportProblem` with what is wrong.
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
