import Basics
import TestSupport

@testable import RouterSimulation

/// A device with two widgets of the first kind and one of the second, before a checker.
struct Scene: ~Copyable {
    var checker: Checker
    var now: Milliseconds = 10_000_000
    private var seq: UInt64 = 0
    static var widgets: Range<UInt32> { 0..<3 }

    init(_ change: (inout KindPolicy) -> Void = { _ in }) {
        var policy = KindPolicy()
        policy.budget.learningDays = 0
        policy.usesLocation = true
        change(&policy)
        checker = Checker(policies: [policy, policy], topics: 4, devices: 1, widgets: 3)
        for widget in Self.widgets {
            checker.placed(widget, device: 0, kind: widget == 2 ? 1 : 0, topic: widget, at: now)
        }
    }

    mutating func push(_ topic: UInt32, validFor validity: Milliseconds? = nil) -> UInt32 {
        checker.beginPush()
        return checker.pushed(topic, expiresAt: validity.map { now + $0 }, at: now)
    }

    /// - Parameters:
    ///   - named: the widgets that the RELOAD names.
    ///   - cause: what it gives as its cause.
    ///   - kinds: a bit for each kind that it names; nil for the widgets' own.
    /// - Returns: the rule that it breaks, if any.
    mutating func reload(
        _ named: [UInt32],
        _ cause: ReloadCause = .push,
        kinds: UInt8? = nil
    ) -> String? {
        var reload = SimulatedReload()
        seq += 1
        reload.seq = seq
        reload.cause = cause
        reload.kinds = kinds ?? named.reduce(0) { $0 | ($1 == 2 ? 0b10 : 0b01) }
        reload.named = ContiguousArray(named)
        do throws(Violation) {
            _ = try checker.reloaded(reload, widgets: Self.widgets, at: now)
            return nil
        } catch {
            return error.rule
        }
    }

    mutating func timeline(_ widget: UInt32, due: Milliseconds?, isEnd: Bool = false) {
        checker.showed(widget, due: due, isEnd: isEnd, reload: UInt32(seq), at: now)
    }
}

/// The rule that is broken, if any.
func rule(_ body: () throws(Violation) -> Void) -> String? {
    do throws(Violation) {
        try body()
        return nil
    } catch {
        return error.rule
    }
}
