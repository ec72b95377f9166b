internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// What conditions cost that read a text as a whole, before any of them is evaluated.
///
/// A wildcard or regular expression takes time in proportion to the text, for each widget that a push
/// leads to; all other conditions read no more than what they compare it with. So a long text that
/// many widgets ask for in this way is refused, rather than matched at the expense of its sender for
/// a second. Widgets with the same wildcard count once: its answer is kept (`TextAnswers`).
extension MatchSearch {
    /// How many of a key's widgets are looked at to know what all of them cost.
    private static var sampleCount: Int { 128 }
    /// How many of all keys' widgets; when as many have been, two of each further key.
    private static var samplesPerPush: Int { 4_096 }

    /// Refuses a push whose texts would cost too much.
    ///
    /// - Parameters:
    ///   - push: the one that was read; it has a long text where a condition reads it.
    ///   - first: its first probe; the others are the last ones.
    ///   - index: what is searched.
    /// - Throws: `textCost`, if they would.
    mutating func checkTexts(
        _ push: PushBatch.Push,
        _ first: Int,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        let most = RouterLimits.patternBytes / reader.traits.longTextByteCount
        var tests = 0
        var samples = Self.samplesPerPush
        enqueueWork += (probes.count - first) * WorkCost.probe
        seen.removeAll()
        for number in first..<probes.count {
            let probe = probes[number]
            if probe.isKey {
                tests += textTests(of: probe, push, number - first, &samples, in: index)
            } else {
                tests += Int(index.spaces[probe.space].textTestCount)
            }
            if tests > most { throw .textCost }
        }
        // Others wait until the batch has been searched: it had better be short.
        queuedTextWork += tests * reader.traits.longTextByteCount * WorkCost.textByte
    }

    /// The conditions that read whole texts, of the widgets that a probe leads to.
    private mutating func textTests(
        of probe: Probe,
        _ push: PushBatch.Push,
        _ number: Int,
        _ samples: inout Int,
        in index: borrowing WidgetIndex
    ) -> Int {
        var candidate = index.keys.index.candidate(probe.hash)
        while !candidate.isNone {
            if isWanted(candidate.number, probe, push, in: index) {
                return textTests(under: candidate.number, number, &samples, in: index)
            }
            candidate = index.keys.index.candidate(probe.hash, after: candidate)
        }
        return 0
    }

    /// Those of the widgets under a key that are not known from this or an earlier one; of many
    /// widgets some are asked, evenly spread.
    ///
    /// Of the others as large a part is taken to be new as was met only once among those that were
    /// asked (Good 1953).
    private mutating func textTests(
        under key: KeyID,
        _ number: Int,
        _ samples: inout Int,
        in index: borrowing WidgetIndex
    ) -> Int {
        let single = index.keys.single(key)
        let list = single == nil ? index.keys.list(key) : PostingList()
        let all = single == nil ? list.count : 1
        let count = min(all, Self.sampleCount, max(2, samples))
        samples -= count
        var isMetAgain = InlineArray<128, Bool>(repeating: false)
        var tests = 0
        var testsMetOnce = 0
        for sample in 0..<count {
            let posting = single ?? index.keys.postings.run(list, from: sample * all / count)[0]
            enqueueWork += posting.needsCheck ? WorkCost.condition : WorkCost.posting
            let own = index.textTests(of: posting)
            if own == 0 { continue }
            let hash = index.textHash(of: posting)
            if let before = seen.find(hash, { _ in true }) {
                if before / Self.sampleCount != number { continue }
                if !isMetAgain[before % Self.sampleCount] { testsMetOnce -= own }
                isMetAgain[before % Self.sampleCount] = true
            } else {
                seen.insert(hash, number * Self.sampleCount + sample)
                tests += own
                testsMetOnce += own
            }
        }
        return tests + testsMetOnce * (all - count) / count
    }
}
