import ArgumentParser
import CaptureFiles
import CaptureFormat
import CommandSupport

/// `capture`: the subcommands for recordings.
struct CaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Inspect, cut, merge, convert and generate recordings.",
        discussion: """
            A recording is one file or several, which can be named in any order; one that \
            `serve --record` is still writing can be read, too, up to its last chunk. The format \
            is described in protocol/captures.md.
            """,
        subcommands: [
            CaptureInfo.self, CutCapture.self, MergeCaptures.self, CaptureToLines.self,
            CaptureFromLines.self, CaptureGenerate.self,
        ]
    )
}

/// The files of a recording.
struct CaptureOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Files of one recording, in any order.", valueName: "file"),
        completion: .file()
    )
    var files: [String]
}

/// The file that a subcommand writes.
struct CaptureTarget: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to create.", valueName: "file"),
        completion: .file()
    )
    var output: String
}

/// Runs `body` for the subcommand `name`. Prints errors of captures and settings, and throws exit
/// status 1 instead.
func useCapture(_ name: String, body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as CaptureError {
        try refuseCapture(name, message: "\(error)")
    } catch let error as SettingsProblem {
        try refuseCapture(name, message: "\(error)")
    }
}

private func refuseCapture(_ name: String, message: String) throws {
    writeStandardError("reload-lab capture \(name): \(message)\n")
    throw ExitStatus.refused
}

/// Prints to standard error which files of a recording were not named, and how much is cut off.
func warnOfGaps(_ reader: CaptureReader) {
    for numbers in reader.missingNumbers {
        let isOne = numbers.count == 1
        let which =
            isOne
            ? "file \(numbers.lowerBound)" : "files \(numbers.lowerBound) to \(numbers.upperBound)"
        writeStandardError("\(which) of the recording \(isOne ? "was" : "were") not named\n")
    }
    if reader.cutOffByteCount > 0 {
        writeStandardError(
            "\(counted(reader.cutOffByteCount, noun: "byte")) at the end are not a whole chunk\n"
        )
    }
}
