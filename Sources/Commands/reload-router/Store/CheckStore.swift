import ArgumentParser
import CommandSupport
import DurableStore
import RouterCore
import RouterStore
import StoreFormat

/// `store check`: reads all records of a store, and restores a router from it in memory.
struct CheckStore: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether a store is whole and whether a router can start from it.",
        discussion: """
            Reads every record of the table and the journal, and compares its checksum; follows \
            the journal after the newest checkpoint, in which no record may be missing, at least up \
            to the last one that was noted as being on the disk, at an orderly end or a second \
            after it was written; then loads a router from it in memory, \
            as a start would, which takes as much memory as the router does, and checks that all \
            its tables agree with each other. Prints a summary, and on standard error each problem \
            with its key or position.

            Exit status: 0 whole, 1 not, or there is no store.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Check only the records, without loading a router from them.")
    var recordsOnly = false

    var activity: String? { "reading all records" }

    func run() throws {
        let folder = try options.folder()
        let check = try StoreCheck(path: folder)
        for problem in check.problems { writeStandardError("\(folder): \(problem)\n") }
        if check.problems.count == StoreCheck.problemLimit {
            writeStandardError("\(folder): further problems are not listed\n")
        }
        var problemCount = check.problems.count
        var counts: StoredCounts?
        if check.isWhole && !recordsOnly {
            counts = try tryToRecover(folder)
            if counts == nil { problemCount = 1 }
        }
        printLine(
            "\(folder): \(problemCount == 0 ? "ok" : counted(problemCount, noun: "problem"))"
        )
        for line in summary(of: check, counts: counts) { printLine(line) }
        if problemCount > 0 { throw ExitStatus.refused }
    }

    /// Restores a router from the store, and counts what it contains; nil, after printing the
    /// reason, if no router can be restored.
    private func tryToRecover(_ folder: String) throws -> StoredCounts? {
        let view = try StoreView(path: folder)
        do throws(StoreError) {
            return try RecoveryTrial(view).counts
        } catch {
            writeStandardError("\(folder): no router can be made of it: \(error)\n")
            return nil
        }
    }

    private func summary(of check: StoreCheck, counts: StoredCounts?) -> [String] {
        var lines: [String] = []
        if let description = check.description {
            lines.append("  format \(description.version), identifier \(description.identifier)")
        }
        var table = "  table: \(counted(check.tableRecordCount, noun: "record"))"
        if check.unsealedRecordCount > 0 {
            table += ", \(check.unsealedRecordCount) of a checkpoint that is not finished"
        }
        lines.append(table)
        if let manifest = check.manifest {
            lines.append("  checkpoint: \(manifest.epoch), at position \(manifest.position)")
        } else {
            lines.append("  checkpoint: none")
        }
        let records = counted(check.journalRecordCount, noun: "record")
        lines.append("  journal: \(records) after it, to position \(check.lastPosition)")
        if let tornEnd = check.tornEnd {
            lines.append(
                "  its end is not whole (\(tornEnd)): a router is writing there, or a start cuts it off"
            )
        }
        if let counts {
            lines.append(
                "  router: \(counted(counts.apps, noun: "app")), \(counted(counts.devices, noun: "device")), "
                    + "\(counted(counts.widgets, noun: "widget")), "
                    + counted(counts.producers, noun: "producer")
            )
        }
        return lines
    }
}
