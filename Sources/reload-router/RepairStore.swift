import ArgumentParser
import DurableStore
import RouterDurability
import StoreFormat

/// Keeps of a damaged store what is whole.
struct RepairStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Keep of a damaged store what is whole; no router may use it.",
        discussion: """
            Keeps the newest checkpoint of which every record has its checksum, and the journal \
            behind it up to the first break: a state that the router really was in. What came \
            after is lost, acknowledged or not; producers are told the last push that is kept, and \
            send the rest again if they still have it.

            Nothing is changed in place: a new store is written beside the damaged one and takes \
            its name in one step; the damaged one is kept as FOLDER.damaged-1, -2 and so on. A \
            store that is whole is left alone.

            Exit status: 0 repaired or whole, 1 not: then nothing was changed. With --dry-run: 0 \
            if nothing would be lost, 1 otherwise.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Only say what would be kept, and what would be lost.")
    var dryRun = false

    func run() async throws {
        try await options.use("repair") { folder in
            let plan = try StoreRepair.plan(path: folder)
            if dryRun {
                printLosses(plan.losses, folder)
                printLine("\(folder): would keep \(plan.kept.sentence)")
                if !plan.losses.isEmpty { throw ExitStatus.refused }
                return
            }
            if try plan.losses.isEmpty && StoreCheck(path: folder).isWhole {
                try refuseContradictions(folder)
                printLine("\(folder): whole, nothing was changed (\(plan.kept.sentence))")
                return
            }
            let repair = try StoreRepair(path: folder)
            printLosses(repair.losses, folder)
            printLine("\(folder): kept \(repair.kept.sentence)")
            printLine("\(repair.damagedPath): the damaged store, which is not needed any more")
        }
    }

    /// Records that are whole and contradict each other are nothing that could be left out.
    private func refuseContradictions(_ folder: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try RecoveryTrial(StoreView(path: folder))
        } catch {
            throw StoreError(
                error.code,
                "every record is whole, but no router can be made of them: take a backup "
                    + "(\(error.message))"
            )
        }
    }

    private func printLosses(_ losses: [StoreError], _ folder: String) {
        for loss in losses { writeStandardError("\(folder): lost: \(loss)\n") }
    }
}
