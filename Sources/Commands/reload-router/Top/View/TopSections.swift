import Basics

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
            rates.map { $0.apps.count == status["apps"].elements.count } ?? true,
            "the rates are of other apps"
        )
        self.status = status
        self.rates = rates
    }

    // MARK: - In words

    /// `ReloadRouter 0.2.0  ready  up 3 h 20 min`.
    var title: String {
        let state = isDraining ? "draining" : isReady ? "ready" : "not ready"
        let name = status["version"].string ?? ""
        let version = name.isEmpty ? "" : " " + DisplayText.printable(name)
        return "ReloadRouter\(version)  \(state)  up \(Figures.milliseconds(status.uptime))"
    }

    private var isReady: Bool { status["isReady"].isTrue }
    private var isDraining: Bool { status["isDraining"].isTrue }

    /// What an operator should know at once; nil if there is no such thing.
    var warning: String? {
        let store = status["store"]
        if store["isFailing"].isTrue {
            return "the store fails, for \(Figures.milliseconds(store["failingFor"].number)): "
                + "nothing is acknowledged"
        }
        if isReady || isDraining { return refusedFile ?? stoppedPushes }
        let reasons = status["reasons"].elements.compactMap(\.string)
            .map(DisplayText.printable).joined(separator: "; ")
        return "not ready: " + (reasons.isEmpty ? "no reason given" : reasons)
    }

    /// Which file that SIGHUP has read is not in force, and why; nil if all are.
    private var refusedFile: String? {
        for file in status["files"].elements {
            guard let reason = file["refusal"]["reason"].string else { continue }
            let text = "\(file["file"].string ?? "?"): \(reason)"
            return "refused at SIGHUP: " + DisplayText.printable(text)
        }
        return nil
    }

    /// Which pushes by APNs are stopped, and why; nil if none are.
    private var stoppedPushes: String? {
        let apns = status["apns"]
        guard let first = apns["stoppedLanes"].elements.first else { return nil }
        let more = (apns["stopped"].number ?? 1) - 1
        let (app, environment, cause) = (first["app"], first["environment"], first["cause"])
        let name = "\(app.string ?? "") (\(environment.string ?? "")): \(cause.string ?? "")"
        return "pushes by APNs are stopped: " + DisplayText.printable(name)
            + (more > 0 ? ", and \(Figures.count(more)) more" : "")
    }

    /// Values with their names, one line each, the most important first.
    var summary: [(name: String, text: String)] {
        var rows = [
            ("decisions/s", Self.list(decisions, as: Figures.short)),
            ("connections", Self.list(openConnections, as: Figures.count)),
            ("store", store),
            ("APNs", apns),
            ("reloads", Self.list(status["wishes"].counters, as: Figures.count)),
            ("queues", Self.list(queues, as: Figures.count)),
            ("traffic", traffic),
            ("memory", Self.list(status["memory"].counters, as: Figures.bytes)),
        ]
        if let rejected = status.counters["rejected"], rejected > 0 {
            rows.append(("rejected", "\(Figures.count(rejected)) pushes since the start"))
        }
        if !status["apns"].isObject { rows.removeAll { $0.0 == "APNs" } }
        return rows.map { (name: $0.0, text: $0.1.isEmpty ? Figures.dash : $0.1) }
    }

    /// Open connections by role, without the counters of accepted and refused ones, which run since
    /// the start.
    private var openConnections: [Counter] {
        status["connections"].counters.filter { !["accepted", "refused"].contains($0.name) }
    }

    private var queues: [Counter] { status["queues"].counters.filter { $0.value > 0 } }

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
        let store = status["store"]
        if !store.isObject { return "none" }
        var parts = [store["isFailing"].isTrue ? "fails" : "healthy"]
        parts.append("on disk " + Figures.bytes(store["diskBytes"].number))
        if let submitted = store["submitted"].number, let committed = store["committed"].number {
            parts.append("not committed " + Figures.count(submitted - committed))
        }
        if let checkpoint = store["checkpoint"]["number"].number {
            parts.append("checkpoint " + Figures.count(checkpoint))
        }
        return parts.joined(separator: "   ")
    }

    /// Pushes by APNs; only for a router that has them.
    private var apns: String {
        let apns = status["apns"]
        var parts = ["sent", "accepted"].map {
            "\($0)/s \(Figures.short(rates?.counters["APNs " + $0]))"
        }
        let levels = apns.counters.filter {
            ["waiting", "underWay", "deadTokens", "connections"].contains($0.name)
        }
        parts.append(Self.list(levels, as: Figures.count))
        // Without an answer lately there are no percentiles.
        if let count = apns["answer"]["count"].number, count > 0 {
            parts.append("answer p99 \(Figures.microseconds(apns["answer"]["p99"].number))")
        }
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
        let names = [
            ("pushToAck", "push to ACK"), ("pushToReload", "push to RELOAD"), ("turn", "loop tick"),
            ("commit", "commit"), ("schedulerLag", "scheduler lag"),
        ]
        let rows = names.compactMap { member, name -> [String]? in
            let latency = status["latency"][member]
            guard let count = latency["count"].number else { return nil }
            let values = ["p50", "p90", "p99", "p999", "max"].map { part in
                // Without measurements there are no percentiles.
                Figures.microseconds(count > 0 ? latency[part].number : nil)
            }
            return [name] + values + [Figures.count(count)]
        }
        let header = ["latency", "p50", "p90", "p99", "p99.9", "max", "count"]
        return Table(rows: [header] + rows, numbers: [1, 2, 3, 4, 5, 6])
    }

    /// The tables that may have many rows; names are cut at `nameWidth` columns.
    func lists(nameWidth: Int) -> [Table] {
        func name(_ text: JSONValue) -> String {
            DisplayText.cut(DisplayText.printable(text.string ?? ""), to: nameWidth)
        }
        let apps = status["apps"].elements.enumerated().map { index, app -> [String] in
            let rates = rates?.apps[index] ?? []
            return [name(app["app"])]
                + ["pushes", "matched", "reloads"].map { Figures.short(rates[$0]) }
                + [app["isPaused"].isTrue ? "paused" : ""]
        }
        let origins = status["origins"].elements.map { origin -> [String] in
            [(origin["origin"].string ?? "").isEmpty ? "(unnamed)" : name(origin["origin"])]
                + ["waiting", "peakAsked", "peakGiven"].map { Figures.count(origin[$0].number) }
                + [name(origin["app"])]
        }
        let hotKeys = status["hotKeys"].elements.map { hotKey in
            [name(hotKey["key"]), Figures.count(hotKey["pushes"].number), name(hotKey["app"])]
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
