internal import Basics
internal import ReloadScheduling
internal import WidgetMatching

/// What becomes of the pushes of publishers that ask for it, until OUTCOME says so.
///
///     match applied ─► decision ──────────────────────────────────► counted ─► OUTCOME, ACK
///                 └──► none yet: ready or queued ─► end of the step ──┘
///
/// It follows from the state and changes nothing in it. Without a publisher that asks it is empty,
/// and costs a comparison for each batch of pushes.
struct OutcomeLog {
    /// The batch whose matches are being applied; nil if its publisher does not ask.
    var current: OutcomeBatch?
    /// The last decision made while `current` is set; nil if `takeLast` has returned it.
    var last: Decision?
    /// The batches that are not reported yet: those of this tick, whose number the work of a tick
    /// limits, and those of fan-outs, of which a producer has one at most.
    var batches: ContiguousArray<OutcomeBatch> = []
    /// The widget at which an app's next search for a nearest widget begins.
    var nearestStarts: [AppID: WidgetID] = [:]

    /// Removes and returns the last decision.
    mutating func takeLast() -> Decision? {
        defer { last = nil }
        return last
    }

    /// Reports a match of a widget that was removed before the match could be applied.
    func reportRemoved(_ match: WidgetMatch) {
        current?.add(match.widget, tag: match.tag, outcome: (.removed, nil), named: nil)
    }

    /// The batch of a producer's fan-out; nil if there is none, or its publisher does not ask.
    func fanOut(of source: PushSource) -> OutcomeBatch? {
        guard !batches.isEmpty, let producer = source.producer else { return nil }
        return batches.first { $0.producer == producer && !$0.isDue }
    }

    /// Removes a batch that is not to be reported, because its connection is closed.
    mutating func drop(_ batch: OutcomeBatch) {
        batches.removeAll { $0 === batch }
    }
}
