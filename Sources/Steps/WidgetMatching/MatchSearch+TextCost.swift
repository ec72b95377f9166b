internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Estimating the cost of text tests before any of them is evaluated.
///
/// A wildcard or regular expression takes time proportional to the text, for each widget to which a
/// push leads; all other conditions read no more than what they compare. So a long text on which
/// many widgets have text tests is refused; otherwise one sender could occupy the matcher for a
/// second. Widgets with the same wildcard count once, because its answer is cached (`TextAnswers`).
extension MatchSearch {
    /// The most widgets of one key that are sampled to estimate the cost of all.
    private static var sampleCount: Int { 128 }
    /// Widgets sampled over all keys of a push; beyond that, only two of each further key.
    private static var samplesPerPush: Int { 4_096 }

    /// Refuses a push whose text tests would cost too much.
    ///
    /// - Parameters:
    ///   - push: the push that was read; it has a long text on which there are text tests.
    ///   - first: its first probe; all later probes are its own.
    ///   - index: the index that is searched.
    /// - Throws: `textCost` if the estimate exceeds `RouterLimits.patternBytes`.
    mutating func checkTexts(
        of push: PushBatch.Push,
        from first: Int,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        assert(reader.traits.longTextByteCount > 0, "the push has no long text")
        let most = RouterLimits.patternBytes / reader.traits.longTextByteCount
        var tests = 0
        var samples = Self.samplesPerPush
        enqueueWork += (probes.count - first) * WorkCost.probe
        seen.removeAll()
        for number in first..<probes.count {
            let probe = probes[number]
            if probe.isKey {
                tests += textTests(
                    of: probe,
                    for: push,
                    number: number - first,
                    samples: &samples,
                    in: index
                )
            } else {
                tests += Int(index.spaces[probe.space].textTestCount)
            }
            if tests > most { throw .textCost }
        }
        // A costly batch delays others; counting the work here makes the batch full earlier.
        queuedTextWork += tests * reader.traits.longTextByteCount * WorkCost.textByte
    }

    /// The estimated text tests of the widgets to which a probe leads, weighted.
    private mutating func textTests(
        of probe: Probe,
        for push: PushBatch.Push,
        number: Int,
        samples: inout Int,
        in index: borrowing WidgetIndex
    ) -> Int {
        var candidate = index.keys.index.candidate(probe.hash)
        while !candidate.isNone {
            if isWanted(KeyID(candidate), by: probe, for: push, in: index) {
                return textTests(
                    under: KeyID(candidate),
                    number: number,
                    samples: &samples,
                    in: index
                )
            }
            candidate = index.keys.index.candidate(probe.hash, after: candidate)
        }
        return 0
    }

    /// The estimated text tests of the widgets under a key, without those known from an earlier
    /// key. Of many widgets an evenly spread sample is inspected.
    ///
    /// Among the widgets not inspected, the share of new tests is assumed to be that of those
    /// that occur exactly once in the sample (Good 1953).
    private mutating func textTests(
        under key: KeyID,
        number: Int,
        samples: inout Int,
        in index: borrowing WidgetIndex
    ) -> Int {
        let single = index.keys.single(key)
        let list = single == nil ? index.keys.list(key) : PostingList()
        let all = single == nil ? list.count : 1
        let count = min(all, Self.sampleCount, max(2, samples))
        samples -= count
        var isSeenAgain = InlineArray<128, Bool>(repeating: false)
        var tests = 0
        var testsSeenOnce = 0
        for sample in 0..<count {
            let posting = single ?? index.keys.postings.run(list, from: sample * all / count)[0]
            enqueueWork += posting.needsCheck ? WorkCost.condition : WorkCost.posting
            let own = index.textTests(of: posting)
            if own == 0 { continue }
            let hash = index.textHash(of: posting)
            if let before = seen.find(hash, where: { _ in true }) {
                if before / Self.sampleCount != number { continue }
                if !isSeenAgain[before % Self.sampleCount] { testsSeenOnce -= own }
                isSeenAgain[before % Self.sampleCount] = true
            } else {
                seen.insert(hash, number: number * Self.sampleCount + sample)
                tests += own
                testsSeenOnce += own
            }
        }
        return tests + testsSeenOnce * (all - count) / count
    }
}
