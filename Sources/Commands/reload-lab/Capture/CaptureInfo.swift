import ArgumentParser
import Basics
import CaptureFiles
import CaptureFormat
import CommandSupport
import RouterCore

/// `capture info`: prints what a recording contains, and whether it is complete and undamaged.
struct CaptureInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print what a recording contains, and whether it is whole.",
        discussion: """
            Reads the whole recording. Exit status: 0 whole, 1 damaged (what was found before the \
            damage is printed nevertheless) or not a capture. An end that is cut off is reported, \
            and does not count as damage.
            """
    )

    @OptionGroup var options: CaptureOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let reader = try CaptureReader(paths: options.files)
        var report = CaptureInfoReport(reader)
        var failure: (any Error)?
        do {
            try report.read(reader)
        } catch {
            failure = error
        }
        if json {
            _ = writeStandardOutput(report.json + [0x0a])
        } else {
            for line in report.lines { printLine(line) }
        }
        if let failure { throw failure }
    }
}

/// What `info` prints.
private struct CaptureInfoReport: ~Copyable {
    private let header: CaptureHeader
    private let files: [CaptureReader.File]
    private let missingNumbers: [ClosedRange<UInt32>]
    private var summary = CaptureSummary()
    private var chunks = 0
    private var rawBytes = 0
    private var storedBytes = 0
    private var cutOffByteCount = 0

    init(_ reader: CaptureReader) {
        header = reader.header
        files = reader.files
        missingNumbers = reader.missingNumbers
    }

    /// Reads the whole recording. If it is damaged, what was read before is kept.
    mutating func read(_ reader: CaptureReader) throws {
        while let block = try reader.nextChunk() {
            chunks += 1
            rawBytes += block.chunk.byteCount
            storedBytes += block.chunk.storedByteCount + CaptureChunk.headerByteCount
            _ = try block.each { record in
                summary.take(record)
                return true
            }
        }
        cutOffByteCount = reader.cutOffByteCount
    }

    private var recordCount: Int { summary.kinds.values.reduce(0, +) }

    private var ratio: Double { storedBytes == 0 ? 0 : Double(rawBytes) / Double(storedBytes) }

    /// When the recording begins and ends.
    private var dates: (WallTime, WallTime) {
        let begin = header.startedAt + (summary.firstTime ?? header.firstTime).sinceBegin
        return (WallTime(begin), WallTime(header.startedAt + summary.lastTime.sinceBegin))
    }

    private func byKind() -> [(name: String, count: Int)] {
        CaptureKind.allCases.compactMap { kind in
            summary.kinds[kind].map { (CaptureLine.name(kind), $0) }
        }
    }

    // MARK: - Text

    var lines: [String] {
        let (begin, end) = dates
        let span = durationText(end - begin)
        var rows = [
            ("recording", hexadecimal(header.recording) + (header.isRedacted ? ", redacted" : "")),
            ("began", WallDate(WallTime(header.startedAt)).text),
            ("records", "\(recordCount), \(WallDate(begin).text) and \(span) on"),
        ]
        rows += byKind().map { ("  \($0)", "\($1)") }
        rows += [
            ("pushes/s", "\(tenths(summary.pushesPerSecond)), " + busiest),
            ("sessions", list(summary.roles) + "; at once \(summary.mostSessions)"),
            ("apps", list(summary.apps)),
            ("files", counted(files.count, noun: "file") + ", " + counted(chunks, noun: "chunk")),
            ("bytes", "\(rawBytes), stored \(storedBytes): \(tenths(ratio)) to 1"),
        ]
        if summary.lost > 0 { rows.append(("lost", "\(summary.lost) inputs")) }
        rows += missingNumbers.map { ("missing", "files \($0.lowerBound) to \($0.upperBound)") }
        if cutOffByteCount > 0 {
            rows.append(("cut off", "\(counted(cutOffByteCount, noun: "byte")) at the end"))
        }
        return rows.map { name, value in
            name + String(repeating: " ", count: max(1, 13 - name.count)) + value
        }
    }

    private var busiest: String {
        "\(summary.busiestCount) in the second \(summary.busiestSecond) of the recording"
    }

    /// Formats up to eight names with their counts, the largest first.
    private func list(_ counts: [String: Int]) -> String {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(8).map { "\($0.key.isEmpty ? "?" : $0.key) \($0.value)" }
        let rest = sorted.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func tenths(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded < 1e15 && rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }

    // MARK: - JSON

    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("recording", value: hexadecimal(header.recording))
            json.member("startedAt", value: header.startedAt.rawValue)
            json.member("redacted", value: header.isRedacted)
            json.member("files", value: files.count)
            json.key("missing")
            json.beginArray()
            for numbers in missingNumbers {
                for number in numbers.prefix(1_000) { json.unsigned(UInt64(number)) }
            }
            json.endArray()
            json.member("chunks", value: chunks)
            json.member("bytes", value: rawBytes)
            json.member("storedBytes", value: storedBytes)
            json.member("cutOff", value: cutOffByteCount)
            json.member("lost", value: Int(clamping: summary.lost))
            json.member(
                "firstTime",
                value: Int(clamping: (summary.firstTime ?? header.firstTime).rawValue)
            )
            json.member("lastTime", value: Int(clamping: summary.lastTime.rawValue))
            json.member("records", value: recordCount)
            json.member("restated", value: summary.restated)
            put(
                "kinds",
                counts: Dictionary(uniqueKeysWithValues: byKind().map { ($0, $1) }),
                to: &json
            )
            put("roles", counts: summary.roles, to: &json)
            put("apps", counts: summary.apps, to: &json)
            json.member("mostSessions", value: summary.mostSessions)
            json.member("pushesPerSecond", value: summary.pushesPerSecond)
            json.member("busiestSecond", value: Int(clamping: summary.busiestSecond))
            json.member("busiestCount", value: summary.busiestCount)
        }
    }

    private func put(_ name: String, counts: [String: Int], to json: inout JSONWriter) {
        json.object(name) { json in
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                json.member(name, value: count)
            }
        }
    }
}
