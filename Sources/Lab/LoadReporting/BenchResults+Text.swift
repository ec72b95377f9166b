internal import Basics
internal import Foundation

extension BenchResults {
    private static var header: [String] {
        ["figure", "median", "spread", "unit", "reference", "ratio", "spread", "aim"]
    }

    /// The results as tables for a terminal.
    package var text: String {
        var text = "\(machine.text)\n\(program), \(Self.date(startedAt)), \(runs) runs\n"
        for benchmark in benchmarks {
            text += "\n\(benchmark.name): \(benchmark.what)\n"
            if let failure = benchmark.failure { text += "not measured: \(failure)\n" }
            if benchmark.figures.isEmpty { continue }
            let rows = [Self.header] + benchmark.figures.map(Self.cells)
            text += TextTable.text(rows, numbers: [1, 2, 4, 5, 6])
        }
        return text
    }

    /// The results as a page of tables in Markdown.
    package var markdown: String {
        var text = """
            # Benchmarks

            Written by `deploy/bench`; do not edit. What holds from one machine to another is the ratio to \
            the reference, which did the same work in the same run; times and rates are of this machine, \
            which shares its cores with its host's other guests. Each figure is the median of \(runs) runs, \
            the spread is the lowest and the highest.

            - Machine: \(machine.text)
            - Program: \(program)
            - Date: \(Self.date(startedAt))
            - Command: `\(command)`

            """
        for benchmark in benchmarks {
            let arguments = benchmark.arguments.map { " " + $0 }.joined()
            text += "\n## \(benchmark.name)\n\n\(benchmark.what) "
            text += "(`reload-lab bench \(benchmark.name)\(arguments)`)\n"
            if let failure = benchmark.failure { text += "\nNot measured: \(failure)\n" }
            if benchmark.figures.isEmpty { continue }
            text += "\n" + Self.markdownRow(Self.header)
            text += "|---|--:|--:|---|--:|--:|--:|---|\n"
            for figure in benchmark.figures { text += Self.markdownRow(Self.cells(figure)) }
        }
        return text
    }

    private static func markdownRow(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }

    private static func cells(_ figure: Figure) -> [String] {
        [
            figure.name, FigureText.short(figure.value.median), text(figure.value), figure.unit,
            figure.reference.map { FigureText.short($0.median) } ?? "",
            figure.ratio.map { FigureText.fixed($0.median, places: 2) } ?? "",
            figure.ratio.map {
                "\(FigureText.fixed($0.low, places: 2)) – \(FigureText.fixed($0.high, places: 2))"
            }
                ?? "",
            verdict(figure),
        ]
    }

    private static func text(_ spread: Spread) -> String {
        "\(FigureText.short(spread.low)) – \(FigureText.short(spread.high))"
    }

    private static func verdict(_ figure: Figure) -> String {
        guard let aim = figure.aim, let isMet = figure.isMet else { return "" }
        return "\(aim.text(unit: figure.unit)): \(isMet ? "met" : "missed")"
    }

    private static func date(_ milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        return date.formatted(.iso8601)
    }
}
