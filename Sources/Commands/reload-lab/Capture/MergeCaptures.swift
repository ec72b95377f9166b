import ArgumentParser
import CaptureFiles
import CaptureFormat
import CommandSupport

/// `capture merge`: joins several recordings.
struct MergeCaptures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join recordings, of several routers or at several times, by the wall clock.",
        discussion: """
            Files of the same recording count as one. Connections get numbers of their own. \
            All recordings must have the same app files, and all or none be redacted; values that \
            were hashed in different recordings do not compare equal.
            """
    )

    @OptionGroup var options: CaptureOptions

    @OptionGroup var target: CaptureTarget

    func run() throws {
        let recordings = try CaptureReader.recordings(of: options.files)
        let count = try CaptureMerge.merge(recordings, output: target.output)
        for reader in recordings { warnOfGaps(reader) }
        printLine(
            "\(target.output): \(counted(count, noun: "record")) of "
                + counted(recordings.count, noun: "recording")
        )
    }
}
