import RouterMetrics

/// The parts of a status in words and tables, which `TopScreen` and `TopText` arrange.
struct TopSections {
    /// Rows of equal length, the header first; `numbers` are the columns that are aligned to the
    /// right.
    struct Table {
        let rows: [[String]]
        let numbers: Set<Int>

        /// The header and at most `count` rows, each line cut at `width` columns.
        func lines(rows count: Int, width: Int) -> [String] {
            text(rows: count).split(separator: "\n").map { DisplayText.cut(String($0), to: width) }
        }

        /// The header and at most `count` rows, one line each.
        func text(rows count: Int = .max) -> String {
            assert(count > 0, "a heading without rows")
            let shown = count < rows.count ? Array(rows.prefix(count + 1)) : rows
            return TextTable.text(shown, numbers: numbers) { DisplayText.width($0) }
        }
    }

    let status: TopStatus
    let rates: TopRates?

    init(_ status: TopStatus, rates: TopRates?) {
        assert(
            rates.map { $0.apps.count == status.apps.count } ?? true,
            "the rates are of other apps"
        )
        self.status = status
        self.rates = rates
    }

    // MARK: - In words

    /// `ReloadRouter 0.2.0  ready  up 3 h 20 min`.
    var title: String {
        let state = status.isDraining ? "draining" : status.isReady ? "ready" : "not ready"
        let version = status.version.isEmpty ? "" : " " + DisplayText.printable(status.version)
        return "ReloadRouter\(version)  \(state)  up \(Figures.milliseconds(status.uptime))"
    }

    /// What an operator should know at once; nil if there is no such thing.
    var warning: String? {
        if let store = status.store, store.isFailing {
            return "the store fails, for \(Figures.milliseconds(store.failingFor)): "
                + "nothing is acknowledged"
        }
        if status.isReady || status.isDraining { return refusedFile ?? stoppedPushes }
        let reasons = status.reasons.map(DisplayText.printable).joined(separator: "; ")
        return "not ready: " + (reasons.isEmpty ? "no reason given" : reasons)
    }

    /// Which file that SIGHUP has read is not in force, and why; nil if all are.
    private var refusedFile: String? {
        status.refusedFiles.first.map { "refused at SIGHUP: " + DisplayText.printable($0) }
    }

    /// Which pushes by APNs are stopped, and why; nil if none are.
    private var stoppedPushes: String? {
        guard let apns = status.apns, let first = apns.stopped.first else { return nil }
        let more = (apns.stoppedCount ?? 1) - 1
        let name = DisplayText.printable("\(first.app) (\(first.environment)): \(first.cause)")
        return "pushes by APNs are stopped: " + name
            + (more > 0 ? ", and \(Figures.count(more)) more" : "")
    }

    /// Values with their names, one line each, the most important first.
    var summary: [(name: String, text: String)] {
        var rows = [
            ("decisions/s", Self.list(decisions, as: Figures.short)),
            ("connections", Self.list(openConnections, as: Figures.count)),
            ("store", store),
            ("APNs", apns),
            ("reloads", Self.list(status.reloadRequests, as: Figures.count)),
            ("queues", Self.list(status.queues.filter { $0.value > 0 }, as: Figures.count)),
            ("traffic", traffic),
            ("memory", Self.list(status.memory, as: Figures.bytes)),
        ]
        if let rejected = status.counters["rejected"], rejected > 0 {
            rows.append(("rejected", "\(Figures.count(rejected)) pushes since the start"))
        }
        if status.apns == nil { rows.removeAll { $0.0 == "APNs" } }
        return rows.map { (name: $0.0, text: $0.1.isEmpty ? Figures.dash : $0.1) }
    }

    /// Open connections by role, without the counters of accepted and refused ones, which run since
    /// the start.
    private var openConnections: [Counter] {
        status.connections.filter { !["accepted", "refused"].contains($0.name) }
    }

    /// Decisions per second, without those that are not made at the moment.
    private var decisions: [Counter] { rates?.decisions.filter { $0.value > 0 } ?? [] }

    private static func list(_ counters: [Counter], as text: (Double?) -> String) -> String {
        counters.map { "\(words($0.name)) \(text($0.value))" }.joined(separator: "   ")
    }

    /// Splits a name into words: `awaitingHello` becomes `awaiting hello`.
    private static func words(_ name: String) -> String {
        var text = ""
        for character in DisplayText.printable(name) {
            if character.isUppercase { text += " " }
            text += character.lowercased()
        }
        return text
    }

    private var store: String {
        guard let store = status.store else { return "none" }
        var parts = [store.isFailing ? "fails" : "healthy"]
        parts.append("on disk " + Figures.bytes(store.diskBytes))
        if let submitted = store.submitted, let committed = store.committed {
            parts.append("not committed " + Figures.count(submitted - committed))
        }
        if store.checkpoint != nil { parts.append("checkpoint " + Figures.count(store.checkpoint)) }
        return parts.joined(separator: "   ")
    }

    /// Pushes by APNs; only for a router that has them.
    private var apns: String {
        guard let apns = status.apns else { return "" }
        let parts =
            ["sent", "accepted"].map { "\($0)/s \(Figures.short(rates?.counters["APNs " + $0]))" }
            + [Self.list(apns.levels, as: Figures.count)]
            + (apns.answer.map { ["answer p99 \(Figures.microseconds($0))"] } ?? [])
        return parts.joined(separator: "   ")
    }

    private var traffic: String {
        ["in", "out"].map { side in
            let rate = rates?.counters["bytes " + side]
            return "\(side) \(rate.map { Figures.bytes($0) + "/s" } ?? Figures.dash)"
        }.joined(separator: "   ")
    }

    // MARK: - Tables

    /// All counters, per second and since the start.
    var totals: Table {
        let rows = status.counters.map { counter in
            let rate = rates?.counters[counter.name]
            return counter.name.hasPrefix("bytes")
                ? [counter.name, Figures.bytes(rate), Figures.bytes(counter.value)]
                : [counter.name, Figures.short(rate), Figures.count(counter.value)]
        }
        return Table(rows: [["", "per second", "since start"]] + rows, numbers: [1, 2])
    }

    var latencies: Table {
        let rows = status.latencies.map { one in
            [one.name] + one.values.map(Figures.microseconds) + [Figures.count(one.count)]
        }
        let header = ["latency", "p50", "p90", "p99", "p99.9", "max", "count"]
        return Table(rows: [header] + rows, numbers: [1, 2, 3, 4, 5, 6])
    }

    /// The tables that may have many rows; names are cut at `nameWidth` columns.
    func lists(nameWidth: Int) -> [Table] {
        func name(_ text: String) -> String {
            DisplayText.cut(DisplayText.printable(text), to: nameWidth)
        }
        let apps = status.apps.enumerated().map { index, app in
            let rates = rates.map { $0.apps[index] }
            return [
                name(app.name), Figures.short(rates?.pushes), Figures.short(rates?.matched),
                Figures.short(rates?.reloads), app.isPaused ? "paused" : "",
            ]
        }
        let origins = status.origins.map { origin in
            [
                origin.name.isEmpty ? "(unnamed)" : name(origin.name),
                Figures.count(origin.waiting), Figures.count(origin.peakRequested),
                Figures.count(origin.peakAssigned), name(origin.app),
            ]
        }
        let hotKeys = status.hotKeys.map { hotKey in
            [name(hotKey.key), Figures.count(hotKey.pushes), name(hotKey.app)]
        }
        let all = [
            Table(
                rows: [["app", "pushes/s", "matched/s", "reloads/s", ""]] + apps,
                numbers: [1, 2, 3]
            ),
            Table(
                rows: [["origin", "waiting", "peak asked", "peak given", "app"]] + origins,
                numbers: [1, 2, 3]
            ),
            Table(rows: [["hot key", "pushes", "app"]] + hotKeys, numbers: [1]),
        ]
        return all.filter { $0.rows.count > 1 }
    }
}
