package import Basics
package import FrameCodec

/// What became of the pushes of one request, summed up over its lines.
package struct PushesOutcome: AnswerObject, Equatable, Sendable {
    /// The counts of all lines, and the widgets of the first lines that match any.
    private var sum = OutcomeMessage()
    /// Lines that match no widget.
    private var missed = 0
    /// Lines whose pushes came before.
    package private(set) var duplicates = 0

    /// Makes the outcome of no pushes.
    package init() {}

    /// Adds what became of one push.
    package mutating func add(_ outcome: OutcomeMessage) {
        if outcome.isDuplicate {
            duplicates += 1
            return
        }
        for count in outcome.counts {
            if let index = sum.counts.firstIndex(where: { $0.outcome == count.outcome }) {
                sum.counts[index].widgets += count.widgets
            } else {
                sum.counts.append(count)
            }
        }
        let room = RouterLimits.outcomeWidgets - sum.widgets.count
        sum.widgets += outcome.widgets.prefix(room)
        guard let registered = outcome.registered else { return }
        missed += 1
        sum.registered = registered
        sum.nearest = sum.nearest ?? outcome.nearest
    }

    /// Writes the members of the body's `outcome`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("missed", value: missed)
        json.member("duplicates", value: duplicates)
        sum.writeDetails(to: &json)
    }
}
