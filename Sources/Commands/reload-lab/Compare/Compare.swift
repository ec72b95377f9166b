import ArgumentParser
import CommandSupport
import LoadReporting

/// `compare`: sets two reports beside each other.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two reports of fleets, replays or simulations.",
        discussion: """
            Both are JSON of the same command: `fleet --json`, `replay --json`, or the summary.json \
            of `simulate --output`. Prints every number of both and their ratio, and says in what \
            the two runs differ; --report writes a page with the curves of both. `bench compare` \
            compares benchmarks. Exit status: 1 if they cannot be compared.
            """
    )

    @Argument(help: "Earlier report.", completion: .file(extensions: ["json"]))
    var before: String

    @Argument(help: "Report to compare with it.", completion: .file(extensions: ["json"]))
    var now: String

    @Option(help: "Write the comparison as one HTML page.", of: "file")
    var report: String?

    func run() throws {
        do {
            let page = try ReportComparison.page(file(now), before: file(before))
            print(page.text)
            if let report { try ReportFile.write(page.html(), to: report) }
        } catch {
            throw SettingsProblem("\(error)")
        }
    }

    /// A report by the name of its file, or by its path if both files have one name.
    private func file(_ path: String) throws -> ReportComparison.File {
        let names = [before, now].map { $0.split(separator: "/").last.map { String($0) } ?? $0 }
        let name = names[0] == names[1] ? path : path == before ? names[0] : names[1]
        return (name, try ReportFile.read(path))
    }
}
