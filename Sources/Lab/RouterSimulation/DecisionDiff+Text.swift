internal import LoadReporting
internal import ReloadModel
internal import RouterCore
internal import StrictJSON
package import Times

/// The difference as text and as JSON.
extension DecisionDiff {
    /// The most kinds that the text lists; the others are added up in one line.
    private static var kindLimit: Int { 12 }

    /// Formats the counts as one sentence.
    ///
    /// - Parameter rules: the name of the new rules.
    /// - Returns: the sentence.
    package func summary(rules: String) -> String {
        let moved = counts.moved == 0 ? "" : " (median \(Self.move(medianMove)))"
        return "\(number(counts.old)) reloads of widgets with the capture's rules, "
            + "\(number(counts.new)) with \(rules): \(number(counts.added)) new, "
            + "\(number(counts.gone)) gone, \(number(counts.moved)) moved\(moved), "
            + "\(number(counts.same)) as before"
    }

    /// Formats the whole difference as text.
    ///
    /// - Parameters:
    ///   - rules: the name of the new rules.
    ///   - start: when the capture began.
    /// - Returns: lines that end with a line feed.
    package func text(rules: String, start: WallTime) -> String {
        var lines = [summary(rules: rules)]
        if !kinds.isEmpty { lines += [""] + kindLines }
        if !postponed.isEmpty { lines += [""] + postponementLines }
        for change in Change.allCases {
            let reported = examples.filter { $0.change == change }
            if reported.isEmpty { continue }
            lines += ["", "\(change.rawValue), the first of \(number(count(change)))"]
            lines += reported.map { line($0, start: start) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func count(_ change: Change) -> Int {
        switch change {
        case .new: counts.added
        case .gone: counts.gone
        case .moved: counts.moved
        }
    }

    private var kindLines: [String] {
        let severalApps = Set(kinds.map(\.app)).count > 1
        var lines = [
            row("kind", cells: ["before", "after", "new", "gone", "moved", "as before"])
        ]
        for kind in kinds.prefix(Self.kindLimit) {
            let name = severalApps ? "\(kind.app) \(kind.kind)" : kind.kind
            lines.append(row(name, cells: cells(kind.counts)))
        }
        if kinds.count > Self.kindLimit {
            var rest = Counts()
            for kind in kinds.dropFirst(Self.kindLimit) { rest.add(kind.counts) }
            lines.append(row("\(number(kinds.count - Self.kindLimit)) others", cells: cells(rest)))
        }
        return lines
    }

    private func cells(_ counts: Counts) -> [String] {
        [counts.old, counts.new, counts.added, counts.gone, counts.moved, counts.same].map(number)
    }

    private var postponementLines: [String] {
        var lines = [row("delayed, and why last", cells: ["before", "mean", "after", "mean"])]
        for entry in postponed {
            let cells = [
                grouped(entry.old), Self.span(entry.oldMean),
                grouped(entry.new), Self.span(entry.newMean),
            ]
            lines.append(row(entry.reason, cells: cells))
        }
        return lines
    }

    private func line(_ example: Example, start: WallTime) -> String {
        let times = [example.oldAt, example.newAt].compactMap { $0 }.map { time in
            SimulatedTime.elapsed(time - start)
        }
        return "  \(times.joined(separator: " → "))  \(example.widget.device) "
            + "\(example.widget.widget) (\(example.kind)), \(example.cause): \(example.why)"
    }

    private func row(_ name: String, cells: [String]) -> String {
        let label = name + String(repeating: " ", count: max(1, 36 - name.count))
        return label
            + cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }

    private func number(_ value: Int) -> String { grouped(UInt64(max(0, value))) }

    private static func move(_ length: Milliseconds) -> String {
        length < .zero ? span(-length) + " earlier" : span(length) + " later"
    }

    private static func span(_ length: Milliseconds) -> String {
        if length < .seconds(1) { return "\(length) ms" }
        if length < .minutes(2) {
            return Decimal(length / .milliseconds(100), places: 1).text + " s"
        }
        return SimulatedTime.clock(length)
    }

    // MARK: - JSON

    /// Returns the bytes followed by the whole difference as a JSON object.
    package func write(to bytes: [UInt8] = []) -> [UInt8] {
        var writer = JSONWriter(bytes)
        writer.beginObject()
        write(counts, to: &writer)
        writer.member("medianMoveMilliseconds", value: medianMove.rawValue)
        writer.key("kinds")
        writer.beginArray()
        for kind in kinds {
            writer.beginObject()
            writer.member("app", value: kind.app)
            writer.member("kind", value: kind.kind)
            write(kind.counts, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("putOff")
        writer.beginArray()
        for entry in postponed { write(entry, to: &writer) }
        writer.endArray()
        writer.list("examples", of: examples) { example, writer in write(example, to: &writer) }
        writer.endObject()
        return writer.bytes
    }

    private func write(_ counts: Counts, to writer: inout JSONWriter) {
        for (name, value) in [
            ("before", counts.old), ("after", counts.new), ("new", counts.added),
            ("gone", counts.gone), ("moved", counts.moved), ("same", counts.same),
        ] {
            writer.member(name, value: value)
        }
    }

    private func write(_ entry: Postponement, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("reason", value: entry.reason)
        for (name, value) in [
            ("before", entry.old), ("beforeMeanMilliseconds", UInt64(entry.oldMean.rawValue)),
            ("after", entry.new), ("afterMeanMilliseconds", UInt64(entry.newMean.rawValue)),
        ] {
            writer.member(name, value: value)
        }
        writer.endObject()
    }

    private func write(_ example: Example, to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in [
            ("change", example.change.rawValue), ("app", example.widget.app),
            ("device", example.widget.device), ("widget", example.widget.widget),
            ("kind", example.kind), ("cause", example.cause), ("reason", example.reason),
            ("why", example.why),
        ] {
            guard let value else { continue }
            writer.member(name, value: value)
        }
        for (name, value) in [
            ("asked", example.asked), ("before", example.oldAt), ("after", example.newAt),
        ] {
            guard let value else { continue }
            writer.member(name, value: value.rawValue)
        }
        writer.endObject()
    }
}

extension DecisionDiff.Counts {
    mutating func add(_ other: DecisionDiff.Counts) {
        old += other.old
        new += other.new
        same += other.same
        added += other.added
        gone += other.gone
        moved += other.moved
    }
}
