import ArgumentParser
import CommandSupport
import Glibc
import LoadReporting
import Platform
import ReloadModel
import Times

/// `bench all`: runs the benchmarks, each several times in a process of its own, and reports
/// medians and spreads.
struct BenchAll: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract: "Run the benchmarks, several times each, and report medians and spreads.",
        discussion: """
            Each run is a process of its own, with one round of what the benchmark measures; the \
            reference is measured in the same run. Measure on a machine that is otherwise idle. \
            Exit status: 1 if a benchmark could not be run.
            """
    )

    @OptionGroup var set: BenchSet

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Benchmarks to run. (default: all)", valueName: "name")
    )
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write the results as JSON; - for standard output, in place of the tables.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var json: String?

    @Option(
        help: ArgumentHelp("Write the tables as a Markdown page.", valueName: "file"),
        completion: .file(extensions: ["md"])
    )
    var markdown: String?

    func validate() throws {
        for name in only where !BenchCatalog.entries.contains(where: { $0.name == name }) {
            let hint = Spelling.hint(for: name, among: BenchCatalog.entries.lazy.map(\.name))
            throw ValidationError("there is no benchmark \(name); see `bench --list`\(hint)")
        }
    }

    func run() throws {
        let entries = BenchCatalog.entries.filter { only.isEmpty || only.contains($0.name) }
        let plan = entries.map {
            BenchSet.Item($0.name, what: $0.what, arguments: set.arguments(of: $0))
        }
        let results = set.run(plan, command: command)
        if let markdown { try ReportFile.write(results.markdown, to: markdown) }
        if let json, json != "-" { try ReportFile.write(results.json(), to: json) }
        print(json == "-" ? try results.json() : results.text, terminator: "")
        if results.benchmarks.contains(where: { $0.failure != nil }) { throw ExitCode.failure }
    }

    private var command: String {
        var words = ["reload-lab bench all --runs \(set.runs)"]
        if set.quick { words.append("--quick") }
        if !only.isEmpty { words.append("--only " + only.joined(separator: " ")) }
        return words.joined(separator: " ")
    }
}
