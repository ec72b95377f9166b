package import DataStructures
package import ReloadModel
package import StrictJSON

/// Explaining whether pushes match widgets. Nothing is searched, so a batch may be in progress.
extension WidgetIndex {
    /// The result of a search for near misses.
    package struct NearMisses {
        /// The near misses, in order of their numbers.
        package var found: [WidgetMatcher.ExplainedWidget] = []
        /// The number at which to continue; nil if there are no more widgets.
        package var next: WidgetID?
    }

    /// Explains whether a push matches a widget, from the push's payload.
    ///
    /// - Throws: why the push is refused.
    package func explain(
        app: AppID,
        payload: ByteView,
        widget: WidgetID
    ) throws(PayloadError) -> MatchExplanation {
        explain(app: app, push: try WidgetMatcher.parsed(payload), widget: widget)
    }

    /// Explains whether a push matches a widget, from the parsed payload.
    ///
    /// - Parameters:
    ///   - app: the push's app.
    ///   - push: the result of `WidgetMatcher.parsed`.
    ///   - widget: a stored widget of any app.
    /// - Returns: the conditions, and whether each holds.
    package func explain(app: AppID, push: JSONValue, widget: WidgetID) -> MatchExplanation {
        guard let kind = installedKind(of: widget) else {
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

    /// Finds near misses: widgets that the push would match if one more condition held.
    ///
    /// - Parameters:
    ///   - app: the push's app.
    ///   - payload: the push.
    ///   - kind: the kind of the widgets; nil for widgets of any kind.
    ///   - from: the first widget number to consider.
    ///   - limit: the most widget numbers to consider, which bounds the cost.
    /// - Returns: the near misses, and where to continue.
    /// - Throws: why the push is refused.
    package func nearMisses(
        app: AppID,
        payload: ByteView,
        kind: KindID?,
        from: WidgetID,
        limit: Int
    ) throws(PayloadError) -> NearMisses {
        let parsed = try WidgetMatcher.parsed(payload)
        let considered = widgets.ids.dropFirst(from.index).prefix(limit)
        let candidates = considered.filter { widget in
            if widgets[widget].shape == .none { return false }
            return kind == nil || self.kind(of: widget) == kind
        }
        return NearMisses(
            found: nearMisses(app: app, push: parsed, among: candidates),
            next: considered.endIndex < widgets.ids.endIndex
                ? WidgetID(index: considered.endIndex) : nil
        )
    }

    /// Finds those among `candidates`, which are stored widgets, that are near misses.
    ///
    /// - Throws: why the push is refused.
    package func nearMisses(
        app: AppID,
        payload: ByteView,
        among candidates: [WidgetID]
    ) throws(PayloadError) -> [WidgetMatcher.ExplainedWidget] {
        nearMisses(app: app, push: try WidgetMatcher.parsed(payload), among: candidates)
    }

    // MARK: - Steps

    /// The kind of a widget, if it is installed.
    private func installedKind(of widget: WidgetID) -> InstalledKind? {
        kinds[kind(of: widget), default: nil]
    }

    /// Finds the near misses among `candidates`, from the parsed payload.
    private func nearMisses(
        app: AppID,
        push payload: JSONValue,
        among candidates: [WidgetID]
    ) -> [WidgetMatcher.ExplainedWidget] {
        var found: [WidgetMatcher.ExplainedWidget] = []
        for widget in candidates {
            let explanation = explain(app: app, push: payload, widget: widget)
            if explanation.isNearMiss { found.append((widget, explanation)) }
        }
        return found
    }

    /// The widget's configuration as members of a JSON object.
    private func parameters(of widget: WidgetID) -> [JSONValue.Member] {
        configurationText(of: widget).withByteView { text in
            // Stored configurations were validated on arrival, so parsing cannot fail.
            (try? JSONValue(parsing: text))?.members ?? []
        }
    }
}
