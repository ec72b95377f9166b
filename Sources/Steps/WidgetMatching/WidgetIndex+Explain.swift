package import DataStructures
package import ReloadModel
internal import StrictJSON

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
        kinds: [String]? = nil,
        widget: WidgetID
    ) throws(PayloadError) -> MatchExplanation {
        let push = ExplainedPush(try WidgetMatcher.parsed(payload), kinds: kinds)
        return explain(app: app, push: push, widget: widget)
    }

    /// Explains whether a push matches a widget, from the parsed payload.
    ///
    /// - Parameters:
    ///   - app: the push's app.
    ///   - push: the push.
    ///   - widget: a stored widget of any app.
    /// - Returns: the conditions, and whether each holds.
    package func explain(
        app: AppID,
        push: ExplainedPush,
        widget: WidgetID
    ) -> MatchExplanation {
        if let kind = installedKind(of: widget), kind.app != app {
            return MatchExplanation(conditions: [], obstacle: "the widget is of another app")
        }
        return explainable(widget).explanation(of: push)
    }

    /// What is needed to explain whether pushes match a stored widget, as a copy.
    ///
    /// - Parameters:
    ///   - widget: the widget.
    ///   - patternMost: the most patterns that its device may have, as `WidgetMatcher.find` says.
    /// - Returns: the copy.
    package func explainable(_ widget: WidgetID, patternMost: Int = .max) -> ExplainedSubject {
        let hasPatterns = shapes[widgets[widget].shape].hasPatterns
        return ExplainedSubject(
            kind: installedKind(of: widget),
            configuration: configurationText(of: widget),
            isLeftOut: hasPatterns && patternLoad(of: widget) > patternMost
        )
    }

    /// Finds near misses: widgets that the push would match if one more condition held.
    ///
    /// - Parameters:
    ///   - app: the push's app.
    ///   - payload: the push.
    ///   - kinds: the kinds to which the push is narrowed; nil if it is not.
    ///   - kind: the kind of the widgets; nil for widgets of any kind.
    ///   - from: the first widget number to consider.
    ///   - limit: the most widget numbers to consider, which bounds the cost.
    /// - Returns: the near misses, and where to continue.
    /// - Throws: why the push is refused.
    package func nearMisses(
        app: AppID,
        payload: ByteView,
        kinds: [String]? = nil,
        kind: KindID?,
        from: WidgetID,
        limit: Int
    ) throws(PayloadError) -> NearMisses {
        let push = ExplainedPush(try WidgetMatcher.parsed(payload), kinds: kinds)
        let considered = widgets.ids.dropFirst(from.index).prefix(limit)
        let candidates = considered.filter { widget in
            if widgets[widget].shape == .none { return false }
            return kind == nil || self.kind(of: widget) == kind
        }
        return NearMisses(
            found: nearMisses(app: app, push: push, among: candidates),
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
        kinds: [String]? = nil,
        among candidates: [WidgetID]
    ) throws(PayloadError) -> [WidgetMatcher.ExplainedWidget] {
        let push = ExplainedPush(try WidgetMatcher.parsed(payload), kinds: kinds)
        return nearMisses(app: app, push: push, among: candidates)
    }

    // MARK: - Steps

    /// The kind of a widget, if it is installed.
    private func installedKind(of widget: WidgetID) -> InstalledKind? {
        kinds[kind(of: widget), default: nil]
    }

    /// Finds the near misses among `candidates`, from the parsed payload.
    private func nearMisses(
        app: AppID,
        push: ExplainedPush,
        among candidates: [WidgetID]
    ) -> [WidgetMatcher.ExplainedWidget] {
        var found: [WidgetMatcher.ExplainedWidget] = []
        for widget in candidates {
            let explanation = explain(app: app, push: push, widget: widget)
            if explanation.isNearMiss { found.append((widget, explanation)) }
        }
        return found
    }
}

/// A widget's rule and parameters: what decides whether a push of its app matches it.
package struct ExplainedSubject: Sendable {
    /// The kind; nil if it is not installed.
    let kind: InstalledKind?
    /// The parameters as a JSON object.
    let configuration: String
    /// Whether the patterns of the widget's device are too many for the push's texts.
    let isLeftOut: Bool

    /// Explains whether a push of the widget's app matches the widget.
    package func explanation(of push: ExplainedPush) -> MatchExplanation {
        guard let kind else {
            return MatchExplanation(conditions: [], obstacle: "the widget's kind is not declared")
        }
        let explanation = RuleExplainer.explain(
            rule: kind.rule,
            kindName: kind.name,
            configuration: parameters,
            payload: push.payload,
            kinds: push.kinds
        )
        if !isLeftOut || !explanation.isMatch { return explanation }
        return MatchExplanation(
            conditions: explanation.conditions,
            obstacle: "the device's widgets have too many wildcards and regular expressions for "
                + "texts as long as the push's, and are left out of it"
        )
    }

    /// The parameters as members of a JSON object.
    private var parameters: [JSONValue.Member] {
        configuration.withByteView { text in
            // Stored configurations were validated on arrival, so parsing cannot fail.
            (try? JSONValue(parsing: text))?.members ?? []
        }
    }
}
