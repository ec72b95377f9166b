import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat

/// `store backup`: copies a store, even while a router uses it.
struct BackUpStore: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a store, even while its router serves from it.",
        discussion: """
            Writes the newest checkpoint and the journal after it, as they are at one moment, into \
            a new store, and checks every record twice: while copying, and in the copy. The copy \
            is named TO.partial until it is complete. `serve --store TO` continues from it: it \
            lacks whatever came after that moment, so use it in place of the original, not beside \
            it. A copy made by root gets the owner of the original. The file \
            STORE.last-backup beside the store tells the router when it was last backed up.

            Exit status: 0 copied, 1 not copied; then there is no TO.
            """
    )

    @OptionGroup var options: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "Folder of the copy; it must not exist yet, nor be inside the store.",
            valueName: "to"
        ),
        completion: .directory
    )
    var destination: String

    var activity: String? { "copying and checking all records" }

    func validate() throws {
        if destination.isEmpty { throw ValidationError("TO is empty; it must be a folder") }
    }

    func run() throws {
        let folder = try options.folder()
        let result = try StoreView(path: folder).backup(to: destination)
        let check = try StoreCheck(path: destination)
        for problem in check.problems { writeStandardError("\(destination): \(problem)\n") }
        if !check.isWhole { throw ExitStatus.refused }
        do throws(StoreError) {
            try LastBackup(ofStore: folder).record(copy: destination)
        } catch {
            writeStandardError("the router will not know of this backup: \(error.message)\n")
        }
        printLine("\(destination): ok (\(result.sentence))")
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
