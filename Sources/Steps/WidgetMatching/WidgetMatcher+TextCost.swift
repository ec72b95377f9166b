internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// What conditions cost that read a text as a whole, before any of them is evaluated.
///
/// A wildcard or regular expression takes time in proportion to the text, for each widget that a push
/// leads to; all other conditions read no more than what they compare it with. So a long text that
/// many widgets ask for in this way is refused, rather than matched at the expense of its sender for
/// a second. Widgets with the same wildcard count once: its answer is kept (`TextAnswers`).
extension WidgetMatcher {
    /// How many of a key's widgets are looked at to know what all of them cost.
    private static var sampleCount: Int { 128 }
    /// How many of all keys' widgets; when as many have been, two of each further key.
    private static var samplesPerPush: Int { 4_096 }
    /// A regular expression costs as much as so many wildcards, if few ways through it are open.
    private static var regexpWeight: Int { 4 }

    /// Refuses a push whose texts would cost too much.
    ///
    /// - Parameters:
    ///   - push: the one that was read; it has a long text where a condition reads it.
    ///   - first: its first probe; the others are the last ones.
    /// - Throws: `textCost`, if they would.
    mutating func checkTexts(_ push: PayloadReader.Push, _ first: Int) throws(PayloadError) {
        let most = RouterLimits.patternBytes / reader.longTextByteCount
        var tests = 0
        var samples = Self.samplesPerPush
        enqueueWork += (probes.count - first) * WorkCost.probe
        reader.seen.removeAll()
        for number in first..<probes.count {
            let probe = probes[number]
            if probe.isKey {
                tests += textTests(of: probe, push, number - first, &samples)
            } else {
                tests += Int(spaces[probe.space].textTestCount)
            }
            if tests > most { throw .textCost }
        }
        // Others wait until the batch has been searched: it had better be short.
        queuedTextWork += tests * reader.longTextByteCount * WorkCost.textByte
    }

    /// The conditions that read whole texts, of the widgets that a probe leads to.
    private mutating func textTests(
        of probe: Probe,
        _ push: PayloadReader.Push,
        _ number: Int,
        _ samples: inout Int
    ) -> Int {
        var candidate = keys.index.candidate(probe.hash)
        while !candidate.isNone {
            if isWanted(candidate.number, probe, push) {
                return textTests(under: candidate.number, number, &samples)
            }
            candidate = keys.index.candidate(probe.hash, after: candidate)
        }
        return 0
    }

    /// Those of the widgets under a key that are not known from this or an earlier one; of many
    /// widgets some are asked, evenly spread.
    ///
    /// Of the others as large a part is taken to be new as was met only once among those that were
    /// asked (Good 1953).
    private mutating func textTests(under key: KeyID, _ number: Int, _ samples: inout Int) -> Int {
        let single = keys.single(key)
        let list = single == nil ? keys.list(key) : PostingList()
        let all = single == nil ? list.count : 1
        let count = min(all, Self.sampleCount, max(2, samples))
        samples -= count
        var isMetAgain = InlineArray<128, Bool>(repeating: false)
        var tests = 0
        var testsMetOnce = 0
        for sample in 0..<count {
            let posting = single ?? keys.postings.run(list, from: sample * all / count)[0]
            enqueueWork += posting.needsCheck ? WorkCost.condition : WorkCost.posting
            let own = textTests(of: posting)
            if own == 0 { continue }
            let hash = textHash(of: posting)
            if let before = reader.seen.find(hash, { _ in true }) {
                if before / Self.sampleCount != number { continue }
                if !isMetAgain[before % Self.sampleCount] { testsMetOnce -= own }
                isMetAgain[before % Self.sampleCount] = true
            } else {
                reader.seen.insert(hash, number * Self.sampleCount + sample)
                tests += own
                testsMetOnce += own
            }
        }
        return tests + testsMetOnce * (all - count) / count
    }

    private func textTests(of posting: Posting) -> Int {
        if !posting.needsCheck { return 0 }
        let record = widgets[posting.widget]
        if shapes[record.shape].use != .rule { return 0 }
        return textTests(of: 0, rule(of: record))
    }

    /// The same for widgets whose conditions that read whole texts are the same.
    ///
    /// Made of numbers that the matcher has given to values.
    private func textHash(of posting: Posting) -> UInt64 {
        let rule = rule(of: widgets[posting.widget])
        var hash = UInt64(rule.shape)
        for index in 0..<rule.program.end(0) where rule.program[index].readsWholeText {
            let node = rule.program[index]
            for position in 0..<operandCount(node, rule) {
                hash = spaces.hash(hash, UInt64(operand(node, rule, position)))
            }
        }
        return hash
    }

    /// Those of a rule, from a node on.
    func textTests(of node: Int, _ rule: WidgetRule) -> Int {
        var count = 0
        for index in node..<rule.program.end(node) where rule.program[index].readsWholeText {
            let weight = rule.program[index].isRegexp ? Self.regexpWeight : 1
            count += operandCount(rule.program[index], rule) * weight
        }
        return count
    }

    /// Lets the vocabulary know of the conditions of a shape that read whole texts.
    mutating func countTextTests(of shape: ShapeID, _ change: Int) {
        let program = shapes.program(shape)
        for index in 0..<program.count where program[index].readsWholeText {
            reader.vocabulary.countTextTests(program[index].attribute, change)
        }
    }
}

extension PatternNode {
    /// Whether it is a condition whose cost grows with the text that it is asked for.
    var readsWholeText: Bool {
        form == .text
            && (detail == TextOperator.wildcard.number || detail == TextOperator.regexp.number)
    }
}
