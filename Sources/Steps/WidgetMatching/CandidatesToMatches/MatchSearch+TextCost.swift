internal import Basics
internal import EventPatterns

/// Estimating the cost of text tests before any of them is evaluated.
///
/// A wildcard or regular expression takes time proportional to the text, for each widget to which a
/// push leads; all other conditions read no more than what they compare. So a long text that many
/// different tests would read is limited; otherwise one sender, or one device, could occupy the
/// matcher for a second:
///
///     tests of the rules themselves     the push is refused when it is scanned, because the app
///                                       file has them (`PayloadScanner`)
///     patterns of widgets               widgets are left out, those first whose devices have most
///
/// Tests with the same operands count once, because their answers are cached (`TextAnswers`).
extension MatchSearch {
    /// The most widgets of one key that are sampled to estimate the cost of all.
    private static var sampleCount: Int { 128 }
    /// Widgets and groups sampled over all keys of a push; beyond that, only two of each further
    /// key.
    private static var samplesPerPush: Int { 4_096 }

    /// The text tests that a push would lead to, weighted.
    private struct Demand {
        /// Those of rules.
        var ofRules = 0
        /// The patterns, by the `loadClass` of their devices.
        var ofClasses = InlineArray<17, Int>(repeating: 0)
        /// How many more widgets and groups may be sampled.
        var samples = MatchSearch.samplesPerPush
    }

    /// The class of devices that have `load` patterns: each class has twice as many as the one
    /// before.
    private static func loadClass(_ load: Int) -> Int {
        min(16, Int.bitWidth - (load - 1).leadingZeroBitCount)
    }

    /// Decides which widgets' patterns may read the texts of the last push of the batch, which has
    /// a long text on which there are text tests: `length` bytes count.
    mutating func limitTexts(length: Int, in index: borrowing WidgetIndex) {
        assert(length > 0, "the push has no long text")
        let position = batch.pushes.count - 1
        let push = batch.pushes[position]
        var demand = Demand()
        seen.removeAll()
        for number in push.probes.first..<push.probes.end {
            let probe = probes[number]
            let place = number - push.probes.first
            if probe.form.isKey {
                addTests(of: probe, number: place, to: &demand, in: index)
            } else {
                addGroups(of: probe.space, number: place, to: &demand, in: index)
            }
        }
        batch.pushes[position].patterns.limit(to: demand.ofClasses, textByteCount: length)
        // A costly batch delays others; counting the work here makes the batch full earlier.
        var tests = demand.ofRules
        for number in demand.ofClasses.indices { tests += demand.ofClasses[number] }
        let most = RouterLimits.patternBytes * 2
        queuedTextWork += min(tests * length, most) * WorkCost.textByte
    }

    /// Adds the tests of the groups of a space: of some of them, from which those of all are
    /// estimated.
    private mutating func addGroups(
        of space: SpaceID,
        number: Int,
        to demand: inout Demand,
        in index: borrowing WidgetIndex
    ) {
        var found = InlineArray<17, Int>(repeating: 0)
        var patterns = 0
        var key = index.spaces.records[space].firstGroup
        var count = min(Self.sampleCount, max(2, demand.samples))
        demand.samples -= count
        while key != .none, count > 0 {
            count -= 1
            enqueueWork += WorkCost.condition
            let widget = index.keys.firstPosting(key).widget
            let rule = index.rule(of: index.widgets[widget])
            let node = index.groupNode(key)
            let tests = index.textTests(of: node, in: rule)
            if tests.ofRule > 0, addRule(node, of: rule, in: index) {
                demand.ofRules += tests.ofRule
            }
            patterns += tests.ofWidget
            found[Self.loadClass(index.patternLoad(of: widget))] += tests.ofWidget
            key = index.nextGroup(key)
        }
        if patterns == 0 { return }
        let all = Int(index.spaces.records[space].patternCount)
        for number in found.indices { demand.ofClasses[number] += found[number] * all / patterns }
    }

    /// Adds the tests of the widgets to which a probe leads.
    private mutating func addTests(
        of probe: Probe,
        number: Int,
        to demand: inout Demand,
        in index: borrowing WidgetIndex
    ) {
        var candidate = index.keys.index.candidate(probe.hash)
        while !candidate.isNone {
            if isWanted(KeyID(candidate), by: probe, in: index) {
                return addTests(under: KeyID(candidate), number: number, to: &demand, in: index)
            }
            candidate = index.keys.index.candidate(probe.hash, after: candidate)
        }
    }

    /// Adds the tests of the widgets under a key, without those known from an earlier key. Of many
    /// widgets an evenly spread sample is inspected.
    ///
    /// Among the widgets not inspected, the share of new patterns is assumed to be that of those
    /// that occur exactly once in the sample (Good 1953). Tests of rules are not estimated for
    /// them: rules are few, and a device must not make them seem to be many.
    private mutating func addTests(
        under key: KeyID,
        number: Int,
        to demand: inout Demand,
        in index: borrowing WidgetIndex
    ) {
        let all = index.keys.postingCount(key)
        let count = min(all, Self.sampleCount, max(2, demand.samples))
        demand.samples -= count
        // The class and the weight of what occurs once in the sample.
        var seenOnce = InlineArray<128, (of: Int, weight: Int)>(repeating: (of: 0, weight: 0))
        for sample in 0..<count {
            let posting = index.keys.posting(of: key, at: sample * all / count)
            enqueueWork += posting.needsCheck ? WorkCost.condition : WorkCost.posting
            let tests = index.textTests(of: posting)
            if tests.ofRule == 0 && tests.ofWidget == 0 { continue }
            let rule = index.rule(of: index.widgets[posting.widget])
            if tests.ofRule > 0, addRule(0, of: rule, in: index) { demand.ofRules += tests.ofRule }
            if tests.ofWidget == 0 { continue }
            let hash = index.textHash(of: 0, in: rule, areOfWidget: true)
            if let before = seen.find(hash, where: { _ in true }) {
                if before / Self.sampleCount == number {
                    seenOnce[before % Self.sampleCount].weight = 0
                }
            } else {
                seen.insert(hash, number: number * Self.sampleCount + sample)
                let loadClass = Self.loadClass(index.patternLoad(of: posting.widget))
                demand.ofClasses[loadClass] += tests.ofWidget
                seenOnce[sample] = (of: loadClass, weight: tests.ofWidget)
            }
        }
        if all == count { return }
        for sample in 0..<count where seenOnce[sample].weight > 0 {
            demand.ofClasses[seenOnce[sample].of] +=
                seenOnce[sample].weight * (all - count) / count
        }
    }

    /// Adds a rule's own tests, in a node and below it, to those seen.
    ///
    /// - Returns: whether they are new.
    private mutating func addRule(
        _ node: Int,
        of rule: WidgetRule,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let hash = index.textHash(of: node, in: rule, areOfWidget: false)
        if seen.find(hash, where: { _ in true }) != nil { return false }
        seen.insert(hash, number: Int(UInt32.max))
        return true
    }
}

extension PatternAllowance {
    /// Limits the patterns that read a long text.
    ///
    /// - Parameters:
    ///   - demand: the weighted patterns that would read it, by the class of their devices: those
    ///     of class 0 have one, those of class `n` more than half of 2 to the power of `n`, and at
    ///     most that.
    ///   - length: the bytes of the text that count.
    fileprivate mutating func limit(to demand: InlineArray<17, Int>, textByteCount length: Int) {
        let ofDevice = max(RouterLimits.freePatterns, RouterLimits.devicePatternBytes / length)
        most = min(most, UInt16(clamping: ofDevice))
        var left = RouterLimits.patternBytes / length
        for number in demand.indices {
            left -= demand[number]
            if left >= 0 { continue }
            let classMost = UInt16(clamping: 1 << number)
            spareMost = min(most, classMost)
            most = min(most, number == 0 ? 0 : classMost / 2)
            spare = Int32(clamping: left + demand[number])
            return
        }
    }
}
