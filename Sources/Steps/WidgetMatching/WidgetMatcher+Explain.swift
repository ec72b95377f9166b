package import DataStructures
package import ReloadModel
package import StrictJSON

extension WidgetMatcher {
    /// A widget, and why a push concerns it or does not.
    package typealias ExplainedWidget = (widget: WidgetID, explanation: MatchExplanation)

    /// Finds the widgets that a push concerns, as any push is matched, and explains why.
    ///
    /// Of many the first `limit` by number are explained.
    package mutating func explain(
        app: AppID,
        payload: ByteView,
        limit: Int
    ) throws(PayloadError) -> [ExplainedWidget] {
        requireIdle()
        let tree = try Self.tree(payload)
        try enqueue(app: app, payload: payload, tag: 0)
        matchQueued()
        let found = (0..<matchCount).map { match(at: $0).widget }.sorted()
        return found.prefix(limit).map { ($0, index.explain(app, tree, $0)) }
    }

    /// Finds the widgets that a push concerns, as any push is matched, without explaining why.
    ///
    /// - Parameters:
    ///   - app: whose widgets it is for.
    ///   - payload: the push.
    ///   - limit: how many widgets to find, and with a few conditions each to look at; that bounds the
    ///     cost.
    /// - Returns: what was found, in the order of their numbers, and whether all were looked at.
    /// - Throws: why the push is refused.
    package mutating func find(
        app: AppID,
        payload: ByteView,
        limit: Int
    ) throws(PayloadError) -> (widgets: [WidgetID], isWhole: Bool) {
        requireIdle()
        // A push that is only tried out says nothing of which keys are hot.
        let mask = search.value.keySampler.mask
        search.value.keySampler.mask = .max
        defer { search.value.keySampler.mask = mask }
        try enqueue(app: app, payload: payload, tag: 0)
        let work = Self.findWork + limit * (WorkCost.posting + WorkCost.condition)
        let isWhole = matchQueued(work: work, limit: limit)
        let found = (0..<matchCount).map { match(at: $0).widget }.sorted()
        if !isWhole { search.value.abandonBatch() }
        return (found, isWhole)
    }

    /// What `find` may cost whatever its limit, in units of `WorkCost`: that of the keys of any push.
    private static var findWork: Int { probeLimit * WorkCost.probe }

    /// A push, for `explain`.
    ///
    /// - Throws: why it is refused.
    package static func tree(_ payload: ByteView) throws(PayloadError) -> JSONValue {
        let tree: JSONValue
        do throws(JSONError) {
            tree = try JSONValue(parsing: payload, depthLimit: RouterLimits.jsonDepth)
        } catch {
            throw .json(error)
        }
        guard let kinds = tree.member("kinds") else { return tree }
        guard case .list(let names) = kinds else { throw .kinds }
        for name in names {
            guard case .string = name else { throw .kinds }
        }
        return tree
    }
}
