import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat

/// `store backup`: copies a store, even while a router uses it.
struct BackUpStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a store, while its router may go on serving.",
        discussion: """
            Writes the newest checkpoint and the journal behind it, as they are at one moment, into \
            a new store, and checks every record twice: on the way, and in the copy. The copy is \
            named TO.partial until it is whole. `serve --store TO` goes on from it: whatever came \
            after that moment it does not know, so let it take the place of the original and not \
            run beside it. Made by root, it belongs to whom the original belongs to.

            Exit status: 0 copied, 1 not; then there is no TO.
            """
    )

    @OptionGroup var options: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "Folder of the copy, which must not be there, and not lie within the store.",
            valueName: "to"
        ),
        completion: .directory
    )
    var destination: String

    func validate() throws {
        if destination.isEmpty { throw ValidationError("TO is empty; it must be a folder") }
    }

    func run() throws {
        try options.use("backup") { folder in
            let result = try StoreView(path: folder).backup(to: destination)
            let check = try StoreCheck(path: destination)
            for problem in check.problems { writeStandardError("\(destination): \(problem)\n") }
            if !check.isWhole { throw ExitStatus.refused }
            printLine("\(destination): ok (\(result.sentence))")
        }
    }
}

extension StoreCopy.Result {
    /// Describes what was copied, or would be kept by a repair.
    var sentence: String {
        let checkpoint =
            manifest.epoch == 0
            ? "no checkpoint"
            : "checkpoint \(manifest.epoch) with \(counted(tableRecordCount, noun: "record"))"
        let journal = "\(counted(journalRecordCount, noun: "record")) of the journal"
        return "\(checkpoint), \(journal), to position \(lastPosition)"
    }
}
