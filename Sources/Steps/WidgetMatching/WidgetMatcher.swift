package import Basics

/// Finds the widgets that a push matches, among any number of widgets.
///
///     scanned push ─► probes ─► keys ─► postings ─► checks ─► matches
///
/// Widgets of one kind with the same parameter names have one *shape*: the kind's rule, compiled
/// once. They differ only in values, and a widget is stored under keys made of its values: under
/// the combination of its rule's equalities if the rule has some, otherwise under keys made of its
/// ranges, prefixes and so on (`KeyForm`). So a push is compared only with widgets that wait for
/// one of its own values; conditions that the key does not decide are checked on these few
/// candidates.
///
/// Pushes are queued and matched in batches, so that the cache misses of one push overlap with
/// those of the next. Widgets and kinds may change only between batches.
package struct WidgetMatcher: ~Copyable {
    /// Pushes after which `matchQueued` should be called at the latest; see `isBatchFull`.
    package static var batchLimit: Int { 32 }
    /// The most parameters of one configuration.
    package static var parameterLimit: Int { 64 }
    /// The longest configuration, in bytes of JSON.
    package static var configurationLimit: Int { 16 << 10 }
    /// The most keys under which one push may look for widgets; a push that needs more is refused.
    ///
    /// Lists in a payload multiply when a rule asks for several of them, and every four bytes of a
    /// text may be a key.
    package static var probeLimit: Int { RouterLimits.combinations }

    /// An app's kinds, for `install`.
    package struct App {
        /// The number of the app.
        package let app: AppID
        /// All kinds that the app declares.
        package let kinds: [Kind]

        /// An app with all of its kinds; kinds that are left out are removed by `install`.
        package init(app: AppID, kinds: [Kind]) {
            self.app = app
            self.kinds = kinds
        }
    }

    /// A kind and its rule, for `install`.
    package struct Kind {
        /// The number of the kind, unique among the kinds of all apps.
        package let kind: KindID
        /// The name by which pushes that are narrowed refer to the kind.
        package let name: String
        /// Nil if the kind has none: each parameter of a widget must then equal the field of its
        /// name.
        package let rule: EventPattern?

        /// A kind with its rule, or without one (nil).
        package init(kind: KindID, name: String, rule: EventPattern?) {
            self.kind = kind
            self.name = name
            self.rule = rule
        }
    }

    /// The stored widgets and what finds them.
    package internal(set) var index: WidgetIndex
    /// The batch of pushes, and the state of matching it.
    var search: Boxed<MatchSearch>
    /// Widgets being restored that are not stored yet; empty except between `restore` and
    /// `finishRestoring`.
    var restored = RestoreBatch()
    /// Checks the configurations that are restored.
    var restoredJSON: JSONScanner

    /// Creates a matcher without widgets and kinds.
    ///
    /// - Parameter hashKey: seeds all hashes, so that names and values cannot be chosen to collide.
    ///   Neither the matches nor their order depend on it.
    package init(hashKey: HashKey) {
        let product = ProductHash(hashKey)
        index = WidgetIndex(hashKey: hashKey, product: product)
        search = Boxed(MatchSearch())
        restoredJSON = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
    }

    // MARK: - Size

    /// Bytes allocated, used or not.
    ///
    /// - Complexity: proportional to the number of regular expressions.
    package var byteCount: Int { tableByteCount + index.regexes.byteCount }

    /// Bytes allocated, without regular expressions.
    ///
    /// - Complexity: O(1).
    package var tableByteCount: Int { index.byteCount + search.value.byteCount }

    // MARK: - Pushes

    /// See `ScanVocabulary.revision`.
    @inline(__always)
    var vocabularyRevision: UInt64 { index.vocabulary.scanned.revision }

    /// Pushes in the batch, until it is finished.
    package var queuedCount: Int { search.value.batch.count }

    /// Whether `matchQueued` should be called before another push is queued.
    package var isBatchFull: Bool { search.value.isBatchFull }

    /// The cost of the last `enqueue`, in units of `WorkCost`, besides that of the scan.
    package var enqueueWork: Int { search.value.enqueueWork }

    /// The keys under which the batch's pushes look for widgets.
    package var probeCount: Int { search.value.batch.probeCount }

    /// Adds a scanned push to the batch.
    ///
    /// - Parameters:
    ///   - push: was scanned with the present vocabulary (`PayloadScanner.follow`). Its payload
    ///     must stay valid until the first call of `matchQueued` has returned.
    ///   - tag: is returned with each match.
    package mutating func enqueue(_ push: ScannedPush, tag: UInt32) {
        assert(restored.count == 0, "widgets are being restored")
        search.value.enqueue(push, tag: tag, in: index)
    }

    // MARK: - Matches

    /// Finds the widgets that the queued pushes match.
    ///
    /// - Parameters:
    ///   - work: the work to do before returning, in units of `WorkCost`, so that other work is not
    ///     delayed for long. If the batch is not finished then, `matchQueued` must be called again
    ///     before anything else is queued or stored; it resumes where it stopped, even within a
    ///     rule. The payloads are not needed after the first call.
    ///   - limit: the number of widgets to find before returning; with the same consequence.
    /// - Returns: true if the batch is finished. It is empty then; the matches of this call remain.
    @discardableResult
    package mutating func matchQueued(work: Int = .max, limit: Int = .max) -> Bool {
        search.value.matchQueued(work: work, limit: limit, in: index)
    }

    /// The cost of the last `matchQueued`, in units of `WorkCost`.
    package var spentWork: Int { search.value.spentWork }

    /// The widgets that the last `matchQueued` left out of pushes, because of the patterns that
    /// they or their devices have; a widget counts once for each push.
    package var leftOutCount: Int { search.value.leftOutCount }

    /// Whether a batch has been started and is not finished.
    package var isMatching: Bool { search.value.cursor.isActive }

    /// The number of matches that the last `matchQueued` found.
    package var matchCount: Int { search.value.matches.count }

    /// A match that the last `matchQueued` found.
    ///
    /// Matches are ordered by push, as queued; those of one push in an order that depends only on
    /// what was stored and when.
    @inline(__always)
    package func match(at position: Int) -> WidgetMatch { search.value.matches[position] }

    /// Swaps the matches of the last `matchQueued` into a list, and reuses the list's memory.
    package mutating func moveMatches(to list: inout MatchList) {
        swap(&search.value.matches, &list.matches)
        search.value.matches.truncate(to: 0)
    }

    // MARK: - Hot keys

    /// Sets which part of the pushes is sampled for hot keys, from the number of pushes in the last
    /// second.
    package mutating func sampleKeys(pushesPerSecond: UInt64) {
        search.value.keySampler.adapt(toPushesPerSecond: pushesPerSecond)
    }

    /// Halves the counts of hot keys, so that older pushes count for less. Called at regular
    /// intervals.
    package mutating func fadeHotKeys() { search.value.keySampler.hotKeys.halve() }

    /// The keys by which the most pushes have found widgets, the hottest first.
    ///
    /// - Complexity: proportional to `HotKeys.capacity` and the length of the texts.
    package func hotKeys(limit: Int) -> [HotKey] {
        search.value.keySampler.hotKeys.top(limit).map { index.hotKey($0) }
    }
}

extension WidgetMatcher {
    /// Asserts that all tables of the matcher agree; for tests and debug builds.
    ///
    /// - Complexity: proportional to what is stored.
    package func checkInvariants() {
        search.value.checkInvariants()
        // Widgets that are being restored have a number, but no shape yet.
        if restored.count > 0 { return }
        index.checkInvariants()
        for entry in search.value.keySampler.hotKeys.top(HotKeys.capacity) {
            let key = KeyID(rawValue: entry.key)
            assert(index.isStored(key), "the hot key \(key) is gone")
        }
    }
}
