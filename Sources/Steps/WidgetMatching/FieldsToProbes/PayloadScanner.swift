package import Basics

/// Scans payloads, whether one matcher matches them or many: checks that a payload is strict JSON,
/// collects the values that rules consider, and makes the probes of all keys that can be made of
/// them.
///
///     payload ─► fields ─► probes        by the vocabulary of the rules and widgets
///
/// All that may refuse a push is decided here. So it knows no widgets: what it needs of them is in
/// its `ScanVocabulary`, which `follow` replaces whenever the matcher's has changed.
package struct PayloadScanner: ~Copyable {
    /// Scans payloads, and checks that they are strict JSON.
    private var json: JSONScanner
    /// Collects the values of the payload.
    var reader: PayloadReader
    /// Sorts them.
    var order: FieldOrder
    var attributeFields = AttributeFields()
    /// The fields of combined keys; see `ScannedProbe.word`.
    var combinedFields = GrowingBuffer<UInt32>(capacity: 256)
    var parts = KeyParts()
    /// Working memory for finding repeats in the push.
    var seen = SeenTable()
    let keyHash: KeyHash
    /// Hashes values as they are stored.
    let valueHash: ValueHash
    /// The cost of the last `scan`, in units of `WorkCost`, even if it refused the payload.
    package internal(set) var work = 0

    /// A scanner for the matchers that were made with the same key.
    package init(hashKey: HashKey) {
        let product = ProductHash(hashKey)
        json = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
        let vocabulary = ScanVocabulary(hashKey: hashKey, product: product)
        reader = PayloadReader(vocabulary, product: product)
        order = FieldOrder(product)
        keyHash = KeyHash(product)
        valueHash = ValueHash(product)
    }

    /// Bytes allocated, used or not; without those of the JSON scanner.
    package var byteCount: Int {
        reader.byteCount + order.byteCount + attributeFields.byteCount + combinedFields.byteCount
            + parts.byteCount + seen.byteCount
    }

    /// Scans with a matcher's vocabulary from now on, which has the same hash key. A push can be
    /// queued only if it was scanned with the vocabulary that the matcher has then.
    @inline(__always)
    package mutating func follow(_ matcher: borrowing WidgetMatcher) {
        if reader.vocabulary.revision != matcher.vocabularyRevision {
            adopt(matcher.index.vocabulary.scanned, filter: matcher.index.keys.filter)
        }
    }

    @inline(never)
    private mutating func adopt(_ vocabulary: ScanVocabulary, filter: KeyFilter) {
        precondition(vocabulary.hashKey == reader.vocabulary.hashKey, "of another hash key")
        reader.vocabulary = vocabulary
        reader.keyFilter = filter
    }

    /// Scans a payload.
    ///
    /// - Parameters:
    ///   - app: the app whose widgets the push may match.
    ///   - payload: must stay valid as long as the push is used.
    ///   - kinds: the kinds of the widgets that the push may match; nil for all.
    ///   - isUrgent: whether its reloads go first.
    ///   - expiresAt: when it expires.
    /// - Throws: why the payload is refused.
    /// - Returns: the push, valid until the next payload is scanned.
    package mutating func scan(
        app: AppID,
        payload: ByteView,
        kinds: KindNames? = nil,
        isUrgent: Bool = false,
        expiresAt: WallTime = .max
    ) throws(PayloadError) -> ScannedPush {
        reader.begin(app: app, payload: payload)
        combinedFields.removeAll()
        work = payload.count * WorkCost.scannedByte
        if let kinds { work += kinds.bytes.count * WorkCost.look }
        do throws(JSONError) {
            // The reader has copied what was decoded.
            defer { json.resetScratch() }
            try json.scan(payload, into: &reader)
        } catch {
            throw .json(error)
        }
        assert(reader.levels.count == 0, "\(reader.levels.count) containers are open")
        try makeProbes()
        reader.sightings.end(app)
        return ScannedPush(
            app: app,
            kinds: kinds,
            isUrgent: isUrgent,
            expiresAt: expiresAt,
            hasLists: reader.traits.hasLists,
            revision: reader.vocabulary.revision,
            longTextByteCount: reader.traits.longTextByteCount,
            bytes: reader.bytes,
            fields: reader.fields.view,
            contexts: reader.contexts.view,
            probes: reader.probes.view,
            combinedFields: combinedFields.view
        )
    }

    /// Scans a payload that is no push: it does not count for what recent pushes had.
    mutating func scanTrial(
        app: AppID,
        payload: ByteView,
        kinds: KindNames?
    ) throws(PayloadError) -> ScannedPush {
        var trial = MemberSightings()
        swap(&reader.sightings, &trial)
        defer { swap(&reader.sightings, &trial) }
        return try scan(app: app, payload: payload, kinds: kinds)
    }

    /// Makes the probes of the payload that was read, unless the reader has made them all.
    ///
    /// - Throws: `tooManyProbes`, or `textCost` if rules' own text tests would read more than
    ///   `RouterLimits.patternBytes`.
    @inline(__always)
    private mutating func makeProbes() throws(PayloadError) {
        let count = reader.fields.count
        work &+= count &* WorkCost.field
        if reader.traits.hasLists || reader.traits.hasListedSpaces
            || count > GrowingBuffer<FieldValue>.linearFieldLimit
        {
            try makeAllProbes()
        } else {
            work &+= reader.traits.lookCount &* WorkCost.look
        }
        if reader.groups != .none { addGroups(of: reader.groups) }
        if reader.traits.ruleTextByteCount > RouterLimits.patternBytes { throw .textCost }
    }

    /// Sorts the fields, if there are lists or many fields, drops repeats and makes the probes.
    @inline(never)
    private mutating func makeAllProbes() throws(PayloadError) {
        reader.probes.removeAll()
        if reader.traits.hasLists
            || reader.fields.count > GrowingBuffer<FieldValue>.linearFieldLimit
        {
            try order.orderFields(&reader.fields, bytes: reader.bytes, using: &seen)
        }
        if reader.contexts.count > 0 {
            order.findEquals(in: reader.fields, bytes: reader.bytes, using: &seen)
        }
        let left = addProbes()
        work += (WidgetMatcher.probeLimit - (left ?? 0)) * WorkCost.look
        if left == nil { throw .tooManyProbes }
    }
}

extension WidgetMatcher {
    /// Scans a payload with the present vocabulary and adds it to the batch, for those who scan for
    /// one matcher alone.
    ///
    /// - Throws: why the payload is refused.
    package mutating func enqueue(
        app: AppID,
        payload: ByteView,
        kinds: KindNames? = nil,
        tag: UInt32,
        with scanner: inout PayloadScanner
    ) throws(PayloadError) {
        scanner.follow(self)
        enqueue(try scanner.scan(app: app, payload: payload, kinds: kinds), tag: tag)
    }
}
