import Basics
import TestSupport
import WidgetMatching

extension MatcherHarness {
    /// What a push costs, all portions together, and what it finds.
    struct Bill {
        var enqueueWork = 0
        var probeCount = 0
        var spentWork = 0
        /// The most that one portion has cost.
        var largestPortion = 0
        var found: [WidgetID] = []
        /// The widgets that were left out.
        var leftOut = 0

        var total: Int { enqueueWork + spentWork }
    }

    /// Matches a push in portions of at most this work.
    mutating func bill(
        _ payload: String,
        work: Int = .max
    ) throws -> Bill {
        let batch = PushTexts([payload])
        return try batch.bytes.withByteView { view throws(PayloadError) in
            var bill = Bill()
            try enqueue(batch, in: view, app: 0)
            bill.enqueueWork = scanner.work + matcher.enqueueWork
            bill.probeCount = matcher.probeCount
            var isFinished = false
            while !isFinished {
                isFinished = matcher.matchQueued(work: work)
                bill.spentWork += matcher.spentWork
                bill.leftOut += matcher.leftOutCount
                bill.largestPortion = max(bill.largestPortion, matcher.spentWork)
                bill.found += (0..<matcher.matchCount).map {
                    matcher.match(at: $0).widget
                }
            }
            bill.found.sort()
            return bill
        }
    }
}
