internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
package import ReloadModel
internal import ReloadScheduling
internal import StrictJSON
package import Times
internal import WidgetMatching

/// A widget, and what a push would lead to for it.
package struct ExplainedWidget: Equatable, Sendable {
    /// One condition of the kind's rule, and whether the push meets it.
    package struct Test: Equatable, Sendable {
        /// The path of the payload's field that the condition is about.
        package var field: String
        /// The field's value in the payload, as JSON.
        package var value: String
        /// The test that the value has to pass, as text.
        package var test: String
        /// Whether the value passes the test.
        package var isMet: Bool
    }

    /// The device's name.
    package var device: String
    /// The widget's name.
    package var widget: String
    /// The name of the widget's kind.
    package var kind: String
    /// `sent`, `pushed`, `debounced`, `deferred`, `queued`, `held`, `coalesced`, `unchanged` or
    /// `paused`; nil for a widget that the push does not match.
    package var outcome: String?
    /// When it would reload at the latest; nil if that is not known, or if it would not reload.
    package var reloadsAt: WallTime?
    /// Why the push matches the widget or not, and what would be decided, as sentences.
    package var text: String
    /// The conditions of the kind's rule, in the order of the rule, with what the payload has for
    /// each.
    package var tests: [Test]
}

/// The explanation of a push that is not really made, which proceeds some widgets at a time.
///
/// A class, so that it is passed by reference; one is allocated for work that takes milliseconds.
package final class ExplainWork {
    let app: AppID
    /// The only kind whose widgets are examined; nil for all kinds.
    let kind: KindID?
    let content: ExplainedPush
    let isUrgent: Bool
    /// The largest number of widgets to explain, and of near misses.
    let limit: Int
    /// The values of the payload's observed fields.
    let fields: PushFields
    /// The handle of the push in `fields`; `none` if no kind of the app observes fields.
    let push: PushHandle
    /// Widgets that the push may match, in the order in which they are explained.
    var candidates: [WidgetID]
    /// The index in `candidates` of the next widget to explain.
    var nextCandidate = 0
    /// Whether the candidates were found by the index, and therefore all match.
    let areFound: Bool
    /// The next widget to examine for a near miss; nil if none is left.
    var nextNearMiss: WidgetID? = .first
    /// How many more widgets may be examined for near misses.
    var nearMissesLeft = Router.nearMissLimit
    /// The number of widgets that the push would match, among those that were examined.
    package internal(set) var matchCount: Int
    /// Whether the search has found all matching widgets, and did not stop at `explainLimit`.
    package let isWhole: Bool
    /// The widgets that the push would match, with what would be decided.
    package internal(set) var widgets: [ExplainedWidget] = []
    /// Widgets that the push does not match: near misses, which fail exactly one condition, or, if
    /// one device was named, all other widgets of that device.
    package internal(set) var nearMisses: [ExplainedWidget] = []

    init(
        app: AppID,
        kind: KindID?,
        content: ExplainedPush,
        isUrgent: Bool,
        limit: Int,
        fields: consuming PushFields,
        push: PushHandle,
        candidates: [WidgetID],
        areFound: Bool,
        isWhole: Bool
    ) {
        self.app = app
        self.kind = kind
        self.content = content
        self.isUrgent = isUrgent
        self.limit = limit
        self.fields = fields
        self.push = push
        self.candidates = candidates
        self.areFound = areFound
        self.isWhole = isWhole
        matchCount = areFound ? candidates.count : 0
    }
}

@available(*, unavailable)
extension ExplainWork: Sendable {}

/// Explaining what a push would lead to now; nothing that decisions depend on is changed.
extension Router {
    /// The largest number of matching widgets that one explanation searches for.
    package static var explainLimit: Int { 20_000 }
    /// The largest number of widgets that are examined for near misses.
    package static var nearMissLimit: Int { 512 }

    /// Whether `beginExplaining` can be called: no search is running, and no push waits for one.
    package var canExplain: Bool { !state.fanOuts.isSearching && intake.queued.isEmpty }

    /// Searches for the widgets that a push would match.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - payload: the push's payload.
    ///   - kinds: the kinds to which the push is narrowed; nil if it is not.
    ///   - isUrgent: whether the push is urgent.
    ///   - device: the only device whose widgets are examined; nil for all devices.
    ///   - kind: the only kind whose widgets are examined; nil for all kinds.
    ///   - limit: the largest number of widgets to explain, and of near misses.
    ///   - now: the present time.
    /// - Returns: the work that `resume` continues.
    /// - Throws: `app-unknown`, `device-unknown`, `kind-unknown`, or why the payload is refused.
    package mutating func beginExplaining(
        app: String,
        payload: [UInt8],
        kinds: [String]? = nil,
        isUrgent: Bool,
        device: String?,
        kind: String?,
        limit: Int,
        now: Instant
    ) throws(ProtocolError) -> ExplainWork {
        tick(now)
        if payload.count > limits.maxBody {
            throw ProtocolError(
                .frameLength,
                message:
                    "the payload has \(payload.count) bytes; the longest is \(limits.maxBody) (max-body)"
            )
        }
        let app = try declaredApp(app)
        var wanted: KindID?
        if let kind {
            wanted = try kind.withByteView { (name) throws(ProtocolError) in
                try state.declaredKind(of: app, named: name)
            }
        }
        let parsed: JSONValue
        var candidates: [WidgetID] = []
        var isWhole = true
        let names = try kinds.map { (kinds) throws(ProtocolError) in try Self.encoded(kinds) }
        // The search also refuses some payloads that `parsed` accepts. So it runs, briefly, even if
        // a device is named, all of whose widgets are candidates.
        let searched = device == nil ? Self.explainLimit : 1
        do throws(PayloadError) {
            parsed = try payload.withByteView { (view) throws(PayloadError) in
                try WidgetMatcher.parsed(view)
            }
            (candidates, isWhole) = try find(
                app: app,
                payload: payload,
                names: names,
                limit: searched
            )
        } catch {
            throw ProtocolError(error)
        }
        if let wanted { candidates.removeAll { state.delivery.widgets[$0].kind != wanted } }
        if let device {
            candidates = widgets(of: try storedDevice(device, of: app), kind: wanted)
            isWhole = true
        }
        var fields = PushFields(seed: state.fields.seed)
        let push =
            state.fields.catalog.hasFields(of: app)
            ? payload.withByteView { fields.read($0, app: app, catalog: state.fields.catalog) }
            : .none
        return ExplainWork(
            app: app,
            kind: wanted,
            content: ExplainedPush(parsed, kinds: kinds),
            isUrgent: isUrgent,
            limit: limit,
            fields: fields,
            push: push,
            candidates: candidates,
            areFound: device == nil,
            isWhole: isWhole
        )
    }

    /// Finds the widgets that a push matches, at a bounded cost.
    private mutating func find(
        app: AppID,
        payload: [UInt8],
        names: [UInt8]?,
        limit: Int
    ) throws(PayloadError) -> (widgets: [WidgetID], isWhole: Bool) {
        try payload.withByteView { (view) throws(PayloadError) in
            try (names ?? []).withByteView { (bytes) throws(PayloadError) in
                try state.matcher.find(
                    app: app,
                    payload: view,
                    kinds: names == nil ? nil : KindNames(bytes),
                    limit: limit
                )
            }
        }
    }

    /// The names of kinds as a push has them.
    private static func encoded(_ kinds: [String]) throws(ProtocolError) -> [UInt8] {
        guard let names = KindNames.encode(kinds) else {
            throw ProtocolError(
                .payloadKinds,
                message: "the kinds are no names of 1 to \(RouterLimits.identifierBytes) bytes, or "
                    + "too many"
            )
        }
        return names
    }

    private func widgets(of device: DeviceID, kind: KindID?) -> [WidgetID] {
        var found: [WidgetID] = []
        var widget = state.delivery.devices[device].firstWidget
        while !widget.isNone {
            if kind == nil || state.delivery.widgets[widget].kind == kind { found.append(widget) }
            widget = state.delivery.widgets[widget].nextOfDevice
        }
        return found
    }

    /// Explains the next widget, if it is still stored, or examines the next one for a near miss.
    ///
    /// - Returns: whether the explanation is complete.
    package func resume(_ work: ExplainWork) -> Bool {
        if work.nextCandidate < work.candidates.count && work.widgets.count < work.limit {
            let widget = work.candidates[work.nextCandidate]
            work.nextCandidate += 1
            if isExplainable(widget, for: work) { explain(widget, for: work) }
            return false
        }
        // All widgets of the device have been explained, whether the push matches them or not.
        if !work.areFound { return true }
        return lookForNearMisses(work)
    }

    /// Whether the widget still belongs to the app: other ticks may have passed since it was found.
    private func isExplainable(_ widget: WidgetID, for work: ExplainWork) -> Bool {
        state.matcher.index.isStored(widget)
            && state.catalog.kinds[state.delivery.widgets[widget].kind].app == work.app
    }

    private func explain(_ widget: WidgetID, for work: ExplainWork) {
        let explanation = state.matcher.index.explain(
            app: work.app,
            push: work.content,
            widget: widget
        )
        if !explanation.isMatch {
            if !work.areFound { work.nearMisses.append(reported(widget, explanation: explanation)) }
            return
        }
        if !work.areFound { work.matchCount += 1 }
        var reported = reported(widget, explanation: explanation)
        let outcome = outcome(of: widget, for: work)
        reported.outcome = outcome.name
        reported.reloadsAt = outcome.until.map { state.wallTime(ofMonotonic: $0) }
        reported.text = "\(explanation.sentence) \(outcome.text)"
        work.widgets.append(reported)
    }

    private func lookForNearMisses(_ work: ExplainWork) -> Bool {
        guard let next = work.nextNearMiss, work.nearMissesLeft > 0,
            work.nearMisses.count < work.limit
        else {
            return true
        }
        work.nearMissesLeft -= 1
        if !state.delivery.widgets.has(next) {
            work.nextNearMiss = nil
            return true
        }
        work.nextNearMiss = next.successor
        let isWanted = work.kind == nil || state.delivery.widgets[next].kind == work.kind
        guard isWanted, isExplainable(next, for: work) else { return false }
        let explanation = state.matcher.index.explain(
            app: work.app,
            push: work.content,
            widget: next
        )
        if !explanation.isNearMiss { return false }
        work.nearMisses.append(reported(next, explanation: explanation))
        return false
    }

    private func reported(_ widget: WidgetID, explanation: MatchExplanation) -> ExplainedWidget {
        let record = state.delivery.widgets[widget]
        return ExplainedWidget(
            device: state.delivery.deviceName(record.device).string,
            widget: state.delivery.widgetName(widget).string,
            kind: kindName(record.kind),
            text: explanation.sentence,
            tests: explanation.conditions.map { condition in
                ExplainedWidget.Test(
                    field: condition.path,
                    value: condition.passingValue ?? condition.value,
                    test: condition.passingTest ?? condition.test,
                    isMet: condition.holds
                )
            }
        )
    }
}
