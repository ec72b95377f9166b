package import Basics
internal import LoadReporting
internal import RouterCore

/// The difference as text and as JSON.
extension DecisionDiff {
    /// The most kinds that the text lists; the others are added up in one line.
    private static var kindLimit: Int { 12 }

    /// Formats the counts as one sentence.
    func summary(rules: String) -> String {
        let moved = counts.moved == 0 ? "" : " (median \(Self.move(medianMove)))"
        return "\(number(counts.old)) reloads of widgets with the capture's rules, "
            + "\(number(counts.new)) with \(rules): \(number(counts.added)) new, "
            + "\(number(counts.gone)) gone, \(number(counts.moved)) moved\(moved), "
            + "\(number(counts.same)) as before"
    }

    /// Formats the whole difference as lines of text; times count from `start`.
    package func text(rules: String, start: WallTime) -> String {
        var parts = [summary(rules: rules) + "\n"]
        if !kinds.isEmpty { parts.append(kindTable) }
        if !postponed.isEmpty { parts.append(postponementTable) }
        for change in Change.allCases {
            let reported = examples.filter { $0.change == change }
            if reported.isEmpty { continue }
            let lines = reported.map { line($0, start: start) + "\n" }
            parts.append(
                "\(change.rawValue), the first of \(number(count(change)))\n" + lines.joined()
            )
        }
        return parts.joined(separator: "\n")
    }

    private func count(_ change: Change) -> Int {
        switch change {
        case .new: counts.added
        case .gone: counts.gone
        case .moved: counts.moved
        }
    }

    private var kindTable: String {
        let severalApps = Set(kinds.map(\.app)).count > 1
        var rows = [["kind", "before", "after", "new", "gone", "moved", "as before"]]
        for kind in kinds.prefix(Self.kindLimit) {
            rows.append(row(severalApps ? "\(kind.app) \(kind.kind)" : kind.kind, of: kind.counts))
        }
        if kinds.count > Self.kindLimit {
            var rest = Counts()
            for kind in kinds.dropFirst(Self.kindLimit) { rest.add(kind.counts) }
            rows.append(row("\(number(kinds.count - Self.kindLimit)) others", of: rest))
        }
        return TextTable.text(rows, numbers: [1, 2, 3, 4, 5, 6])
    }

    private func row(_ name: String, of counts: Counts) -> [String] {
        [name]
            + [counts.old, counts.new, counts.added, counts.gone, counts.moved, counts.same]
            .map(number)
    }

    private var postponementTable: String {
        let rows = postponed.map { entry in
            [
                entry.reason, grouped(entry.old), Self.span(entry.oldMean), grouped(entry.new),
                Self.span(entry.newMean),
            ]
        }
        let head = ["delayed, and why last", "before", "mean", "after", "mean"]
        return TextTable.text([head] + rows, numbers: [1, 2, 3, 4])
    }

    private func line(_ example: Example, start: WallTime) -> String {
        let times = [example.oldAt, example.newAt].compactMap { $0 }.map { time in
            SimulatedTime.elapsed(time - start)
        }
        return "  \(times.joined(separator: " → "))  \(example.widget.device) "
            + "\(example.widget.widget) (\(example.kind)), \(example.cause): \(example.why)"
    }

    private func number(_ value: Int) -> String { grouped(UInt64(max(0, value))) }

    private static func move(_ length: Milliseconds) -> String {
        length < .zero ? span(-length) + " earlier" : span(length) + " later"
    }

    private static func span(_ length: Milliseconds) -> String {
        if length < .seconds(1) { return "\(length) ms" }
        if length < .minutes(2) { return FigureText.fixed(length.inSeconds, places: 1) + " s" }
        return SimulatedTime.clock(length)
    }

    // MARK: - JSON

    /// The whole difference as a JSON object.
    package func write() -> [UInt8] {
        JSONWriter.object { json in
            write(counts, to: &json)
            json.member("medianMoveMilliseconds", value: medianMove.rawValue)
            json.list("kinds", of: kinds) { kind, json in
                json.object { json in
                    json.member("app", value: kind.app)
                    json.member("kind", value: kind.kind)
                    write(kind.counts, to: &json)
                }
            }
            json.list("putOff", of: postponed) { entry, json in
                json.object { json in
                    json.member("reason", value: entry.reason)
                    json.member("before", value: entry.old)
                    json.member("beforeMeanMilliseconds", value: entry.oldMean.rawValue)
                    json.member("after", value: entry.new)
                    json.member("afterMeanMilliseconds", value: entry.newMean.rawValue)
                }
            }
            json.list("examples", of: examples) { example, json in
                json.object { json in write(example, to: &json) }
            }
        }
    }

    private func write(_ counts: Counts, to json: inout JSONWriter) {
        json.member("before", value: counts.old)
        json.member("after", value: counts.new)
        json.member("new", value: counts.added)
        json.member("gone", value: counts.gone)
        json.member("moved", value: counts.moved)
        json.member("same", value: counts.same)
    }

    private func write(_ example: Example, to json: inout JSONWriter) {
        json.member("change", value: example.change.rawValue)
        json.member("app", value: example.widget.app)
        json.member("device", value: example.widget.device)
        json.member("widget", value: example.widget.widget)
        json.member("kind", value: example.kind)
        json.member("cause", value: example.cause)
        if let reason = example.reason { json.member("reason", value: reason) }
        json.member("why", value: example.why)
        json.member("asked", value: example.asked.rawValue)
        if let old = example.oldAt { json.member("before", value: old.rawValue) }
        if let new = example.newAt { json.member("after", value: new.rawValue) }
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
