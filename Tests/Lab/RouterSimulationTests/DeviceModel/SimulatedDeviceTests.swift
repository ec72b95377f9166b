import Basics
import Foundation
import FrameCodec
import TestSupport
import Testing
import WidgetTimelines

@testable import RouterSimulation

private struct Entry: TimelineEntry {
    let date: Date
    let text: String
    var picture = Data()
}

/// A provider that answers what a test says.
private struct Provider: TimelineProvider {
    let timeline: Timeline<Entry>

    func placeholder(in context: Context) -> Entry { Entry(date: .distantPast, text: "…") }
    func getSnapshot(in context: Context, completion: @escaping (Entry) -> Void) {
        completion(Entry(date: .distantPast, text: "sample"))
    }
    func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
        completion(timeline)
    }
}

/// A device whose providers answer when the test says so.
private struct Bench {
    static let start: WallTime = 1_800_000_000_000
    static let minute = Milliseconds.minutes(1)
    static let calendar = Calendar(identifier: .gregorian)

    var device: SimulatedDevice
    var now = start
    /// What was asked and not answered.
    var questions: [ProviderQuestion] = []
    /// All else since the last look.
    var actions: [DeviceAction] = []

    init(
        widgets: Int = 1,
        rules: DeviceRules = DeviceRules(),
        isLive: Bool = true
    ) {
        device = SimulatedDevice(
            name: "d",
            rules: rules,
            widgets: (0..<widgets).map { index in
                SimulatedWidget(
                    id: "w\(index)",
                    kind: 0,
                    family: .systemSmall,
                    choice: .none,
                    page: index,
                    now: Self.start,
                    phase: 0
                )
            }
        )
        act { $0.begin(at: $1, into: &$2) }
        if !isLive { return }
        for _ in 0..<2 * widgets { answerSample() }
        for _ in 0..<widgets { answer("first") }
        actions = []
    }

    mutating func act(_ body: (inout SimulatedDevice, WallTime, inout [DeviceAction]) -> Void) {
        var found: [DeviceAction] = []
        body(&device, now, &found)
        for action in found {
            if case .ask(let question) = action { questions.append(question) }
            actions.append(action)
        }
    }

    private func adapter(_ timeline: Timeline<Entry>) -> any ProviderAdapter {
        StaticConfiguration(kind: "k", provider: Provider(timeline: timeline)) { Text($0.text) }
            .declarations[0].provider
    }

    private let context = TimelineProviderContext(family: .systemSmall, isPreview: false)

    mutating func answerSample() {
        let question = questions.removeFirst()
        var entry: RenderableEntry?
        let adapter = adapter(Timeline(entries: [], policy: .never))
        if question.subject == .sample {
            try? adapter.getSnapshot(for: .none, in: context) { entry = $0 }
        } else {
            entry = adapter.placeholder(in: context)
        }
        act { $0.answer(question, sample: entry!, at: $1, into: &$2) }
    }

    /// Answers the oldest question with a timeline that shows a text from now on.
    mutating func answer(
        _ text: String,
        _ policy: TimelineReloadPolicy = .never,
        bytes: Int = 0,
        shift: TimeInterval = 0
    ) {
        answer(
            [Entry(date: now.date - shift, text: text, picture: Data(count: bytes))],
            policy,
            shift
        )
    }

    mutating func answer(
        _ entries: [Entry],
        _ policy: TimelineReloadPolicy,
        _ shift: TimeInterval = 0
    ) {
        let question = questions.removeFirst()
        var answer: RenderableTimeline?
        try? adapter(Timeline(entries: entries, policy: policy))
            .getTimeline(for: .none, in: context) { answer = $0 }
        act {
            $0.answer(
                question,
                timeline: answer!,
                shift: shift,
                at: $1,
                calendar: Self.calendar,
                into: &$2
            )
        }
    }

    mutating func reload(
        _ seq: UInt64,
        _ cause: ReloadCause = .push,
        widgets: [String] = ["w0"],
        values: [String: String]? = nil
    ) {
        act {
            $0.reload(seq: seq, widgets: widgets, cause: cause, values: values, at: $1, into: &$2)
        }
    }

    mutating func pass(_ length: Milliseconds) {
        now += length
        act { $0.wake(at: $1, into: &$2) }
    }

    func lines(_ widget: Int = 0) -> [String] {
        device.widgets[widget].lines(at: now, calendar: Self.calendar)
    }

    /// What was to be done, but for questions, as text; and forgets it.
    mutating func take() -> [String] {
        defer { actions = [] }
        return actions.compactMap { action in
            switch action {
            case .register: "register"
            case .report(let report): "report w\(report.widget) \(report.occasion) \(report.policy)"
            case .notify(let change):
                "tell"
                    + (change.isForeground.map { " foreground \($0)" } ?? "")
                    + (change.media.map { " \($0)" } ?? "")
                    + (change.visible.map { " \($0)" } ?? "") + (change.hasMoved ? " moved" : "")
            case .request(let kind, let isDownload):
                "request \(kind ?? "all")\(isDownload ? " download" : "")"
            case .ask: nil
            case .rendered(let rendering): rendering.isNew ? "new" : "same"
            case .coalesced: "coalesced"
            case .postponed: "postponed"
            case .ended: "ended"
            }
        }
    }
}

private let unlimited = DeviceRules(budget: .unlimited)

@Suite("A simulated device")
struct SimulatedDeviceTests {
    @Test("shows the gallery's sample, then the placeholder, then the first timeline")
    func beginning() {
        var bench = Bench(isLive: false)
        #expect(bench.take() == ["register"] && bench.questions.map(\.subject) == [.sample])
        bench.reload(1)
        #expect(bench.questions.count == 1 && bench.lines() == [])
        bench.answerSample()
        #expect(bench.lines() == ["sample"] && bench.questions.map(\.subject) == [.placeholder])
        bench.answerSample()
        #expect(bench.lines() == ["…"] && bench.questions.map(\.subject) == [.timeline])
        _ = bench.take()
        bench.answer("first", .atEnd)
        #expect(bench.lines() == ["first"])
        #expect(bench.take().first == "new")
    }

    @Test("asks a provider on a RELOAD, shows what it answers, and reports it")
    func reload() {
        var bench = Bench(rules: unlimited)
        bench.reload(7, values: ["w0": #"{"hp":3}"#])
        #expect(bench.questions[0].values == #"{"hp":3}"#)
        let monday = Bench.start.date + 3_600
        bench.answer("potion", .after(monday))
        #expect(bench.lines() == ["potion"])
        #expect(
            bench.take() == [
                "new",
                "report w0 reload(seq: 7, Basics.ReloadCause.push) after(\(monday.wallTime))",
            ]
        )
        bench.reload(8, widgets: ["unknown"])
        #expect(bench.take() == [] && bench.questions.isEmpty)
    }

    @Test("reloads all of its widgets at a push by APNs, within its own budget")
    func pushed() {
        var bench = Bench(widgets: 2, rules: unlimited)
        bench.act { $0.pushed(at: $1, into: &$2) }
        #expect(bench.questions.map(\.widget) == [0, 1])
        bench.answer("potion")
        bench.answer("dragon")
        #expect(bench.lines() == ["potion"] && bench.lines(1) == ["dragon"])
        #expect(
            bench.take() == ["new", "report w0 push never", "new", "report w1 push never"]
        )
        var policy = BudgetPolicy.widget
        (policy.seldom, policy.daily, policy.often, policy.learningDays) = (1, 1, 1, 0)
        policy.urgentPercent = 0
        var waiting = Bench(rules: DeviceRules(budget: policy))
        waiting.act { $0.pushed(at: $1, into: &$2) }
        waiting.answer("one")
        _ = waiting.take()
        waiting.act { $0.pushed(at: $1, into: &$2) }
        #expect(waiting.take() == ["postponed"])
    }

    @Test("distinguishes a reload that shows nothing new from one that does")
    func wasted() {
        var bench = Bench(rules: unlimited)
        bench.reload(1)
        bench.answer("first")
        #expect(bench.take()[0] == "same")
        bench.reload(2)
        bench.answer("second")
        #expect(bench.take()[0] == "new")
    }

    @Test("asks one question at a time, and makes one reload of those that come meanwhile")
    func coalescing() {
        var bench = Bench(rules: unlimited)
        bench.reload(1)
        bench.reload(2)
        bench.reload(3, values: ["w0": "{}"])
        #expect(bench.questions.count == 1 && bench.take() == ["coalesced"])
        bench.answer("one")
        #expect(bench.questions.count == 1 && bench.questions[0].values == "{}")
        bench.answer("three")
        #expect(bench.questions.isEmpty && bench.lines() == ["three"])
        #expect(bench.take().filter { $0.hasPrefix("report") }.count == 2)
    }

    @Test("reloads as often as its own budget allows, and then when it has come back")
    func budget() {
        var policy = BudgetPolicy.widget
        (policy.seldom, policy.daily, policy.often, policy.learningDays) = (2, 2, 2, 0)
        policy.urgentPercent = 50
        var bench = Bench(rules: DeviceRules(budget: policy))
        bench.reload(1)
        bench.answer("one")
        bench.reload(2)
        bench.reload(3)
        #expect(bench.questions.isEmpty)
        #expect(bench.take().suffix(2) == ["postponed", "coalesced"])
        // What is kept back is for widgets in sight.
        bench.act { $0.look(at: 0, now: $1, into: &$2) }
        #expect(bench.questions.count == 1)
        bench.answer("two")
        bench.reload(4)
        #expect(bench.questions.isEmpty && bench.take().last == "postponed")
        let wake = bench.device.nextWake!
        #expect(
            wake > bench.now + .hours(24) && wake < bench.now + .hours(26)
        )
        bench.pass(wake - bench.now - 1)
        #expect(bench.questions.isEmpty)
        bench.pass(1)
        #expect(bench.questions.count == 1)
    }

    @Test("pays nothing while the app is used or plays, nor for places")
    func free() {
        var policy = BudgetPolicy.widget
        (policy.seldom, policy.daily, policy.often, policy.learningDays) = (0, 0, 0, 0)
        var bench = Bench(rules: DeviceRules(budget: policy))
        bench.reload(1)
        #expect(bench.questions.isEmpty)
        bench.act { $0.setForeground(true, now: $1, into: &$2) }
        #expect(bench.questions.count == 1)
        bench.answer("one")
        bench.act { $0.setForeground(false, now: $1, into: &$2) }
        bench.act { $0.setMedia(.audio, now: $1, into: &$2) }
        bench.reload(2)
        bench.answer("two")
        bench.act { $0.setMedia(.silent, now: $1, into: &$2) }
        bench.reload(3, .location)
        bench.answer("three")
        bench.act { $0.reloadByItself(0, now: $1, into: &$2) }
        bench.answer("four")
        #expect(bench.lines() == ["four"])
        #expect(
            bench.take().filter { $0.hasPrefix("tell") } == [
                "tell foreground true", "tell foreground false", "tell audio", "tell silent",
            ]
        )
    }

    @Test("reports nothing of its owner while it has no widgets")
    func bare() {
        var bench = Bench(widgets: 0)
        bench.act { $0.look(at: 0, now: $1, into: &$2) }
        bench.act { $0.setForeground(true, now: $1, into: &$2) }
        bench.act { $0.setMedia(.audio, now: $1, into: &$2) }
        bench.act { $0.move(&$2) }
        #expect(bench.take() == [])
    }

    @Test("reports what is in sight, and nothing twice")
    func sight() {
        var bench = Bench(widgets: 2)
        bench.act { $0.look(at: 0, now: $1, into: &$2) }
        bench.act { $0.look(at: 0, now: $1, into: &$2) }
        bench.act { $0.look(at: 1, now: $1, into: &$2) }
        bench.act { $0.look(at: nil, now: $1, into: &$2) }
        bench.act { device, _, actions in device.move(&actions) }
        #expect(
            bench.take() == [#"tell ["w0"]"#, #"tell ["w1"]"#, "tell []", "tell moved"]
        )
    }

    @Test("reloads by itself at the date that it was given, if it has a timer of its own")
    func ownTimer() {
        var bench = Bench(rules: DeviceRules(timer: .device, budget: .unlimited))
        bench.reload(1)
        bench.answer("dragon", .after(bench.now.date + 7_200))
        #expect(bench.device.nextWake == Bench.start + Bench.minute * 120)
        bench.device.scheduled(widget: 0, at: Bench.start + Bench.minute * 130)
        bench.pass(Bench.minute * 129)
        #expect(bench.questions.isEmpty)
        bench.pass(Bench.minute)
        #expect(bench.questions.count == 1)
        _ = bench.take()
        bench.answer("beaten", .atEnd)
        #expect(bench.take().last == "report w0 date atEnd")
        // Not before five minutes have passed, whatever the timeline says.
        #expect(bench.device.nextWake == bench.now + Bench.minute * 5)
    }

    @Test("leaves dates to the router, if that is what was agreed")
    func routersTimer() {
        var bench = Bench(rules: unlimited)
        bench.reload(1)
        bench.answer("dragon", .after(bench.now.date + 7_200))
        #expect(bench.device.nextWake == nil)
        bench.pass(Bench.minute * 240)
        #expect(bench.questions.isEmpty)
    }

    @Test("still answers the router when its own date comes at the same time")
    func dateBesideReload() {
        var bench = Bench(rules: DeviceRules(timer: .device, budget: .unlimited))
        bench.reload(1)
        bench.answer("a", .atEnd)
        bench.reload(2)
        bench.reload(3)
        bench.pass(Bench.minute * 5)
        bench.answer("b", .never)
        _ = bench.take()
        bench.answer("c", .never)
        #expect(bench.take().last!.hasPrefix("report w0 reload(seq: 3"))
    }

    @Test("loses what an extension makes that takes too much memory, and tries again later")
    func memory() {
        var bench = Bench(rules: DeviceRules(budget: .unlimited, extensionMemory: 1 << 20))
        bench.reload(1)
        bench.answer("big", bytes: 2 << 20)
        #expect(bench.take() == ["ended"] && bench.lines() == ["first"])
        #expect(bench.device.nextWake == bench.now + Bench.minute * 5)
        bench.pass(Bench.minute * 5)
        bench.answer("small", bytes: 1_000)
        #expect(bench.lines() == ["small"])
        #expect(bench.take().last!.hasPrefix("report w0 reload(seq: 1"))
    }

    @Test("ends a provider that does not answer in time, and does not hear it later")
    func time() {
        var bench = Bench(rules: unlimited)
        bench.reload(1)
        bench.pass(29_999)
        #expect(bench.take() == [])
        bench.pass(1)
        #expect(bench.take() == ["ended"])
        bench.answer("late")
        #expect(bench.take() == [] && bench.lines() == ["first"])
    }

    @Test("asks the router for each kind once that its app asks for, or for all")
    func requests() {
        var bench = Bench()
        bench.act { device, _, actions in
            device.request(kinds: ["a", "b", "a"], isDownload: false, into: &actions)
        }
        bench.act { device, _, actions in
            device.request(kinds: ["a", nil, "b"], isDownload: true, into: &actions)
        }
        #expect(bench.take() == ["request a", "request b", "request all download"])
    }

    @Test("awaits nothing for a widget that its owner has removed, and asks when it is put back")
    func removed() {
        var bench = Bench()
        bench.reload(1)
        let late = bench.questions.removeFirst()
        bench.act { $0.remove(0, into: &$2) }
        bench.reload(2)
        bench.act { $0.answer(late, dates: [$1], at: $1, into: &$2) }
        #expect(bench.questions.isEmpty)
        #expect(bench.take() == ["register"])
        bench.act { $0.place(0, at: $1, into: &$2) }
        bench.answer("again")
        #expect(bench.take() == ["register", "coalesced", "new", "report w0 added never"])
    }

    @Test("reports the dates of timelines that show nothing")
    func blank() {
        let start = Bench.start
        let widget = SimulatedWidget(blank: "w0", kind: 0, page: 0, now: start)
        var device = SimulatedDevice(name: "d", rules: DeviceRules(), widgets: [widget])
        var actions: [DeviceAction] = []
        device.begin(at: start, into: &actions)
        var reports: [TimelineReport] = []
        while !actions.isEmpty {
            let action = actions.removeFirst()
            if case .report(let report) = action { reports.append(report) }
            guard case .ask(let question) = action else { continue }
            device.answer(
                question,
                dates: [start, start + Bench.minute],
                policy: .after(start + Bench.minute),
                at: start,
                into: &actions
            )
        }
        #expect(reports.map(\.entries) == [[start, start + Bench.minute]])
        #expect(reports.map(\.policy) == [.after(start + Bench.minute)])
        let body = String(decoding: device.body(of: reports[0]), as: UTF8.self)
        #expect(body.hasPrefix(#"{"device":"d","widget":"w0","entries":[1800000000000,"#))
    }

    @Test("moves the dates of a provider whose clock is another one")
    func shift() {
        var bench = Bench(rules: unlimited)
        bench.now += 86_400_000
        bench.reload(1)
        let provider = Bench.start.date
        bench.answer(
            [Entry(date: provider, text: "now"), Entry(date: provider + 600, text: "later")],
            .after(provider + 1_200),
            86_400
        )
        #expect(bench.lines() == ["now"])
        #expect(bench.take().last!.hasSuffix("after(\(bench.now + 1_200_000))"))
        bench.pass(600_000)
        #expect(bench.lines() == ["later"])
    }
}
