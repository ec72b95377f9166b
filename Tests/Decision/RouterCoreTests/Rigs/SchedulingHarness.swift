import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import StoreFormat
import TestSupport
import Testing

/// A RELOAD, and how long after the test's begin it was sent, in ms.
struct TimedReload: Equatable, CustomStringConvertible {
    var at: Int64
    var reload: SentReload

    var cause: String { reload.cause }
    var widgets: [String] { reload.widgets }
    var description: String { "\(at): \(reload)" }
}

/// A decision, with times in ms after the test's begin.
struct TimedDecision: Equatable, CustomStringConvertible {
    var widget: String?
    var reason: DecisionReason
    var cause: ReloadCause
    var at: Int64
    var until: Int64?

    var description: String {
        "\(widget ?? "–") \(reason) \(cause) at \(at)" + (until.map { " until \($0)" } ?? "")
    }
}

/// One app of the kinds given, a publisher `p` and, if wanted, a device `d`; times count from its
/// begin.
final class SchedulingHarness {
    let router: RouterHarness
    let start: Instant
    let publisher: ConnectionSlot
    /// Is told of each RELOAD at the moment it is sent.
    var onReload: ((SentReload) -> Void)?
    private var seq: UInt64 = 0

    init(
        _ kinds: [KindDeclaration],
        origins: [OriginDeclaration] = [],
        start: Instant? = nil,
        keepsJournal: Bool = false,
        store: ((RouterLimits) -> any RouterStore)? = nil,
        _ change: (inout RouterLimits) -> Void = { _ in }
    ) {
        router = RouterHarness(catalog: .of(kinds, origins), change)
        if keepsJournal { router.keepJournal(.of(kinds, origins)) }
        if let store {
            do throws(StoreError) {
                try router.keepStore(.of(kinds, origins), store(router.router.limits))
            } catch {
                Issue.record("\(error)")
            }
        }
        if let start { router.now = start }
        self.start = router.now
        publisher = router.connect(.publisher, "p")
    }

    /// A device with these widgets, on a session of its own.
    func device(_ name: String, _ widgets: [TestWidget]) -> ConnectionSlot {
        let slot = router.connect(.device, name)
        router.widgets(slot, name, widgets)
        _ = router.step()
        return slot
    }

    /// Time since the begin, in ms.
    var time: Int64 { router.now.monotonic.rawValue - start.monotonic.rawValue }
    /// The wall clock's time `milliseconds` after the begin.
    func date(_ milliseconds: Int64) -> Int64 { start.wall.rawValue + milliseconds }
    func after(_ milliseconds: Int64) -> String { #"{"after":\#(date(milliseconds))}"# }

    /// Ends the process and begins another one, to which the publisher connects again.
    ///
    /// - Parameter keepsAll: whether no push may be lost.
    /// - Throws: what recovery throws.
    func restart(keepsAll: Bool) throws(StoreError) {
        try router.restart()
        _ = router.open(publisher)
        router.hello(publisher, .publisher, "p")
        for case .welcome(_, let text) in router.take() {
            let lastSeq = text.split(separator: #""lastSeq":"#).last?.prefix { $0.isNumber } ?? ""
            if keepsAll { #expect(lastSeq == "\(seq)", "all pushes are acknowledged: \(text)") }
            seq = UInt64(lastSeq) ?? 0
        }
    }

    func push(_ payload: String, flags: UInt8 = 0, expiresAt: Int64? = nil) {
        seq += 1
        router.push(
            publisher,
            seq,
            payload,
            flags: flags,
            expiresAt: expiresAt.map { UInt64(date($0)) }
        )
    }

    func state(_ slot: ConnectionSlot, _ device: String, _ members: String) {
        router.device(slot, .state, #"{"device":"\#(device)",\#(members)}"#)
    }

    /// Lets the router work until it has nothing to do now.
    func settle() -> [TimedReload] {
        var sent: [TimedReload] = []
        repeat {
            for reload in router.reloads() {
                onReload?(reload)
                sent.append(TimedReload(at: time, reload: reload))
            }
        } while router.router.needsStep
        return sent
    }

    /// Lets time pass until so long after the begin, and wakes the router as often as it asks for.
    func run(until end: Int64) -> [TimedReload] {
        var sent = settle()
        while time < end {
            let left = end - time
            if !router.driver.advanceToWakeUp(
                before: router.now.wall + Milliseconds(rawValue: left)
            ) {
                router.advance(left)
            }
            sent += settle()
        }
        return sent
    }

    func decisions(_ device: String = "d") -> [TimedDecision] {
        let answers = router.router.decisions(ofDevice: device, app: "game") ?? []
        return answers.map { answer in
            TimedDecision(
                widget: answer.widget,
                reason: answer.decision.reason,
                cause: answer.decision.cause,
                at: answer.decision.at.rawValue - start.wall.rawValue,
                until: answer.decision.until.map { $0.rawValue - start.wall.rawValue }
            )
        }
    }

    func reasons(_ device: String = "d") -> [DecisionReason] { decisions(device).map(\.reason) }

    /// Reads `reloadAt` of the SCHEDULED frames that the step sends, by widget, from the begin on.
    func scheduled() -> [ScheduledAnswer] {
        router.step().compactMap { frame in
            if case .scheduled(_, _, let text) = frame { ScheduledAnswer(text, start) } else { nil }
        }
    }
}

/// A SCHEDULED frame as its device reads it.
struct ScheduledAnswer: Equatable {
    var device: String
    var widget: String
    var reloadAt: Int64
    var slotDelay: Int64
    var warning: String
    var isWarned: Bool { warning == "entries-close" }

    init(_ text: String, _ start: Instant) {
        func member(_ name: String) -> Substring {
            guard let range = text.firstRange(of: "\"\(name)\":") else { return "" }
            return text[range.upperBound...].prefix { $0 != "," && $0 != "}" }
        }
        device = member("device").filter { $0 != "\"" }
        widget = member("widget").filter { $0 != "\"" }
        reloadAt = (Int64(member("reloadAt")) ?? .min) - start.wall.rawValue
        slotDelay = Int64(member("slotDelay")) ?? .min
        warning = member("warning").filter { $0 != "\"" }
    }
}

extension AppCatalog {
    static func of(_ kinds: [KindDeclaration], _ origins: [OriginDeclaration] = []) -> AppCatalog {
        AppCatalog(apps: [AppDeclaration(app: "game", origins: origins, kinds: kinds)])
    }
}

extension KindDeclaration {
    /// A kind whose widgets wait for the pushes about their character.
    static func character(
        _ kind: String = "detail",
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> KindDeclaration {
        var policy = KindPolicy()
        change(&policy)
        return KindDeclaration(kind: kind, rule: .parameter("character"), policy: policy)
    }

    /// The same, of a kind that keeps no budget.
    static func unlimited(
        _ kind: String = "detail",
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> KindDeclaration {
        .character(kind) {
            $0.budget = .unlimited
            change(&$0)
        }
    }
}

extension BudgetPolicy {
    /// So many reloads a day whatever the user does, `spacing` ms apart.
    static func fixed(
        _ perDay: Int,
        spacing: Int64 = 0,
        urgentPercent: Int = 0
    ) -> BudgetPolicy {
        var policy = BudgetPolicy()
        (policy.seldom, policy.daily, policy.often) = (perDay, perDay, perDay)
        policy.learningDays = 0
        policy.learningPercent = 100
        policy.spacing = Milliseconds(rawValue: spacing)
        policy.urgentPercent = urgentPercent
        return policy
    }
}

/// Time in the units that tests speak of, in ms.
let second: Int64 = 1_000
let minute: Int64 = 60_000
let hour: Int64 = 3_600_000
let day: Int64 = 86_400_000
