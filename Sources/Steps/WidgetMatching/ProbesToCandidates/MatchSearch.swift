internal import Basics
internal import EventPatterns

/// The queued pushes of a batch, and the state of finding the widgets that they match.
///
///     enqueue         probes ─► those whose key may be stored        as each push arrives
///     matchQueued     probes ─► keys ─► postings ─► matches          for all of them, in portions
///
/// It borrows the index from its caller. All functions are mutating or inlined, because a call of a
/// non-mutating one on a boxed value copies the whole search (`Boxed`).
struct MatchSearch: ~Copyable {
    /// The estimated cost of the text tests of a batch, in units of `WorkCost`, from which on the
    /// batch is full.
    static var batchTextLimit: Int { 500_000 }
    /// Probes from which the batch is full, however few the pushes.
    private static var batchProbeLimit: Int { 1 << 13 }

    /// The queued pushes.
    var batch = PushBatch()
    /// The probes of all pushes of the batch, in their order.
    var probes = GrowingBuffer<Probe>(capacity: 512)
    /// The fields of combined keys; see `Probe.word`.
    var combinedFields = GrowingBuffer<UInt32>(capacity: 512)
    /// Finds the parts of strings with which keys are compared.
    var parts = KeyParts()
    /// Working memory for finding tests that several widgets have.
    var seen = SeenTable()
    /// How far the batch has been matched.
    var cursor = MatchCursor()
    /// The work budget of the current portion, and the state of a rule's evaluation.
    var meter = ConditionMeter()
    /// Results of regular expressions, and of wildcards on long texts, of the batch.
    var textAnswers = TextAnswers()
    /// How the evaluation treats patterns; see `MatchSearch+Patterns`.
    var patternReading = PatternReading()
    /// The widgets that were left out of the pushes of the last `matchQueued`, once for each push.
    var leftOutCount = 0
    /// Working memory of regular expressions, and the state of one that was interrupted.
    var regexScratch = RegexScratch()
    /// The cost of the last `matchQueued`, in units of `WorkCost`.
    private(set) var spentWork = 0
    /// Estimated cost of the text tests of the queued pushes, in units of `WorkCost`.
    var queuedTextWork = 0
    /// The cost of the last `enqueue`, in units of `WorkCost`.
    var enqueueWork = 0
    /// The number of the last push that was queued, from 1.
    private var pushNumber: UInt64 = 0
    /// The matches of the last `matchQueued`.
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)
    /// Counts the keys by which pushes find widgets.
    var keySampler = KeySampler()

    /// A search without queued pushes.
    init() {}

    /// Whether `matchQueued` should be called before another push is queued.
    @inline(__always)
    var isBatchFull: Bool {
        batch.count >= WidgetMatcher.batchLimit || batch.probeCount >= Self.batchProbeLimit
            || queuedTextWork >= Self.batchTextLimit
    }

    /// Bytes allocated for pushes, probes, texts and matches, used or not.
    @inline(__always)
    var byteCount: Int {
        batch.byteCount + probes.byteCount + combinedFields.byteCount + matches.byteCount
            + parts.byteCount + seen.byteCount + textAnswers.byteCount + regexScratch.byteCount
    }

    // MARK: - Queueing

    /// Adds a scanned push to the batch; see `WidgetMatcher.enqueue`.
    ///
    /// Most probes look for keys that no widget has. They end here, at the filter of the keys, and
    /// a push that has no others, and no text whose patterns are to be weighed, leaves nothing else
    /// in the batch.
    @inline(__always)
    mutating func enqueue(_ push: ScannedPush, tag: UInt32, in index: borrowing WidgetIndex) {
        precondition(!cursor.isActive, "the last batch is not finished")
        precondition(
            push.revision == index.vocabulary.scanned.revision,
            "the push was scanned with another vocabulary"
        )
        pushNumber &+= 1
        enqueueWork = 0
        batch.count &+= 1
        var number = 0
        while number < push.probes.count, !mayFind(push.probes[number], in: index) { number &+= 1 }
        if number == push.probes.count && push.kinds == nil && push.longTextByteCount == 0 {
            batch.probeCount &+= number
            return
        }
        add(push, tag: tag, from: number, in: index)
    }

    /// Whether a probe may find something.
    @inline(__always)
    private func mayFind(_ probe: ScannedProbe, in index: borrowing WidgetIndex) -> Bool {
        !probe.form.isKey || index.keys.filter.mayHave(probe.hash)
    }

    /// Adds a push to the batch whose probes before `start` find nothing.
    @inline(never)
    private mutating func add(
        _ push: ScannedPush,
        tag: UInt32,
        from start: Int,
        in index: borrowing WidgetIndex
    ) {
        let first = probes.count
        if start < push.probes.count { add(push.probes[start], of: push, in: index) }
        var number = start + 1
        while number < push.probes.count {
            let probe = push.probes[number]
            if mayFind(probe, in: index) { add(probe, of: push, in: index) }
            number += 1
        }
        let firstKind = batch.kinds.count
        // Not `push.kinds != nil`, which Swift 6.3.1 makes true here of a nil whose unused bits are
        // not zero.
        var isNarrowed = false
        if let kinds = push.kinds {
            narrow(to: kinds, of: push, in: index)
            isNarrowed = true
        }
        let count = push.probes.count + batch.kinds.count - firstKind
        batch.probeCount += count
        if probes.count == first && push.longTextByteCount == 0 {
            batch.kinds.truncate(to: firstKind)
            return
        }
        addPush(push, tag: tag, isNarrowed: isNarrowed, firstProbe: first, firstKind: firstKind)
        if push.longTextByteCount == 0 { return }
        enqueueWork += count * WorkCost.probe
        limitTexts(length: push.longTextByteCount, in: index)
    }

    /// Adds a probe, and prefetches its slot in the key table.
    @inline(__always)
    private mutating func add(
        _ probe: ScannedProbe,
        of push: ScannedPush,
        in index: borrowing WidgetIndex
    ) {
        if probe.form.isKey { index.keys.index.prefetch(probe.hash) }
        let isCombined = probe.form == .equal
        probes.append(
            Probe(
                hash: probe.hash,
                word: isCombined ? probe.word &+ UInt64(combinedFields.count) : probe.word,
                field: probe.field &+ UInt32(truncatingIfNeeded: batch.fields.count),
                space: probe.space,
                form: probe.form,
                pushHasLists: push.hasLists
            )
        )
    }

    /// Adds the kinds to which the push is narrowed, and the probes of their keys.
    @inline(never)
    private mutating func narrow(
        to names: KindNames,
        of push: ScannedPush,
        in index: borrowing WidgetIndex
    ) {
        let first = batch.kinds.count
        batch.add(names, of: push.app, known: index.vocabulary.scanned)
        for kind in first..<batch.kinds.count {
            let word = UInt64(batch.kinds[kind].rawValue)
            let hash = index.spaces.hash(index.namedSpace, word: word)
            if !index.keys.filter.mayHave(hash) { continue }
            let probe = ScannedProbe(hash: hash, word: word, space: index.namedSpace, form: .named)
            add(probe, of: push, in: index)
        }
    }

    /// Adds a push whose probes from `firstProbe` and kinds from `firstKind` on are in the batch.
    @inline(__always)
    private mutating func addPush(
        _ push: ScannedPush,
        tag: UInt32,
        isNarrowed: Bool,
        firstProbe: Int,
        firstKind: Int
    ) {
        let firstField = batch.fields.count
        let firstContext = batch.contexts.count
        batch.add(push)
        for number in 0..<push.combinedFields.count {
            combinedFields.append(
                push.combinedFields[number] &+ UInt32(truncatingIfNeeded: firstField)
            )
        }
        batch.pushes.append(
            PushBatch.Push(
                number: pushNumber,
                tag: tag,
                fields: PushBatch.Bounds(from: firstField, to: batch.fields.count),
                contexts: PushBatch.Bounds(from: firstContext, to: batch.contexts.count),
                kinds: PushBatch.Bounds(from: firstKind, to: batch.kinds.count),
                probes: PushBatch.Bounds(from: firstProbe, to: probes.count),
                isNarrowed: isNarrowed,
                hasLists: push.hasLists
            )
        )
    }

    // MARK: - Matching

    /// The index of the first push that is not matched completely; 0 while keys are looked up.
    @inline(__always)
    private var firstUnmatched: Int { cursor.isLookedUp ? cursor.push : 0 }

    /// Finds the widgets that the queued pushes match; see `WidgetMatcher.matchQueued`.
    mutating func matchQueued(work: Int, limit: Int, in index: borrowing WidgetIndex) -> Bool {
        matches.truncate(to: 0)
        leftOutCount = 0
        meter.begin(work)
        if !cursor.isActive {
            cursor = MatchCursor(isActive: true)
            cursor.stopped = batch.probeCount - probes.count
        }
        let isFinished = lookUp(in: index) && reportAll(limit: limit, in: index)
        spentWork = work - meter.left
        if isFinished {
            emptyBatch()
        } else {
            detachFromPayloads()
        }
        return isFinished
    }

    /// Discards a batch that is not finished.
    mutating func abandonBatch() {
        emptyBatch()
        meter.abandon()
        regexScratch.abandon()
        patternReading = PatternReading()
    }

    /// Removes all pushes and their probes; the matches remain.
    private mutating func emptyBatch() {
        textAnswers.removeAll()
        queuedTextWork = 0
        cursor = MatchCursor()
        batch.removeAll()
        probes.truncate(to: 0)
        combinedFields.truncate(to: 0)
    }

    /// Copies the values of pushes that are not matched completely, unless that has been done, so
    /// that the payloads are no longer needed.
    private mutating func detachFromPayloads() {
        if cursor.isDetached || batch.pushes.count == 0 { return }
        batch.copyValues(from: batch.pushes[firstUnmatched].fields.first)
        textAnswers.removeAll()
        cursor.isDetached = true
    }
}

/// The position up to which `MatchSearch` has matched the batch, so that the next portion can
/// resume.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been started and is not finished.
    var isActive = false
    /// Whether all keys have been looked up. Until then `push` and `probe` are positions of the
    /// look-up, afterwards of reporting.
    var isLookedUp = false
    /// Index of the current push in the batch.
    var push = 0
    /// Index of the current probe among those of the batch.
    var probe = 0
    /// During the look-up: how many of the probes that the filter has stopped are still to be
    /// charged, like others that find no key.
    var stopped = 0
    /// During the look-up: how many probes have been kept so far; the others find no key.
    var kept = 0
    /// During the look-up: how many probes of the pushes before the current one have been kept.
    var keptBefore = 0
    /// The next group of the current probe; `none` before the first.
    var group = KeyID.none
    /// Whether that group's condition is known to hold.
    var isGroupHeld = false
    /// Position of the next posting in the list of the current key.
    var posting = 0
    /// Whether an earlier portion has found widgets by the current key, so that the push is counted
    /// for this key already.
    var isKeyCounted = false
    /// Whether the bytes of the fields have been copied, so that the payloads are no longer needed.
    var isDetached = false
}

extension MatchSearch {
    /// Asserts that the ranges of the queued pushes together cover all fields, objects, kinds and
    /// probes of the batch, and that the cursor is within the batch.
    func checkInvariants() {
        checkPushes()
        assert(cursor.push <= batch.pushes.count, "the cursor is after the last push")
        assert(cursor.probe <= probes.count, "the cursor is after the last probe")
        assert(cursor.kept <= cursor.probe || cursor.isLookedUp, "more probes kept than looked up")
        assert(cursor.isActive || !cursor.isLookedUp, "a batch is looked up that is not started")
        assert(cursor.isActive || !meter.isResuming, "a rule is interrupted after the last batch")
        assert(batch.count >= batch.pushes.count, "fewer pushes are queued than may match")
        assert(cursor.isActive || batch.probeCount >= probes.count, "a probe is not counted")
        if !cursor.isActive && batch.pushes.count == 0 {
            assert(probes.count == 0 && combinedFields.count == 0, "probes of no push")
        }
        seen.checkInvariants()
    }

    /// Asserts that the ranges of the pushes follow each other.
    private func checkPushes() {
        var end = (field: 0, context: 0, kind: 0, probe: 0)
        for number in 0..<batch.pushes.count {
            let push = batch.pushes[number]
            assert(push.fields.first == end.field, "fields between two pushes")
            assert(push.contexts.first == end.context, "objects between two pushes")
            assert(push.kinds.first == end.kind, "kinds between two pushes")
            if !cursor.isActive { assert(push.probes.first == end.probe, "probes between pushes") }
            for context in push.contexts.first..<push.contexts.end {
                let object = batch.contexts[context]
                let number = context - push.contexts.first + 1
                assert(object.parent.count < number, "object \(number) is within a later one")
                assert(object.last.count >= number, "object \(number) ends before it begins")
                assert(object.last.count <= push.contexts.count, "object \(number) has no end")
            }
            end.field = push.fields.end
            end.context = push.contexts.end
            end.kind = push.kinds.end
            end.probe = push.probes.end
        }
        assert(end.field == batch.fields.count, "fields after the last push")
        assert(end.context == batch.contexts.count, "objects after the last push")
        assert(end.kind == batch.kinds.count, "kinds after the last push")
        assert(cursor.isActive || end.probe == probes.count, "probes after the last push")
    }
}
