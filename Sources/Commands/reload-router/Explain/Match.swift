import ArgumentParser
import CommandSupport

/// `match`: says whether a pattern matches an event, without a router.
struct Match: LongCommand {
    static let configuration = CommandConfiguration(
        abstract: "Test whether a pattern matches an event.",
        discussion: """
            Prints true, false, or "error CODE PATH: SENTENCE", evaluated by the code with which \
            the router matches pushes. PATTERN is a rule as in the app file, EVENT a push's \
            payload, CONFIGURATION the widget's. The language is described in \
            protocol/patterns.md.

            With --pairs, each line is PATTERN, a tab, EVENT, and optionally another tab and a \
            CONFIGURATION; one line is printed for each.

            With --like eventbridge, FILE is an app file, a pattern, or what \
            "aws events list-rules" has written; each place is printed where a rule means \
            something else to Amazon EventBridge than here.

            Exit status: 0 matches, 1 does not, 2 an error; with --pairs: 0 all lines could be \
            evaluated, 2 some could not; with --like: 0 no rule differs, 1 some do, 2 an error.
            """
    )

    @Option(help: "The rule, a JSON object.", of: "json")
    var pattern: String?

    @Option(help: "The payload, a JSON object.", of: "json")
    var event: String?

    @Option(
        help: "The widget's parameters, a JSON object.",
        of: "json",
        name: .customLong("configuration")
    )
    var parameters: String?

    @Option(help: "File of lines to evaluate; - is standard input.", of: "file")
    var pairs: String?

    @Option(
        help: "Compare what the rules of FILE mean with that service: eventbridge.",
        of: "service"
    )
    var like: ComparedService?

    @Argument(help: "With --like: the file of rules.", completion: .file())
    var file: String?

    var activity: String? { "judging the pairs" }

    func validate() throws {
        if (like == nil) != (file == nil) {
            throw ValidationError("give --like and a FILE together")
        }
        if like != nil {
            if pattern != nil || event != nil || parameters != nil || pairs != nil {
                throw ValidationError(
                    "--like cannot be combined with --pattern, --event or --pairs"
                )
            }
            return
        }
        if pairs == nil && (pattern == nil || event == nil) {
            throw ValidationError("give --pattern and --event, or --pairs")
        }
        if pairs != nil && (pattern != nil || event != nil || parameters != nil) {
            throw ValidationError(
                "--pairs cannot be combined: its lines contain the patterns and events"
            )
        }
    }

    func run() throws {
        let status = try file.map(RuleComparison.run) ?? pairs.map(judgeLines) ?? judgeOne()
        if status != .success { throw status }
    }

    private func judgeOne() -> ExitCode {
        var trial = PatternTrial()
        let verdict = trial.judge(
            pattern: Array((pattern ?? "").utf8),
            event: Array((event ?? "").utf8),
            configuration: Array((parameters ?? "{}").utf8)
        )
        printLine(verdict.line)
        for hint in trial.hints { writeStandardError("warning: \(hint)\n") }
        return switch verdict {
        case .matches: .success
        case .differs: ExitStatus.refused
        case .refused: ExitStatus.notJudged
        }
    }

    private func judgeLines(of path: String) throws -> ExitCode {
        var trial = PatternTrial()
        var lines = try LineReader(path)
        var status = ExitCode.success
        while let line = try lines.next() {
            let verdict = trial.judge(line: line.bytes)
            if case .refused = verdict { status = ExitStatus.notJudged }
            printLine(verdict.line)
        }
        return status
    }
}
