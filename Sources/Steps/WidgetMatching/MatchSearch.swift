internal import DataStructures
internal import EventPatterns
internal import ReloadModel
internal import StrictJSON

/// The pushes of a batch, and how far the widgets have been found that they concern.
///
///     enqueue         payload ─► fields ─► probes                    as each push comes
///     matchQueued     probes ─► keys ─► postings ─► matches          for all of them, in portions
///
/// It borrows the index from its caller, and changes nothing but itself. All of its functions are
/// mutating or inlined: one that only asked would be given a copy of all of it (`Boxed`).
struct MatchSearch: ~Copyable {
    /// What the texts of a batch may cost, in units of `WorkCost`; see `isBatchFull`.
    static var batchTextLimit: Int { 500_000 }
    /// Keys to look for after which `matchQueued` should be called, however few the pushes.
    private static var batchProbeLimit: Int { 1 << 13 }

    var scanner: JSONScanner
    var reader: PayloadReader
    var probes = GrowingBuffer<Probe>(capacity: 512)
    /// The fields of combinations, for pushes with too many to say so in a probe.
    var combinedFields = GrowingBuffer<UInt32>(capacity: 16)
    var folded = FoldBuffer()
    /// Values that have been met, of the push that is queued.
    var seen = SeenTable()
    var cursor = MatchCursor()
    /// What is spent on matching, condition by condition.
    var meter = ConditionMeter()
    var textAnswers = TextAnswers()
    var regexScratch = RegexScratch()
    /// What the last `matchQueued` has cost, in units of `WorkCost`.
    private(set) var spentWork = 0
    /// What conditions will cost at most that read the texts of the queued pushes as a whole.
    var queuedTextWork = 0
    /// What the last `enqueue` has cost, in units of `WorkCost`, also if it refused the push.
    var enqueueWork = 0
    /// What the last `matchQueued` found.
    var matches = GrowingBuffer<WidgetMatch>(capacity: 256)
    /// Keys by which pushes have found widgets.
    var keySampler = KeySampler()

    /// - Parameters:
    ///   - index: the one that is searched; must outlive the search.
    ///   - hashKey: of the scanner's table of names.
    ///   - product: hashes values as the index does.
    ///   - narrowsByKinds: whether the payload's member `kinds` narrows a push.
    init(
        of index: borrowing WidgetIndex,
        _ hashKey: HashKey,
        _ product: ProductHash,
        narrowsByKinds: Bool
    ) {
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
        reader = PayloadReader(for: index, product, narrowsByKinds: narrowsByKinds)
    }

    /// Whether `matchQueued` should be called before another push is queued.
    @inline(__always)
    var isBatchFull: Bool {
        reader.batch.pushes.count >= WidgetMatcher.batchLimit
            || probes.count >= Self.batchProbeLimit
            || queuedTextWork >= Self.batchTextLimit
    }

    /// Bytes held from the system, used or not.
    @inline(__always)
    var byteCount: Int {
        reader.byteCount + probes.byteCount + combinedFields.byteCount + matches.byteCount
            + folded.byteCount + seen.byteCount
    }

    // MARK: - Queueing

    /// Scans a payload and adds it to the batch; see `WidgetMatcher.enqueue`.
    mutating func enqueue(
        _ app: AppID,
        _ payload: ByteView,
        _ tag: UInt32,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        precondition(!cursor.isActive, "the last batch is not finished")
        reader.begin(app, payload)
        enqueueWork = payload.count * WorkCost.scannedByte
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

    /// Adds the push that was read to the batch.
    ///
    /// - Throws: why it is refused.
    @inline(__always)
    private mutating func addPush(
        _ tag: UInt32,
        in index: borrowing WidgetIndex
    ) throws(PayloadError) {
        defer { enqueueWork += reader.traits.readCount * WorkCost.field }
        var push = try reader.finish(tag, &seen)
        let first = probes.count
        let left = addProbes(push, in: index)
        enqueueWork += (WidgetMatcher.probeLimit - (left ?? 0)) * WorkCost.look
        if left == nil { throw .tooManyProbes }
        if reader.traits.longTextByteCount > 0 { try checkTexts(push, first, in: index) }
        push.probes = PushBatch.Span(first, probes.count)
        reader.batch.pushes.append(push)
    }

    // MARK: - Matching

    /// The tag of the first push that is not matched.
    @inline(__always)
    var currentPush: UInt32 { reader.batch.pushes[firstUnmatched].tag }

    /// The first push that is not matched: while keys are looked up, the first of all.
    @inline(__always)
    private var firstUnmatched: Int { cursor.isLookedUp ? cursor.push : 0 }

    /// Finds the widgets that the queued pushes concern; see `WidgetMatcher.matchQueued`.
    mutating func matchQueued(work: Int, limit: Int, in index: borrowing WidgetIndex) -> Bool {
        matches.truncate(to: 0)
        meter.begin(work)
        if !cursor.isActive { cursor = MatchCursor(isActive: true) }
        let isFinished = lookUp(in: index) && reportAll(limit, in: index)
        spentWork = work - meter.left
        if isFinished {
            emptyBatch()
        } else {
            keepBatch()
        }
        return isFinished
    }

    /// Forgets a batch that is not finished.
    mutating func abandonBatch() {
        emptyBatch()
        meter.abandon()
        regexScratch.abandon()
    }

    private mutating func emptyBatch() {
        textAnswers.removeAll()
        queuedTextWork = 0
        cursor = MatchCursor()
        reader.batch.removeAll()
        probes.truncate(to: 0)
        combinedFields.truncate(to: 0)
    }

    /// Makes the rest of the batch independent of the payloads.
    private mutating func keepBatch() {
        if !cursor.isKept {
            reader.batch.keepFields(from: reader.batch.pushes[firstUnmatched].firstField)
            textAnswers.removeAll()
            cursor.isKept = true
        }
    }
}
