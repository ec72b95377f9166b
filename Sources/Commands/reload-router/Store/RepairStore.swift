import ArgumentParser
import CommandSupport
import DurableStore
import RouterStore
import StoreFormat

/// `store repair`: replaces a damaged store by a new one with its newest whole checkpoint and the
/// journal after it, up to the first break.
struct RepairStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair a damaged store by keeping its intact part; no router may be using it.",
        discussion: """
            Keeps the newest checkpoint in which every record has its checksum, and the journal \
            after it up to the first break: a state that the router was really in. Everything \
            later is lost, acknowledged or not; producers get the number of the last push that is \
            kept, and send the rest again if they still have it.

            Nothing is changed in place: a new store is written beside the damaged one as \
            FOLDER.repaired, a router is loaded from it in memory as a test, and then it takes the \
            name in one step; the damaged one is kept as FOLDER.damaged-1, -2 and so on. A store \
            that is whole is left unchanged, and a folder that is a mount point is refused.

            A damaged record or a damaged part of the journal can be left out. A missing or \
            damaged file of the table, if the journal does not begin with its first record, and a \
            missing or damaged STORE or CONTENTS cannot be repaired: replace the store with a \
            backup, or move it away and start anew; then devices register again, and producers \
            begin at lastSeq 0.

            Exit status: 0 repaired or whole, 1 not: then nothing was changed. With --dry-run: 0 \
            if nothing would be lost, 1 otherwise.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print what would be kept and what would be lost, and change nothing.")
    var dryRun = false

    func run() throws {
        try options.use("repair") { folder in
            let repair = try StoreRepair(path: folder)
            if repair.isWhole {
                try refuseContradictions(folder)
                let change = dryRun ? "nothing would be changed" : "nothing was changed"
                return printLine("\(folder): whole, \(change) (\(repair.kept.sentence))")
            }
            printLosses(of: repair, folder: folder)
            if dryRun {
                printLine("\(folder): would keep \(repair.kept.sentence)")
                if !repair.losses.isEmpty { throw ExitStatus.refused }
                return
            }
            let damagedPath = try repair.apply(tryToRecover)
            printLine("\(folder): kept \(repair.kept.sentence)")
            printLine(
                "\(damagedPath): the damaged store; delete it when its losses do not matter"
            )
        }
    }

    /// Refuses a store whose records are whole but contradict each other: there is nothing to leave
    /// out.
    private func refuseContradictions(_ folder: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try RecoveryTrial(StoreView(path: folder))
        } catch {
            throw StoreError(
                error.code,
                message: "every record is whole, but no router can be made of them: take a backup "
                    + "(\(error.message))"
            )
        }
    }

    /// Restores a router from a repaired store, to see that it can be used.
    private func tryToRecover(_ repaired: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try RecoveryTrial(StoreView(path: repaired))
        } catch {
            throw StoreError(
                error.code,
                message:
                    "no router can be made of what could be kept, so nothing was changed: take a "
                    + "backup (\(error.message))"
            )
        }
    }

    private func printLosses(of repair: StoreRepair, folder: String) {
        for loss in repair.losses { writeStandardError("\(folder): lost: \(loss)\n") }
        guard let lost = repair.lostPositions else { return }
        let positions =
            lost.count == 1
            ? "journal record \(lost.lowerBound)"
            : "journal records \(lost.lowerBound) to \(lost.upperBound) (\(lost.count))"
        writeStandardError("\(folder): lost: \(positions)\n")
    }
}
