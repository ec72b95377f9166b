internal import Basics
internal import EventPatterns

/// The queued pushes of a batch, and the state of finding the widgets that they match.
///
///     enqueue         payload ─► fields ─► probes                    as each push arrives
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

    /// Scans payloads, and checks that they are strict JSON.
    var scanner: JSONScanner
    /// Collects the values of scanned payloads, and holds the queued pushes.
    var reader: PayloadReader
    /// The probes of all queued pushes, in their order.
    var probes = GrowingBuffer<Probe>(capacity: 512)
    /// The fields of combined keys; see `Probe.word`.
    var combinedFields = GrowingBuffer<UInt32>(capacity: 512)
    /// Memory for the case-folded part of a string of which a key is made.
    var folded = GrowingBuffer<UInt8>(capacity: 1_024)
    /// Working memory for finding repeats in the push that is queued.
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
    /// The cost of the last `enqueue`, in units of `WorkCost`, even if it refused the push.
    var enqueueWork = 0
    /// The matches of the last `matchQueued`.
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)
    /// Counts the keys by which pushes find widgets.
    var keySampler = KeySampler()

    /// Creates a search without queued pushes, which hashes values the same way as the index does.
    /// Unsafe, because its reader keeps an address in the index, which must outlive the search.
    @unsafe
    init(of index: borrowing WidgetIndex, hashKey: HashKey, product: ProductHash) {
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
        unsafe reader = PayloadReader(for: index, product: product)
    }

    /// Whether `matchQueued` should be called before another push is queued.
    @inline(__always)
    var isBatchFull: Bool {
        reader.batch.pushes.count >= WidgetMatcher.batchLimit
            || probes.count >= Self.batchProbeLimit
            || queuedTextWork >= Self.batchTextLimit
    }

    /// Bytes allocated for payloads, probes, texts and matches, used or not; without those of the
    /// scanner.
    @inline(__always)
    var byteCount: Int {
        reader.byteCount + probes.byteCount + combinedFields.byteCount + matches.byteCount
            + folded.byteCount + seen.byteCount + textAnswers.byteCount + regexScratch.byteCount
    }

    // MARK: - Queueing

    /// Scans a payload and adds it to the batch; see `WidgetMatcher.enqueue`.
    mutating func enqueue(
        app: AppID,
        payload: ByteView,
        kinds: KindNames?,
        tag: UInt32,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        precondition(!cursor.isActive, "the last batch is not finished")
        reader.begin(app: app, payload: payload, kinds: kinds)
        enqueueWork = payload.count * WorkCost.scannedByte
        if let kinds { enqueueWork += kinds.bytes.count * WorkCost.look }
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try scanner.scan(payload, into: &reader)
        } catch {
            reader.abandon()
            throw .json(error)
        }
        let first = probes.count
        let firstCombined = combinedFields.count
        do throws(PayloadError) {
            try addPush(tag, in: index)
        } catch {
            probes.truncate(to: first)
            combinedFields.truncate(to: firstCombined)
            reader.abandon()
            throw error
        }
    }

    /// Adds the payload that was scanned to the batch, with its probes.
    ///
    /// - Throws: why the push is refused.
    @inline(__always)
    private mutating func addPush(
        _ tag: UInt32,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        defer { enqueueWork += reader.traits.readCount * WorkCost.field }
        var push = try reader.finish(tag: tag, using: &seen)
        let first = probes.count
        let left = addProbes(push, in: index)
        enqueueWork += (WidgetMatcher.probeLimit - (left ?? 0)) * WorkCost.look
        if left == nil { throw .tooManyProbes }
        if reader.traits.longTextByteCount > 0 { try limitTexts(of: &push, from: first, in: index) }
        push.probes = PushBatch.Bounds(from: first, to: probes.count)
        reader.batch.pushes.append(push)
    }

    // MARK: - Matching

    /// The tag of the first push that is not matched completely.
    @inline(__always)
    var currentPush: UInt32 { reader.batch.pushes[firstUnmatched].tag }

    /// The index of the first push that is not matched completely; 0 while keys are looked up.
    @inline(__always)
    private var firstUnmatched: Int { cursor.isLookedUp ? cursor.push : 0 }

    /// Finds the widgets that the queued pushes match; see `WidgetMatcher.matchQueued`.
    mutating func matchQueued(work: Int, limit: Int, in index: borrowing WidgetIndex) -> Bool {
        matches.truncate(to: 0)
        leftOutCount = 0
        meter.begin(work)
        if !cursor.isActive { cursor = MatchCursor(isActive: true) }
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
        reader.batch.removeAll()
        probes.truncate(to: 0)
        combinedFields.truncate(to: 0)
    }

    /// Copies the values of pushes that are not matched completely, unless that has been done, so
    /// that the payloads are no longer needed.
    private mutating func detachFromPayloads() {
        if !cursor.isDetached {
            reader.batch.copyValues(from: reader.batch.pushes[firstUnmatched].firstField)
            textAnswers.removeAll()
            cursor.isDetached = true
        }
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
        assert(cursor.push <= reader.batch.pushes.count, "the cursor is after the last push")
        assert(cursor.probe <= probes.count, "the cursor is after the last probe")
        assert(cursor.kept <= cursor.probe || cursor.isLookedUp, "more probes kept than looked up")
        assert(cursor.isActive || !cursor.isLookedUp, "a batch is looked up that is not started")
        assert(cursor.isActive || !meter.isResuming, "a rule is interrupted after the last batch")
        if !cursor.isActive && reader.batch.pushes.count == 0 {
            assert(probes.count == 0 && combinedFields.count == 0, "probes of no push")
        }
        seen.checkInvariants()
    }

    /// Asserts that the ranges of the pushes follow each other.
    private func checkPushes() {
        var end = PushBatch.Position()
        var probeEnd = 0
        for number in 0..<reader.batch.pushes.count {
            let push = reader.batch.pushes[number]
            assert(push.firstField == end.field, "fields between two pushes")
            assert(push.contexts.first == end.context, "objects between two pushes")
            assert(push.kinds.first == end.kind, "kinds between two pushes")
            if !cursor.isActive { assert(push.probes.first == probeEnd, "probes between pushes") }
            for context in push.contexts.first..<push.contexts.end {
                let object = reader.batch.contexts[context]
                let number = context - push.contexts.first + 1
                assert(object.parent.count < number, "object \(number) is within a later one")
                assert(object.last.count >= number, "object \(number) ends before it begins")
                assert(object.last.count <= push.contexts.count, "object \(number) has no end")
            }
            end.field = push.endField
            end.context = push.contexts.end
            end.kind = push.kinds.end
            probeEnd = push.probes.end
        }
        assert(end.field == reader.batch.fields.count, "fields after the last push")
        assert(end.context == reader.batch.contexts.count, "objects after the last push")
        assert(end.kind == reader.batch.kinds.count, "kinds after the last push")
        assert(cursor.isActive || probeEnd == probes.count, "probes after the last push")
    }
}
