import ArgumentParser
import Basics
import CommandSupport
import DurableStore
import StoreFormat

/// `store stat`: prints how much a store holds, and how much space its files take.
struct MeasureStore: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat",
        abstract: "Print how much a store contains, and how much space it takes.",
        discussion: """
            Reads the journal after the newest checkpoint, but not the table, whose record count \
            is an estimate. Bytes are sizes of files: those of the table as it was sealed, of the \
            journal, and all others.

            Exit status: 0 measured, 1 there is no store, or it cannot be read.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    var activity: String? { "reading all records" }

    func run() throws {
        let folder = try options.folder()
        let statistics = try StoreStatistics(path: folder)
        if json {
            printLine(jsonText(statistics, folder: folder))
        } else {
            for line in lines(statistics, folder: folder) { printLine(line) }
        }
    }

    /// Seconds since the store was made; 0 if the clock has been set back to before that.
    private func age(of statistics: StoreStatistics) -> Int64 {
        max(.zero, WallDate.now.moment - statistics.description.madeAt).wholeSeconds
    }

    private func lines(_ statistics: StoreStatistics, folder: String) -> [String] {
        let description = statistics.description
        let manifest = statistics.manifest
        let made = WallDate(description.madeAt).text
        let checkpoint =
            manifest.epoch == 0 ? "none" : "\(manifest.epoch), at position \(manifest.position)"
        let bytes: [(String, UInt64)] = [
            ("table", statistics.tableFileByteCount), ("journal", statistics.journalFileByteCount),
            ("other", statistics.otherFileByteCount), ("all", statistics.fileByteCount),
        ]
        return [
            "store        \(folder)",
            "format       \(description.version)",
            "identifier   \(description.identifier)",
            "made         \(made), \(counted(age(of: statistics), noun: "second")) ago",
            "checkpoint   \(checkpoint)",
            "table        about \(counted(statistics.tableRecordEstimate, noun: "record"))",
            "journal      \(counted(statistics.journalRecordCount, noun: "record")) behind it, "
                + "\(counted(statistics.journalByteCount, noun: "byte")), to position "
                + "\(statistics.lastPosition), in \(counted(statistics.segments.count, noun: "segment"))",
            "bytes        " + bytes.map { "\($0) \($1)" }.joined(separator: ", "),
        ]
    }

    private func jsonText(_ statistics: StoreStatistics, folder: String) -> String {
        let manifest = statistics.manifest
        let json = JSONWriter.object { json in
            json.member("store", value: folder)
            json.member("format", value: statistics.description.version)
            json.member("identifier", value: "\(statistics.description.identifier)")
            json.member("madeAt", value: statistics.description.madeAt.rawValue)
            json.member("ageSeconds", value: age(of: statistics))
            json.member("checkpoint", value: manifest.epoch)
            json.member("checkpointPosition", value: manifest.position)
            json.member("tableRecordsEstimate", value: statistics.tableRecordEstimate)
            json.member("journalRecords", value: statistics.journalRecordCount)
            json.member("journalBytes", value: statistics.journalByteCount)
            json.member("journalSegments", value: statistics.segments.count)
            json.member("lastPosition", value: statistics.lastPosition)
            json.member("tableFileBytes", value: statistics.tableFileByteCount)
            json.member("journalFileBytes", value: statistics.journalFileByteCount)
            json.member("otherFileBytes", value: statistics.otherFileByteCount)
            json.member("fileBytes", value: statistics.fileByteCount)
        }
        return String(decoding: json, as: UTF8.self)
    }
}
