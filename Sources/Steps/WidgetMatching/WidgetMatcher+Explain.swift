package import ByteStorage
package import ReloadModel
package import StrictJSON

extension WidgetMatcher {
    /// A widget, and why a push concerns it or does not.
    package typealias ExplainedWidget = (widget: WidgetID, explanation: MatchExplanation)

    /// What a look for near misses has found.
    package struct NearMisses {
        /// In order of their numbers.
        package var found: [ExplainedWidget] = []
        /// Where to go on; nil if there are no more widgets.
        package var next: WidgetID?
    }

    /// Explains whether a push concerns a widget.
    package func explain(
        app: AppID,
        payload: ByteView,
        widget: WidgetID
    ) throws(PayloadError) -> MatchExplanation {
        explain(app, try Self.tree(payload), widget)
    }

    /// Explains whether a push concerns a widget.
    ///
    /// - Parameters:
    ///   - app: whose push it is.
    ///   - push: as `tree` gives it.
    ///   - widget: of any app.
    /// - Returns: the conditions, and whether each holds.
    package func explain(_ app: AppID, _ push: JSONValue, _ widget: WidgetID) -> MatchExplanation {
        guard let kind = rule(of: kind(of: widget)) else {
            return MatchExplanation(conditions: [], obstacle: "the widget's kind is not declared")
        }
        if kind.app != app {
            return MatchExplanation(conditions: [], obstacle: "the widget is of another app")
        }
        return RuleExplainer.explain(
            rule: kind.rule,
            kindName: kind.name,
            configuration: parameters(of: widget),
            payload: push
        )
    }

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
        return found.prefix(limit).map { ($0, explain(app, tree, $0)) }
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
        let mask = keyMask
        keyMask = .max
        defer { keyMask = mask }
        try enqueue(app: app, payload: payload, tag: 0)
        let work = Self.findWork + limit * (WorkCost.posting + WorkCost.condition)
        let isWhole = matchQueued(work: work, limit: limit)
        let found = (0..<matchCount).map { match(at: $0).widget }.sorted()
        if !isWhole { abandonBatch() }
        return (found, isWhole)
    }

    /// What `find` may cost whatever its limit, in units of `WorkCost`: that of the keys of any push.
    private static var findWork: Int { probeLimit * WorkCost.probe }

    /// Finds widgets, of one kind or of any, that a push would concern but for a single condition.
    ///
    /// At most `limit` widgets are looked at, from the number `from` on; that bounds the cost.
    package func nearMisses(
        app: AppID,
        payload: ByteView,
        kind: KindID?,
        from: WidgetID,
        limit: Int
    ) throws(PayloadError) -> NearMisses {
        let tree = try Self.tree(payload)
        if from >= widgets.end { return NearMisses() }
        let end = from + WidgetID(min(limit, Int(widgets.end - from)))
        let candidates = (from..<end).filter { widget in
            if widgets[widget].shape == Shape.none { return false }
            return kind == nil || self.kind(of: widget) == kind
        }
        return NearMisses(
            found: nearMisses(app, tree, candidates),
            next: end < widgets.end ? end : nil
        )
    }

    /// Finds those of some widgets that a push would concern but for a single condition.
    package func nearMisses(
        app: AppID,
        payload: ByteView,
        among candidates: [WidgetID]
    ) throws(PayloadError) -> [ExplainedWidget] {
        nearMisses(app, try Self.tree(payload), candidates)
    }

    // MARK: - Steps

    private func nearMisses(
        _ app: AppID,
        _ payload: JSONValue,
        _ candidates: [WidgetID]
    ) -> [ExplainedWidget] {
        var found: [ExplainedWidget] = []
        for widget in candidates {
            let explanation = explain(app, payload, widget)
            if explanation.isNearMiss { found.append((widget, explanation)) }
        }
        return found
    }

    private func parameters(of widget: WidgetID) -> [JSONValue.Member] {
        configurationText(of: widget).withByteView { text in
            // What is stored was scanned when it came.
            (try? JSONValue(parsing: text))?.members ?? []
        }
    }

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
