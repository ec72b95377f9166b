internal import Basics
internal import FrameCodec
internal import WidgetMatching

/// Why a push matches nothing: the widget that came nearest, and the first condition that fails.
///
/// The work is limited by `RouterLimits.nearestWork`, done once a step for each publisher, and
/// charged to it like the search for matches.
extension Router {
    /// Adds to the outcomes of a batch's pushes without a match how many widgets there are; and to
    /// the first of these outcomes, which widget came nearest.
    mutating func explainMisses(of batch: OutcomeBatch) {
        guard let first = batch.pushes.firstIndex(where: { !$0.hasMatch }) else { return }
        let app = state.publishers.producers[batch.producer].app
        let count = state.reloads.delivery.counts(of: app).widgets
        for tag in first..<batch.pushes.count where !batch.pushes[tag].hasMatch {
            batch.setRegistered(count, of: tag)
        }
        if count == 0 || hasSearched(for: batch.session) { return }
        batch.setNearest(findNearest(to: batch.contents[first], of: app), of: first)
    }

    /// Whether a batch of this step has searched for a publisher.
    private func hasSearched(for session: FrontSession) -> Bool {
        outbox.observer.outcomes.batches.contains {
            $0.hasSearched && $0.session == session
        }
    }

    /// The widget of an app that the push comes nearest to, among those that can be examined.
    private mutating func findNearest(
        to content: OutcomeBatch.Content,
        of app: AppID
    ) -> OutcomeMessage.Nearest? {
        let payload = content.payload
        guard payload.count <= RouterLimits.nearestPayload,
            let parsed = try? WidgetMatcher.parsed(payload)
        else { return nil }
        let push = ExplainedPush(parsed, kinds: content.kinds?.strings)
        var search = NearestSearch(
            most: max(Self.fewestOfKind, Self.mostOfKind / max(1, kindCount(of: app))),
            work: RouterLimits.nearestWork - payload.count * 8 * WorkCost.scannedByte
        )
        let start = outbox.observer.outcomes.nearestStarts[app] ?? .first
        var widget = start
        var first: WidgetID?
        while search.work > 0, state.reloads.delivery.widgets.has(widget) {
            search.work -= WorkCost.record
            if isStored(widget, of: app) {
                first = first ?? widget
                examine(widget, push: push, byteCount: payload.count, app: app, in: &search)
            }
            widget = widget.successor
        }
        // If all that could be visited were widgets of other apps, the next search continues there.
        let isAtEnd = !state.reloads.delivery.widgets.has(widget)
        outbox.observer.outcomes.nearestStarts[app] = first ?? (isAtEnd ? .first : widget)
        outbox.work.charge(RouterLimits.nearestWork - search.work)
        guard let (found, failure) = search.nearest else { return nil }
        let record = state.reloads.delivery.widgets[found]
        return OutcomeMessage.Nearest(
            device: state.reloads.delivery.deviceName(record.device).string,
            widget: state.reloads.delivery.widgetName(found).string,
            kind: kindName(record.kind),
            field: quotation(failure.path),
            text: quotation(failure.sentence, limit: Self.nearestTextBytes)
        )
    }

    /// The most widgets of one kind that are examined if its app has no other kind.
    private static var mostOfKind: Int { 24 }
    /// The least number of widgets of each kind that may be examined.
    private static var fewestOfKind: Int { 4 }
    /// The longest sentence about a failing condition, in bytes.
    private static var nearestTextBytes: Int { 480 }

    func kindCount(of app: AppID) -> Int {
        state.reloads.catalog.apps[app].declaration.kinds.count
    }

    private func isStored(_ widget: WidgetID, of app: AppID) -> Bool {
        !state.reloads.delivery.widgets[widget].device.isNone
            && state.matcher.index.isStored(widget)
            && state.reloads.catalog.kinds[state.reloads.delivery.widgets[widget].kind].app == app
    }

    private func examine(
        _ widget: WidgetID,
        push: ExplainedPush,
        byteCount: Int,
        app: AppID,
        in search: inout NearestSearch
    ) {
        let kind = state.reloads.delivery.widgets[widget].kind
        if search.examined[kind, default: 0] >= search.most { return }
        search.examined[kind, default: 0] += 1
        let cost = state.matcher.index.explanationCost(
            of: widget,
            payloadByteCount: byteCount,
            limit: search.work
        )
        if cost > search.work {
            search.work -= WorkCost.look
            return
        }
        search.work -= cost
        let explanation = state.matcher.index.explain(app: app, push: push, widget: widget)
        guard explanation.obstacle == nil, let failure = explanation.firstFailure else { return }
        search.offer(widget, explanation: explanation, failure: failure)
    }
}

/// A search for the widget that a push comes nearest to.
private struct NearestSearch {
    /// The most widgets of one kind to examine.
    let most: Int
    /// The work that is left, in units of `WorkCost`.
    var work: Int
    /// How many widgets of each kind were examined.
    var examined: [KindID: Int] = [:]
    /// The widget that came nearest so far, and its first failing condition.
    private(set) var nearest: (widget: WidgetID, failure: ConditionOutcome)?
    private var nearness: Nearness?

    init(most: Int, work: Int) {
        self.most = most
        self.work = work
    }

    /// Replaces the nearest widget by one that is nearer.
    mutating func offer(
        _ widget: WidgetID,
        explanation: MatchExplanation,
        failure: ConditionOutcome
    ) {
        let offered = explanation.nearness
        if let nearness, offered >= nearness { return }
        nearest = (widget, failure)
        nearness = offered
    }
}
