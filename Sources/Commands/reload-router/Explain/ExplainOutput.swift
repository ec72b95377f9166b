import CommandSupport
import DataStructures
import ReloadModel
import StrictJSON
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
    /// The pushes that concern each widget.
    private var matches: [WidgetID: [WidgetStory.Match]] = [:]
    private var stories: [WidgetID: WidgetStory] = [:]

    /// - Throws: `SettingsProblem` if the options name a device or a widget that the file does not
    ///   have.
    init(
        _ options: Explain,
        _ app: AppDeclaration,
        _ registered: consuming RegisteredWidgets
    ) throws(SettingsProblem) {
        self.options = options
        self.app = app
        chosen = try Self.choose(options, registered)
        self.registered = registered
    }

    /// Prints what the payloads lead to, as the options ask.
    mutating func explain(_ payloads: [[UInt8]]) throws {
        if options.near { return try printNearMisses(payloads) }
        for (index, payload) in payloads.enumerated() { try match(payload, index + 1) }
        let report = try runDry(payloads)
        if options.device == nil {
            try printMatches(payloads, report)
        } else {
            try printDevice(payloads, report)
        }
    }

    // MARK: - Which widgets

    private static func choose(
        _ options: Explain,
        _ registered: borrowing RegisteredWidgets
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

    /// Records which widgets a payload concerns; `push` is its number, from 1.
    private mutating func match(_ payload: [UInt8], _ push: Int) throws {
        let found = try payload.withByteView { view in
            try registered.matcher.explain(
                app: RegisteredWidgets.app,
                payload: view,
                limit: .max
            )
        }
        for (widget, explanation) in found {
            matches[widget, default: []].append(
                WidgetStory.Match(push: push, explanation: explanation)
            )
        }
    }

    /// Runs the router with all devices that the pushes concern, and collects a story for each of
    /// their widgets.
    private mutating func runDry(_ payloads: [[UInt8]]) throws -> DryRunReport {
        let times = options.pushTimes
        let concerned = matches.keys.sorted()
        var devices: [RegisteredWidgets.Device] = []
        var seen: Set<[UInt8]> = []
        var decisions = 0
        for widget in concerned {
            let device = registered.device(of: widget)
            guard seen.insert(Array(device.name.utf8)).inserted else { continue }
            devices.append(device)
            // For each push, the reload of a widget may wait for the debounce window, twice for its
            // budget and for its permit at the origin, then join another reload, and be sent.
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
            DryRun.Push(payload: payload, isUrgent: options.urgent, at: time)
        }
        try run.run(pushes, devices, registered)
        var reloads: [WidgetID: [DryRun.Reload]] = [:]
        for reload in run.reloads {
            for payment in reload.widgets + reload.siblings {
                reloads[payment.widget, default: []].append(reload)
            }
        }
        for device in devices {
            let decisions = try run.decisions(on: device.name, registered)
            for widget in device.widgets {
                guard let budget = run.initialBudgets[widget] else { continue }
                stories[widget] = WidgetStory(
                    widget,
                    matches[widget] ?? [],
                    decisions.filter { $0.widget == widget }.map(\.decision),
                    reloads[widget] ?? [],
                    budget
                )
            }
        }
        return DryRunReport(app, run)
    }

    // MARK: - Printing

    private func printMatches(_ payloads: [[UInt8]], _ report: DryRunReport) throws {
        let told = chosen.filter { matches[$0] != nil }.compactMap { stories[$0] }
        let misses = try nearMisses(payloads).filter { matches[$0.widget] == nil }
        for story in told.prefix(options.limit) {
            if options.json {
                try printObject(story.widget, payloads, report)
                continue
            }
            printLine("\(registered.name(of: story.widget)): \(reason(story, payloads.count))")
            for line in report.lines(story, registered) { printLine(line) }
        }
        if options.json { return }
        if told.count > options.limit {
            printLine("… and \(told.count - options.limit) more (--limit)")
        }
        if !told.isEmpty { printLine("") }
        let nearest = Self.nearest(misses)
        if !nearest.isEmpty {
            printLine("Nearest of those that are not (--near names all \(misses.count)):")
            printLines(nearest)
            printLine("")
        }
        printLine(summary(told.count, "concerned"))
        printLine(report.summary(told))
    }

    /// Why pushes concern a widget: the numbers of the pushes, and the first one's reason.
    private func reason(_ story: WidgetStory, _ pushes: Int) -> String {
        let sentence = story.matches[0].explanation.sentence
        if pushes == 1 { return sentence }
        let numbers = story.matches.map(\.push)
        let (first, last) = (numbers[0], numbers[numbers.count - 1])
        if numbers.count == 1 { return "push \(first): \(sentence)" }
        let isRow = numbers.count > 2 && last - first == numbers.count - 1
        let listed = numbers.map { "\($0)" }.joined(separator: ", ")
        return "pushes \(isRow ? "\(first) to \(last)" : listed): \(sentence)"
    }

    private func printDevice(_ payloads: [[UInt8]], _ report: DryRunReport) throws {
        for number in chosen {
            if options.json {
                try printObject(number, payloads, report)
                continue
            }
            for (index, payload) in payloads.enumerated() {
                let explanation = try explanation(number, payload)
                let push = payloads.count == 1 ? "" : "push \(index + 1): "
                printLine("\(registered.name(of: number)): \(push)\(explanation.sentence)")
                for condition in explanation.conditions {
                    printLine("    \(condition.holds ? "holds" : "fails")  \(condition.sentence)")
                }
            }
            guard let story = stories[number] else { continue }
            for line in report.lines(story, registered) { printLine(line) }
        }
    }

    private func explanation(
        _ widget: WidgetID,
        _ payload: [UInt8]
    ) throws(PayloadError) -> MatchExplanation {
        try payload.withByteView { (view) throws(PayloadError) in
            try registered.matcher.index.explain(
                app: RegisteredWidgets.app,
                payload: view,
                widget: widget
            )
        }
    }

    private func printNearMisses(_ payloads: [[UInt8]]) throws {
        let found = try nearMisses(payloads)
        if options.json {
            for miss in found.prefix(options.limit) {
                try printObject(miss.widget, payloads, nil)
            }
            return
        }
        printLines(Array(found.prefix(options.limit)))
        if found.count > options.limit {
            printLine("… and \(found.count - options.limit) more (--limit)")
        }
        printLine(summary(found.count, "nearly concerned"))
    }

    private func printLines(_ widgets: [WidgetMatcher.ExplainedWidget]) {
        for found in widgets {
            printLine("\(registered.name(of: found.widget)): \(found.explanation.sentence)")
        }
    }

    private func summary(_ count: Int, _ what: String) -> String {
        "\(count) of \(registered.count) widget\(registered.count == 1 ? "" : "s") \(what)"
    }

    // MARK: - Near misses

    /// The selected widgets that a push would concern if one more condition held.
    private func nearMisses(
        _ payloads: [[UInt8]]
    ) throws(PayloadError) -> [WidgetMatcher.ExplainedWidget] {
        var found: [WidgetID: MatchExplanation] = [:]
        for payload in payloads {
            let misses = try payload.withByteView { (view) throws(PayloadError) in
                try registered.matcher.index.nearMisses(
                    app: RegisteredWidgets.app,
                    payload: view,
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
        let held = misses.filter { $0.explanation.conditions.count > 1 }
        let sorted = held.enumerated().sorted { left, right in
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
        _ payloads: [[UInt8]],
        _ report: DryRunReport?
    ) throws {
        let name = registered.widget(widget)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", name.device)
        writer.member("widget", name.id)
        writer.member("kind", name.kind)
        writer.key("pushes")
        writer.beginArray()
        for payload in payloads { write(try explanation(widget, payload), to: &writer) }
        writer.endArray()
        if let report {
            report.write(stories[widget], registered, to: &writer)
        }
        writer.endObject()
        printLine(String(decoding: writer.bytes, as: UTF8.self))
    }

    private func write(_ explanation: MatchExplanation, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("concerned", explanation.isMatch)
        writer.member("why", explanation.sentence)
        writer.key("conditions")
        writer.beginArray()
        for condition in explanation.conditions {
            writer.beginObject()
            writer.member("holds", condition.holds)
            writer.member("why", condition.sentence)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
