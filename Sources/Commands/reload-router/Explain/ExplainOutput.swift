import CommandSupport
import DataStructures
import ReloadModel
import StrictJSON
import Times
import WidgetMatching

/// Runs `explain` on files: matches the payloads, runs the dry run, and prints the result.
struct ExplainOutput: ~Copyable {
    /// Near misses that are printed without `--near`.
    private static let nearest = 3

    private let options: Explain
    private let app: AppDeclaration
    private var registered: RegisteredWidgets
    /// The widgets that the options select, ordered by number.
    private let chosen: [WidgetID]
    /// The pushes that match each widget.
    private var matches: [WidgetID: [WidgetHistory.Match]] = [:]
    private var histories: [WidgetID: WidgetHistory] = [:]

    /// - Throws: `SettingsProblem` if the options name a device or a widget that the file does not
    ///   have.
    init(
        _ options: Explain,
        app: AppDeclaration,
        registered: consuming RegisteredWidgets
    ) throws(SettingsProblem) {
        self.options = options
        self.app = app
        chosen = try Self.choose(options, from: registered)
        self.registered = registered
    }

    /// Prints what the payloads lead to, as the options ask.
    mutating func explain(_ payloads: [[UInt8]]) throws {
        if options.near { return try printNearMisses(payloads) }
        for (index, payload) in payloads.enumerated() { try match(payload, push: index + 1) }
        let report = try runDry(payloads)
        if options.device == nil {
            try printMatches(payloads, report: report)
        } else {
            try printDevice(payloads, report: report)
        }
    }

    // MARK: - Which widgets

    private static func choose(
        _ options: Explain,
        from registered: borrowing RegisteredWidgets
    ) throws(SettingsProblem) -> [WidgetID] {
        var numbers = registered.all
        if let device = options.device {
            guard let own = registered.widgets(of: device) else {
                throw SettingsProblem("\(options.widgets): there is no device \(device)")
            }
            numbers = own
            if let widget = options.widget {
                let named = own.filter { registered.widget($0).id == widget }
                if !named.isEmpty { return named }
                throw SettingsProblem(
                    "\(options.widgets): the device \(device) has no widget \(widget)"
                )
            }
        }
        guard let kind = options.kind else { return numbers }
        return numbers.filter { registered.widget($0).kind == kind }
    }

    // MARK: - What happens

    /// Records which widgets a payload matches; `push` is its number, from 1.
    private mutating func match(_ payload: [UInt8], push: Int) throws {
        assert(push > 0, "pushes are counted from 1")
        let found = try payload.withByteView { view in
            try registered.matcher.explain(
                app: RegisteredWidgets.app,
                payload: view,
                kinds: options.kinds.names,
                limit: .max
            )
        }
        for (widget, explanation) in found {
            matches[widget, default: []].append(
                WidgetHistory.Match(push: push, explanation: explanation)
            )
        }
    }

    /// Runs the router with all devices whose widgets the pushes match, and collects a story for
    /// each of their widgets.
    private mutating func runDry(_ payloads: [[UInt8]]) throws -> DryRunReport {
        let times = options.pushTimes
        assert(times.count == payloads.count, "a payload has no time")
        let matched = matches.keys.sorted()
        var devices: [RegisteredWidgets.Device] = []
        var seen: Set<[UInt8]> = []
        var decisions = 0
        for widget in matched {
            let device = registered.device(of: widget)
            guard seen.insert(Array(device.name.utf8)).inserted else { continue }
            devices.append(device)
            // The most decisions that the log must keep: one for each reload of the past day; for
            // each widget and push six, of a reload that waits for the debounce window, twice for
            // the budget, and for its permit at the origin, joins another reload, and is sent; and
            // for each widget eight that no push has caused.
            let own = device.known.reloads.count + device.widgets.count * (6 * times.count + 8)
            decisions = max(decisions, own)
        }
        var run = DryRun(
            app: app,
            now: times[0],
            devices: devices.count,
            decisions: decisions
        )
        let pushes = zip(payloads, times).map { payload, time in
            DryRun.Push(
                payload: payload,
                isUrgent: options.urgent,
                kinds: options.kinds.names,
                at: time
            )
        }
        try run.run(pushes, devices: devices, using: registered)
        var reloads: [WidgetID: [DryRun.Reload]] = [:]
        for reload in run.reloads {
            for charge in reload.widgets + reload.siblings {
                reloads[charge.widget, default: []].append(reload)
            }
        }
        for device in devices {
            let decisions = try run.decisions(on: device.name, using: registered)
            for widget in device.widgets {
                guard let budget = run.initialBudgets[widget] else { continue }
                histories[widget] = WidgetHistory(
                    widget,
                    matches: matches[widget] ?? [],
                    decisions: decisions.filter { $0.widget == widget }.map(\.decision),
                    reloads: reloads[widget] ?? [],
                    budget: budget
                )
            }
        }
        return DryRunReport(app, run: run)
    }

    // MARK: - Printing

    private func printMatches(_ payloads: [[UInt8]], report: DryRunReport) throws {
        let reported = chosen.filter { matches[$0] != nil }.compactMap { histories[$0] }
        let misses = try nearMisses(payloads).filter { matches[$0.widget] == nil }
        for history in reported.prefix(options.limit) {
            if options.json {
                try printObject(history.widget, payloads: payloads, report: report)
                continue
            }
            printLine(
                "\(registered.name(of: history.widget)): \(reason(history, pushes: payloads.count))"
            )
            for line in report.lines(history, using: registered) { printLine(line) }
        }
        if options.json { return }
        if reported.count > options.limit {
            printLine("… and \(reported.count - options.limit) more (--limit)")
        }
        if !reported.isEmpty { printLine("") }
        let nearest = Self.nearest(misses)
        if !nearest.isEmpty {
            printLine("Nearest misses (--near lists all \(misses.count)):")
            printLines(nearest)
            printLine("")
        }
        printLine(summary(reported.count, what: "matched"))
        printLine(report.summary(reported))
    }

    /// Why pushes match a widget: the numbers of the pushes, and the first one's reason.
    private func reason(_ history: WidgetHistory, pushes: Int) -> String {
        assert(!history.matches.isEmpty, "no push matched the widget")
        let sentence = history.matches[0].explanation.sentence
        if pushes == 1 { return sentence }
        let numbers = history.matches.map(\.push)
        let (first, last) = (numbers[0], numbers[numbers.count - 1])
        if numbers.count == 1 { return "push \(first): \(sentence)" }
        let isRow = numbers.count > 2 && last - first == numbers.count - 1
        let listed = numbers.map { "\($0)" }.joined(separator: ", ")
        return "pushes \(isRow ? "\(first) to \(last)" : listed): \(sentence)"
    }

    private func printDevice(_ payloads: [[UInt8]], report: DryRunReport) throws {
        for number in chosen {
            if options.json {
                try printObject(number, payloads: payloads, report: report)
                continue
            }
            for (index, payload) in payloads.enumerated() {
                let explanation = try explanation(number, payload: payload)
                let push = payloads.count == 1 ? "" : "push \(index + 1): "
                printLine("\(registered.name(of: number)): \(push)\(explanation.sentence)")
                for condition in explanation.conditions {
                    printLine("    \(condition.holds ? "holds" : "fails")  \(condition.sentence)")
                }
            }
            guard let history = histories[number] else { continue }
            for line in report.lines(history, using: registered) { printLine(line) }
        }
    }

    private func explanation(
        _ widget: WidgetID,
        payload: [UInt8]
    ) throws(PayloadError) -> MatchExplanation {
        try payload.withByteView { (view) throws(PayloadError) in
            try registered.matcher.index.explain(
                app: RegisteredWidgets.app,
                payload: view,
                kinds: options.kinds.names,
                widget: widget
            )
        }
    }

    private func printNearMisses(_ payloads: [[UInt8]]) throws {
        let found = try nearMisses(payloads)
        if options.json {
            for miss in found.prefix(options.limit) {
                try printObject(miss.widget, payloads: payloads, report: nil)
            }
            return
        }
        printLines(Array(found.prefix(options.limit)))
        if found.count > options.limit {
            printLine("… and \(found.count - options.limit) more (--limit)")
        }
        printLine(summary(found.count, what: "nearly matched"))
    }

    private func printLines(_ widgets: [WidgetMatcher.ExplainedWidget]) {
        for found in widgets {
            printLine("\(registered.name(of: found.widget)): \(found.explanation.sentence)")
        }
    }

    private func summary(_ count: Int, what: String) -> String {
        "\(count) of \(registered.count) widget\(registered.count == 1 ? "" : "s") \(what)"
    }

    // MARK: - Near misses

    /// The selected widgets that a push would match if one more condition held.
    private func nearMisses(
        _ payloads: [[UInt8]]
    ) throws(PayloadError) -> [WidgetMatcher.ExplainedWidget] {
        var found: [WidgetID: MatchExplanation] = [:]
        for payload in payloads {
            let misses = try payload.withByteView { (view) throws(PayloadError) in
                try registered.matcher.index.nearMisses(
                    app: RegisteredWidgets.app,
                    payload: view,
                    kinds: options.kinds.names,
                    among: chosen
                )
            }
            for miss in misses where found[miss.widget] == nil {
                found[miss.widget] = miss.explanation
            }
        }
        return chosen.compactMap { widget in found[widget].map { (widget, $0) } }
    }

    /// The `nearest` misses with the most conditions, of which all but one hold; a miss without a
    /// condition that holds is left out.
    private static func nearest(
        _ misses: [WidgetMatcher.ExplainedWidget]
    ) -> [WidgetMatcher.ExplainedWidget] {
        let candidates = misses.filter { $0.explanation.conditions.count > 1 }
        let sorted = candidates.enumerated().sorted { left, right in
            let (more, fewer) = (
                left.element.explanation.conditions.count,
                right.element.explanation.conditions.count
            )
            return more == fewer ? left.offset < right.offset : more > fewer
        }
        return sorted.prefix(nearest).map(\.element)
    }

    // MARK: - For programs

    /// Prints what the payloads mean for a widget as one line of JSON.
    private func printObject(
        _ widget: WidgetID,
        payloads: [[UInt8]],
        report: DryRunReport?
    ) throws {
        let name = registered.widget(widget)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", value: name.device)
        writer.member("widget", value: name.id)
        writer.member("kind", value: name.kind)
        writer.key("pushes")
        writer.beginArray()
        for payload in payloads { write(try explanation(widget, payload: payload), to: &writer) }
        writer.endArray()
        if let report {
            report.write(histories[widget], using: registered, to: &writer)
        }
        writer.endObject()
        printLine(String(decoding: writer.bytes, as: UTF8.self))
    }

    private func write(_ explanation: MatchExplanation, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("concerned", value: explanation.isMatch)
        writer.member("why", value: explanation.sentence)
        writer.key("conditions")
        writer.beginArray()
        for condition in explanation.conditions {
            writer.beginObject()
            writer.member("holds", value: condition.holds)
            writer.member("why", value: condition.sentence)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
