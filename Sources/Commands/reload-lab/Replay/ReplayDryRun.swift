import ArgumentParser
import Basics
import CaptureFiles
import CaptureFormat
import CommandSupport
import ReloadScheduling
import RouterCore
import RouterServer
import RouterSimulation
import StoreFormat

/// `replay --dry-run`: plays a capture through the real router in this process, without sockets and
/// without waiting.
struct ReplayDryRun {
    /// The files of one recording.
    var paths: [String]
    /// The app file to compare with the capture's; nil to compare nothing.
    var rules: String?
    /// The file for all decisions, one line of JSON each; `-` for standard output, nil for none.
    var decisions: String?
    /// True to print JSON instead of text.
    var json = false
    /// The most changes of each sort that are printed.
    var examples = 10
    /// Pushes before this time are left out.
    var from = RecordedTime.zero
    /// All records from this time on are left out.
    var to = RecordedTime.max

    /// Plays the capture, compares if there are rules to compare with, and prints.
    func run() throws {
        guard let rules else {
            let output = try decisions.map { try LineWriter($0, replaces: true) }
            return report(try play(nil, directory: nil, output: output))
        }
        let catalog = try loadAppFile(rules).catalog
        let directory = WidgetDirectory()
        let old = try play(nil, directory: directory, output: nil)
        let output = try decisions.map { try LineWriter($0, replaces: true) }
        try compare(old, with: try play(catalog, directory: directory, output: output))
    }

    /// The result of playing the capture once.
    private struct Playback {
        var counts: CapturePlayCounts
        var story: DecisionStory?
        var decisions = DecisionCounts()
        /// A checksum over the lines of all RELOADs and refusals, in order.
        var checksum: UInt64 = 0
        /// When the recording began.
        var start = WallTime.zero
        /// The length of the part that was played.
        var length = Microseconds.zero
    }

    /// Plays the capture once: by its own rules if there are no others, and with a story of the
    /// decisions if a directory is given.
    ///
    /// - Throws: what is wrong with the capture, or that the output cannot be written.
    private func play(
        _ catalog: AppCatalog?,
        directory: WidgetDirectory?,
        output: LineWriter?
    ) throws -> Playback {
        let reader = try CaptureReader(paths: paths)
        var playback = Playback(
            counts: CapturePlayCounts(),
            story: directory.map(DecisionStory.init)
        )
        playback.start = WallTime(reader.header.startedAt)
        var options = CapturePlayOptions(startedAt: reader.header.startedAt, catalog: catalog)
        options.reportsDecisions = directory != nil || output != nil
        let player = CapturePlay(options) { event, time in
            if case .decided(let traced) = event {
                playback.story?.take(traced)
                // `finish` throws the first error.
                if let output, let line = event.line(at: time) { try? output.put(line) }
            } else if let line = event.line(at: time) {
                playback.checksum = line.withByteView { checksum($0, seed: playback.checksum) }
                try? output?.put(line)
            }
        }
        let name = catalog == nil ? "the capture's rules" : rules ?? ""
        var records: UInt64 = 0
        try reader.each { record in
            if record.time >= to { return false }
            playback.length = record.time.sinceBegin
            records += 1
            if records % 4_096 == 0 { showProgress(name, records: records, time: record.time) }
            if record.kind == .push && record.time < from { return true }
            try player.play(record)
            return true
        }
        playback.counts = player.finish()
        playback.decisions = player.decisions
        if reader.cutOffByteCount > 0 {
            writeStandardError(
                "reload-lab replay: the last \(reader.cutOffByteCount) bytes are not a whole "
                    + "chunk; everything before them was played\n"
            )
        }
        try output?.finish()
        return playback
    }

    /// Says how far the playback is: a large capture takes minutes.
    private func showProgress(_ rules: String, records: UInt64, time: RecordedTime) {
        let span = durationText(Milliseconds(time.sinceBegin))
        Progress.update("\(rules), \(counted(records, noun: "record")), \(span)")
    }

    // MARK: - Difference

    private func compare(_ old: Playback, with new: Playback) throws {
        guard let before = old.story, let after = new.story else { return }
        if !before.isComplete || !after.isComplete {
            throw SettingsProblem(
                "there are more than \(DecisionStory.limit) reloads to compare; "
                    + "cut the capture"
            )
        }
        let diff = DecisionDiff(old: before, new: after, examples: examples)
        if json {
            let bytes = JSONWriter.object { json in
                json.member("rules", value: rules ?? "")
                json.object("before") { write(old, to: &$0) }
                json.object("after") { write(new, to: &$0) }
                diff.write().withByteView { json.member("difference", json: $0) }
            }
            return report(String(decoding: bytes, as: UTF8.self))
        }
        let name = rules ?? "the new rules"
        report(summary(old) + "\n\n" + diff.text(rules: name, start: old.start).dropLast())
        for (playback, name) in [(old, "the capture's rules"), (new, name)] {
            if let text = refusals(playback) { report("with \(name) \(text)") }
        }
    }

    // MARK: - One play

    private func report(_ playback: Playback) {
        if json {
            let bytes = JSONWriter.object { write(playback, to: &$0) }
            return report(String(decoding: bytes, as: UTF8.self))
        }
        var lines = [summary(playback), "decisions"]
        for reason in DecisionReason.allCases where playback.decisions[reason] > 0 {
            lines.append("  \(reason.name) \(playback.decisions[reason])")
        }
        lines.append("checksum of the RELOADs \(hexadecimal(playback.checksum))")
        if let text = refusals(playback) { lines.append(text) }
        report(lines.joined(separator: "\n"))
    }

    private func summary(_ playback: Playback) -> String {
        "\(counted(playback.counts.records, noun: "record")) of \(durationText(Milliseconds(playback.length))) "
            + "from \(WallDate(playback.start).text): "
            + "\(counted(playback.counts.sessions, noun: "session")), \(playback.counts.pushes) pushes, "
            + "\(counted(playback.counts.reloads, noun: "RELOAD"))"
    }

    /// Describes how the play differs from the recorded run, such as by refused frames and missing
    /// inputs; nil if it does not.
    private func refusals(_ playback: Playback) -> String? {
        let counts = playback.counts
        var parts: [String] = []
        if counts.rejected > 0 { parts.append("\(counts.rejected) frames are refused") }
        if counts.failed > 0 { parts.append("\(counts.failed) sessions are ended") }
        if counts.orphans > 0 { parts.append("\(counts.orphans) frames have no session") }
        if counts.lost > 0 { parts.append("\(counts.lost) inputs were not recorded") }
        if counts.pending > 0 { parts.append("\(counts.pending) widgets still wait") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func write(_ playback: Playback, to writer: inout JSONWriter) {
        let counts = playback.counts
        writer.member("startedAt", value: playback.start.rawValue)
        for (name, value) in [
            ("microseconds", UInt64(playback.length.rawValue)), ("records", counts.records),
            ("sessions", counts.sessions), ("pushes", counts.pushes),
            ("reloads", counts.reloads), ("rejected", counts.rejected),
            ("sessionsEnded", counts.failed), ("orphans", counts.orphans),
            ("lost", counts.lost), ("pending", UInt64(counts.pending)),
        ] {
            writer.member(name, value: value)
        }
        writer.object("decisions") { writer in
            for reason in DecisionReason.allCases {
                writer.key(reason.name)
                writer.unsigned(playback.decisions[reason])
            }
        }
        if playback.checksum != 0 {
            writer.member("checksum", value: hexadecimal(playback.checksum))
        }
    }

    /// Prints to standard output, or to standard error if the decisions go to standard output.
    private func report(_ text: String) {
        if decisions == "-" { return writeStandardError(text + "\n") }
        printLine(text)
    }
}
