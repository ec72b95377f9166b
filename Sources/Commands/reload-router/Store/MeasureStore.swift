import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat
import StrictJSON

/// `store stat`: prints how much a store holds, and how much space its files take.
struct MeasureStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat",
        abstract: "Say how much a store holds, and how much space that takes.",
        discussion: """
            Reads the journal behind the newest checkpoint, and not the table, whose records are \
            estimated. Bytes are those of files: of the table as it was sealed, of the journal, and \
            all others.

            Exit status: 0 measured, 1 there is no store, or it cannot be read.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        try options.use("stat") { folder in
            let statistics = try StoreStatistics(path: folder)
            if json {
                printLine(jsonText(statistics, folder))
            } else {
                for line in lines(statistics, folder) { printLine(line) }
            }
        }
    }

    /// Seconds since the store was made; 0 if the clock has been set back to before that.
    private func age(of statistics: StoreStatistics) -> Int64 {
        max(0, WallDate.now.milliseconds - statistics.facts.madeAt) / 1_000
    }

    private func lines(_ statistics: StoreStatistics, _ folder: String) -> [String] {
        let facts = statistics.facts
        let manifest = statistics.manifest
        let made = WallDate(milliseconds: facts.madeAt).text
        let checkpoint =
            manifest.epoch == 0 ? "none" : "\(manifest.epoch), at position \(manifest.position)"
        let bytes: [(String, UInt64)] = [
            ("table", statistics.tableFileByteCount), ("journal", statistics.journalFileByteCount),
            ("other", statistics.otherFileByteCount), ("all", statistics.fileByteCount),
        ]
        return [
            "store        \(folder)",
            "format       \(facts.version)",
            "identifier   \(facts.identifier)",
            "made         \(made), \(counted(age(of: statistics), "second")) ago",
            "checkpoint   \(checkpoint)",
            "table        about \(counted(statistics.tableRecordEstimate, "record"))",
            "journal      \(counted(statistics.journalRecordCount, "record")) behind it, "
                + "\(counted(statistics.journalByteCount, "byte")), to position "
                + "\(statistics.lastPosition), in \(counted(statistics.segments.count, "segment"))",
            "bytes        " + bytes.map { "\($0) \($1)" }.joined(separator: ", "),
        ]
    }

    private func jsonText(_ statistics: StoreStatistics, _ folder: String) -> String {
        let manifest = statistics.manifest
        var json = JSONWriter()
        json.beginObject()
        json.member("store", folder)
        json.member("format", statistics.facts.version)
        json.member("identifier", "\(statistics.facts.identifier)")
        json.member("madeAt", statistics.facts.madeAt)
        json.member("ageSeconds", age(of: statistics))
        json.member("checkpoint", manifest.epoch)
        json.member("checkpointPosition", manifest.position)
        json.member("tableRecordsEstimate", statistics.tableRecordEstimate)
        json.member("journalRecords", statistics.journalRecordCount)
        json.member("journalBytes", statistics.journalByteCount)
        json.member("journalSegments", statistics.segments.count)
        json.member("lastPosition", statistics.lastPosition)
        json.member("tableFileBytes", statistics.tableFileByteCount)
        json.member("journalFileBytes", statistics.journalFileByteCount)
        json.member("otherFileBytes", statistics.otherFileByteCount)
        json.member("fileBytes", statistics.fileByteCount)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
