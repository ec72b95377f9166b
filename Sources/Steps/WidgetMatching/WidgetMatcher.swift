package import DataStructures
package import ReloadModel
internal import RouterMetrics

/// Finds the widgets that a push concerns, among any number.
///
///     payload ─► fields ─► probes ─► keys ─► postings ─► checks ─► matches
///
/// Widgets of one kind with the same parameters are of one *shape*: the kind's rule, compiled once.
/// They differ in values, and a widget is stored under keys made of its values: under all the
/// equalities of its rule at once if it has some, else under what its ranges, prefixes and so on can
/// be found by (`KeyForm`). So a push is compared with nothing but what waits for one of its own
/// values; conditions that the key does not decide are checked on the few candidates.
///
/// Pushes are queued and matched in batches: one push's cache misses overlap with the next one's.
/// Widgets and kinds change between batches only.
package struct WidgetMatcher: ~Copyable {
    /// Pushes after which `matchQueued` should be called, at the latest; see `isBatchFull`.
    package static var batchLimit: Int { 32 }
    /// Most parameters of a configuration.
    package static var parameterLimit: Int { 64 }
    /// Longest configuration, in bytes of JSON.
    package static var configurationLimit: Int { 16 << 10 }
    /// Most keys under which one push may look for widgets: lists in a payload multiply when a
    /// rule asks for several of them, and of a text every four bytes may be looked for.
    ///
    /// Beyond: the push is refused.
    package static var probeLimit: Int { RouterLimits.combinations }

    /// An app's kinds, as `install` takes them.
    package struct App {
        package let app: AppID
        package let kinds: [Kind]

        package init(app: AppID, kinds: [Kind]) {
            self.app = app
            self.kinds = kinds
        }
    }

    /// A kind and its rule, as `install` takes them.
    package struct Kind {
        package let kind: KindID
        package let name: String
        package let rule: EventPattern?

        package init(kind: KindID, name: String, rule: EventPattern?) {
            self.kind = kind
            self.name = name
            self.rule = rule
        }
    }

    /// What is stored.
    package internal(set) var index: WidgetIndex
    /// The batch.
    var search: Boxed<MatchSearch>
    var restored = RestoreBatch()

    /// - Parameters:
    ///   - hashKey: so that nobody outside can choose names or values that collide. What matches, and
    ///     in which order, does not depend on it.
    ///   - narrowsByKinds: whether the payload's member `kinds` narrows a push.
    package init(hashKey: HashKey, narrowsByKinds: Bool = true) {
        let product = ProductHash(hashKey)
        index = WidgetIndex(hashKey, product)
        search = Boxed(MatchSearch(of: index, hashKey, product, narrowsByKinds: narrowsByKinds))
    }

    // MARK: - Size

    /// Bytes held from the system, used or not.
    ///
    /// - Complexity: in proportion to the regular expressions.
    package var byteCount: Int { tableByteCount + index.regexes.byteCount }

    /// The same without regular expressions.
    ///
    /// - Complexity: O(1).
    package var tableByteCount: Int { index.byteCount + search.value.byteCount }

    // MARK: - Pushes

    /// Pushes that wait for `matchQueued`.
    package var queuedCount: Int { search.value.reader.batch.pushes.count }

    /// Whether `matchQueued` should be called before another push is queued.
    package var isBatchFull: Bool { search.value.isBatchFull }

    /// What the last `enqueue` has cost, in units of `WorkCost`, also if it refused the push.
    package var enqueueWork: Int { search.value.enqueueWork }

    /// Scans a payload and adds it to the batch.
    ///
    /// A refused payload leaves the batch as it was.
    ///
    /// - Parameters:
    ///   - app: whose widgets it is for.
    ///   - payload: must stay valid until `matchQueued` has returned once.
    ///   - tag: comes back with each match.
    /// - Throws: what is wrong, and where.
    package mutating func enqueue(
        app: AppID,
        payload: ByteView,
        tag: UInt32
    ) throws(PayloadError) {
        assert(restored.count == 0, "widgets are being restored")
        try search.value.enqueue(app, payload, tag, in: index)
    }

    // MARK: - Matches

    /// Finds the widgets that the queued pushes concern.
    ///
    /// - Parameters:
    ///   - work: what it may cost before it returns, in units of `WorkCost`, so that nobody else waits
    ///     long; `matchQueued` must then be called again, before anything else is queued or stored.
    ///     It goes on where it was, be it within a rule. The payloads are no longer needed by then.
    ///   - limit: how many widgets to find before it returns; so the same.
    /// - Returns: whether the batch is finished. It is empty then; the matches stay.
    @discardableResult
    package mutating func matchQueued(work: Int = .max, limit: Int = .max) -> Bool {
        search.value.matchQueued(work: work, limit: limit, in: index)
    }

    /// What the last `matchQueued` has cost, in units of `WorkCost`.
    package var spentWork: Int { search.value.spentWork }

    /// Whether a batch has been begun and is not finished.
    package var isMatching: Bool { search.value.cursor.isActive }

    /// The tag of the push with which the next `matchQueued` goes on.
    ///
    /// Those that were queued before it are matched. Only while `isMatching`.
    package var currentPush: UInt32 { search.value.currentPush }

    /// How many matches the last call of `matchQueued` has found.
    package var matchCount: Int { search.value.matches.count }

    /// A match that the last call of `matchQueued` has found: push by push, in the order in which
    /// they were queued; of one push in an order that depends on what was stored and when, and on
    /// nothing else.
    @inline(__always)
    package func match(at position: Int) -> WidgetMatch { search.value.matches[position] }

    /// Moves the matches of the last call of `matchQueued` to a list, and takes over its memory.
    package mutating func moveMatches(to list: inout MatchList) {
        swap(&search.value.matches, &list.matches)
        search.value.matches.truncate(to: 0)
    }

    // MARK: - Hot keys

    /// Says how many pushes have come in the last second; more may come in the next one.
    package mutating func sampleKeys(pushesPerSecond: UInt64) {
        search.value.keySampler.adapt(toPushesPerSecond: pushesPerSecond)
    }

    /// Halves what has been counted of keys, so that what is past fades.
    package mutating func fadeHotKeys() { search.value.keySampler.hotKeys.halve() }

    /// The keys that most pushes have found widgets by, the hottest first.
    ///
    /// - Complexity: in proportion to `HotKeys.capacity` and the texts.
    package func hotKeys(limit: Int) -> [HotKey] {
        search.value.keySampler.hotKeys.top(limit).map { index.hotKey($0) }
    }
}
