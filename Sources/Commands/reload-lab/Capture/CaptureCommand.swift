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
        help: ArgumentHelp("Files of recordings, in any order.", valueName: "file"),
        completion: .file()
    )
    var files: [String]
}

/// The file that a subcommand writes.
struct CaptureTarget: ParsableArguments {
    @Option(help: "File to create.", of: "file", name: .shortAndLong)
    var output: String
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
