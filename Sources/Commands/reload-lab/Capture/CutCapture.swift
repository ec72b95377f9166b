import ArgumentParser
import Basics
import CaptureFiles
import CaptureFormat
import CommandSupport
import RouterCore

/// `capture cut`: copies a part of a recording.
struct CutCapture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Copy a part of a recording into a file that is complete in itself.",
        discussion: """
            The new file begins with the state at its beginning: the app file, what devices sent \
            before (widgets, timelines, states) and the sessions that are open. Its times count \
            from the cut.

            Times are seconds into the recording (12.5), a time of its day in UTC (20:15:00Z), or \
            a date (2026-11-21T20:15:00Z).
            """
    )

    @OptionGroup var options: CaptureOptions

    @Option(help: "Where the part begins. (default: the beginning)", of: "time")
    var from: String?

    @Option(help: "Where it ends, without it. (default: the end)", of: "time")
    var until: String?

    @OptionGroup var target: CaptureTarget

    func validate() throws {
        for text in [from, until] {
            if let text, CaptureMoment(text) == nil {
                throw ValidationError("\(text) is not a time; expected \(CaptureMoment.help)")
            }
        }
    }

    func run() throws {
        let reader = try CaptureReader(paths: options.files)
        let header = reader.header
        let begin = from.flatMap { CaptureMoment($0) }?.offset(in: header) ?? .zero
        let end = until.flatMap { CaptureMoment($0) }?.offset(in: header) ?? .max
        if end <= begin {
            throw SettingsProblem("the part ends before it begins; nothing was written")
        }
        let result = try CaptureCut.copy(reader, from: begin, to: end, output: target.output)
        warnOfGaps(reader)
        printLine(
            "\(target.output): \(counted(result.records, noun: "record")) of "
                + "\(durationText(Milliseconds(result.span))), after "
                + "\(counted(result.restated, noun: "record")) of the state before"
        )
    }
}
