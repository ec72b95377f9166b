import ArgumentParser
import CommandSupport
import DurableStore
import RouterCore
import RouterStore
import StoreFormat

/// `store repair`: replaces a damaged store by a new one with its newest whole checkpoint and the
/// journal after it, up to the first break.
struct RepairStore: LongCommand {
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

            A damaged record or a damaged part of the journal can be left out. STORE has a copy, \
            and CONTENTS and the lists of the table's files are made anew. If a file of the \
            table's records (.sst) is missing or damaged, and the journal does not begin with its \
            first record, what can still be read of apps, devices with their widgets and push \
            tokens, of producers, of keys of requests over HTTP, and of the devices whose tokens are \
            revoked, is kept; dates, budgets and waiting reloads are lost, and counted as far as they \
            can be read. A backup may be better then. If not even the app file can be read, move the store away and \
            start anew: devices register again, and producers begin at lastSeq 0.

            What is left out is counted by kind, as far as it can still be read, and what of it \
            the router had noted as being on the disk: that was acknowledged, or was about to be.

            Exit status: 0 repaired or whole, 1 not: then nothing was changed. With --dry-run, \
            which does the same and deletes the new store at the end: 0 if nothing would be lost, \
            1 otherwise.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Do all but replacing the store: print what would be kept and what would be lost.")
    var dryRun = false

    var activity: String? { "reading all records" }

    func run() throws {
        let folder = try options.folder()
        var journal: SalvagedJournal?
        let repair = try StoreRepair(path: folder) { view throws(StoreError) in
            let found = try SalvagedJournal(view)
            journal = found
            return found.bodies
        }
        if repair.isWhole {
            // There is nothing to leave out where records contradict each other.
            try restore(
                folder,
                failing: "every record is whole, but no router can be made of them"
            )
            let change = dryRun ? "nothing would be changed" : "nothing was changed"
            return printLine("\(folder): whole, \(change) (\(repair.kept.sentence))")
        }
        for error in repair.salvaged {
            writeStandardError("\(folder): made up for: \(error)\n")
        }
        let say = { (loss: String) in writeStandardError("\(folder): lost: \(loss)\n") }
        try printLosses(of: repair, say: say)
        if let journal { printSalvage(journal, say: say) }
        let damagedPath = try repair.apply(isDryRun: dryRun) { (path) throws(StoreError) in
            try restore(
                path,
                failing: "no router can be made of what could be kept, so nothing was changed"
            )
        }
        if dryRun {
            printLine("\(folder): would keep \(repair.kept.sentence)")
            if !repair.losses.isEmpty { throw ExitStatus.refused }
            return
        }
        printLine("\(folder): kept \(repair.kept.sentence)")
        printLine("\(damagedPath): the damaged store; delete it when its losses do not matter")
    }

    /// Restores a router from a store, to see that it can be used. If not, the error begins with
    /// what that means.
    private func restore(_ folder: String, failing sentence: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try RecoveryTrial(StoreView(path: folder))
        } catch {
            throw StoreError(error.code, message: "\(sentence): take a backup (\(error.message))")
        }
    }

    private func printSalvage(_ journal: SalvagedJournal, say: (String) -> Void) {
        for loss in journal.losses { say("\(loss)") }
        if journal.namelessPushes > 0 {
            say(
                "\(counted(journal.namelessPushes, noun: "accepted push", plural: "accepted pushes")) of "
                    + "producers that are not known any more"
            )
        }
        for kind in SalvageLosses.Kind.allCases where journal.lost[kind] > 0 {
            let (one, many) = kind.nouns
            say(counted(journal.lost[kind], noun: one, plural: many))
        }
        if journal.lost.lacksRevocations {
            say(
                "revocations of devices' tokens, if they are not in what can be read: revoke again what "
                    + "still matters (reload-router token revoke)"
            )
        }
        let counts = journal.counts
        say(
            "dates, budgets and waiting reloads of all devices, and whatever else is not kept: "
                + "\(counted(counts.apps, noun: "app")), \(counted(counts.devices, noun: "device")) with "
                + "\(counted(counts.widgets, noun: "widget")) and push tokens, the last push of "
                + "\(counted(counts.producers, noun: "producer")), and "
                + "\(counted(counts.requestKeys, noun: "key")) of requests over HTTP"
        )
    }

    private func printLosses(of repair: StoreRepair, say: (String) -> Void) throws(StoreError) {
        for loss in repair.losses { say("\(loss)") }
        guard let lost = repair.lostPositions else { return }
        let positions =
            lost.count == 1
            ? "journal record \(lost.lowerBound)"
            : "journal records \(lost.lowerBound) to \(lost.upperBound) (\(lost.count))"
        say(positions)
        var counts = JournalCounts()
        try repair.forEachLostRecord { counts.add($0) }
        let kinds = counts.entries.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let content = kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))"
        say(
            "\(counts.records) of \(lost.count) can still be read, with "
                + "\(counted(counts.pushes, noun: "accepted push", plural: "accepted pushes"))\(content)"
        )
        let noted = min(repair.notedPosition, lost.upperBound)
        say(
            noted >= lost.lowerBound
                ? "up to record \(noted) all was on the disk: count it as acknowledged; of later records "
                    + "that is not known"
                : "whether any of it was acknowledged is not known"
        )
    }
}
