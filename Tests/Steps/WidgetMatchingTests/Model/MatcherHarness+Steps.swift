import Basics
import TestSupport
import WidgetMatching

extension MatcherHarness {
    /// What the pushes of one batch find when they are matched in steps.
    ///
    /// After the first step that leaves some of the batch, the payloads are overwritten.
    ///
    /// - Parameters:
    ///   - payloads: the batch.
    ///   - app: whose pushes they are.
    ///   - work: what the next step may cost.
    ///   - limit: how many widgets it may find.
    /// - Throws: why a payload is refused.
    /// - Returns: what all steps found, and how much each.
    mutating func steppedMatches(
        _ payloads: [String],
        app: AppID = Self.app,
        work: () -> Int = { .max },
        limit: () -> Int = { .max }
    ) throws -> (matches: [WidgetMatch], steps: [Int]) {
        let batch = PushTexts(payloads)
        var bytes = batch.bytes
        return try bytes.withUnsafeMutableBytes { memory in
            let view = ByteView(base: UnsafeRawPointer(memory.baseAddress!), count: memory.count)
            try enqueue(batch, in: view, app: app)
            var found: [WidgetMatch] = []
            var steps: [Int] = []
            while true {
                let isFinished = matcher.matchQueued(work: work(), limit: limit())
                found += (0..<matcher.matchCount).map { matcher.match(at: $0) }
                steps.append(matcher.matchCount)
                if isFinished { return (found, steps) }
                memory.withMemoryRebound(to: UInt8.self) { $0.update(repeating: 0xff) }
            }
        }
    }
}
