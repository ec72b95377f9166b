package import Basics

/// Explaining matches, and trying out a push: for operators, not for pushes that are delivered.
extension WidgetMatcher {
    /// Finds the widgets that a push matches, in the usual way but at a bounded cost.
    ///
    /// - Parameters:
    ///   - app: the app whose widgets the push may match.
    ///   - payload: the push.
    ///   - kinds: the kinds to which the push is narrowed; nil if it is not.
    ///   - limit: the most widgets to find; with 0, the push is only checked. It also limits the
    ///     work: to looking up some thousand keys, and about one condition for each of `limit`
    ///     widgets.
    ///   - scanner: scans the payload.
    /// - Returns: the widgets found, in order of their numbers; whether the search was complete;
    ///   and the most patterns that a device may have for its widgets not to be left out of the
    ///   push.
    /// - Throws: why the push is refused.
    package mutating func find(
        app: AppID,
        payload: ByteView,
        kinds: KindNames? = nil,
        limit: Int,
        with scanner: inout PayloadScanner
    ) throws(PayloadError) -> (widgets: [WidgetID], isWhole: Bool, patternMost: Int) {
        requireIdle()
        // A push that is only tried out must not count for the hot keys.
        let mask = search.value.keySampler.mask
        search.value.keySampler.mask = .max
        defer { search.value.keySampler.mask = mask }
        search.value.enqueueWork = 0
        scanner.follow(self)
        // Nor for what recent pushes had.
        enqueue(try scanner.scanTrial(app: app, payload: payload, kinds: kinds), tag: 0)
        let pushes = search.value.batch.pushes.count
        let patterns = pushes > 0 ? search.value.batch.pushes[0].patterns : PatternAllowance()
        let patternMost = Int(max(patterns.most, patterns.spareMost))
        if limit == 0 {
            search.value.abandonBatch()
            return ([], true, patternMost)
        }
        let work = Self.findWork + limit * (WorkCost.posting + WorkCost.condition)
        let isWhole = matchQueued(work: work, limit: limit)
        let found = (0..<matchCount).map { match(at: $0).widget }.sorted()
        if !isWhole { search.value.abandonBatch() }
        return (found, isWhole, patternMost)
    }

    /// The part of the work of `find` that does not depend on its limit, in units of `WorkCost`: it
    /// is enough for ten thousand keys.
    private static var findWork: Int { 1_000_000 }

    /// Parses and checks a payload for `explain`.
    ///
    /// - Throws: why the push is refused.
    package static func parsed(_ payload: ByteView) throws(PayloadError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: payload, depthLimit: RouterLimits.jsonDepth)
        } catch {
            throw .json(error)
        }
    }
}

/// A push whose matches are explained.
package struct ExplainedPush: Sendable {
    /// The payload, an object.
    package let payload: JSONValue
    /// The kinds to which the push is narrowed; nil if it is not.
    package let kinds: [String]?

    /// Makes a push from the result of `WidgetMatcher.parsed`.
    package init(_ payload: JSONValue, kinds: [String]? = nil) {
        self.payload = payload
        self.kinds = kinds
    }
}
