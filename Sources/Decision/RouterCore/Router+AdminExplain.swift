internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
package import ReloadModel
internal import ReloadScheduling
internal import StrictJSON
internal import WidgetMatching

/// A widget, and what a push would do to it.
package struct ExplainedWidget: Equatable, Sendable {
    /// One condition of its kind's rule.
    package struct Test: Equatable, Sendable {
        package var field: String
        /// What the payload has there, as JSON.
        package var value: String
        package var test: String
        package var isHeld: Bool
    }

    package var device: String
    package var widget: String
    package var kind: String
    /// `sent`, `debounced`, `deferred`, `queued`, `held`, `coalesced`, `unchanged` or `paused`; nil of
    /// a widget that the push does not concern.
    package var outcome: String?
    /// When it would reload at the latest, in ms since 1970; nil if that is not known, or never.
    package var reloadsAt: Int64?
    package var text: String
    package var tests: [Test]
}

/// A push that is explained and not made, some widgets at a time.
///
/// A class, so that it is passed by reference; it is made once for work that takes milliseconds.
package final class ExplainWork {
    fileprivate let app: AppID
    fileprivate let kind: KindID?
    fileprivate let payload: JSONValue
    fileprivate let isUrgent: Bool
    fileprivate let limit: Int
    fileprivate let fields: PushFields
    fileprivate let push: UInt32
    /// Widgets that may be concerned, those that were explained first.
    fileprivate var candidates: [WidgetID]
    fileprivate var nextCandidate = 0
    /// Whether the candidates were found by the index, and are all concerned.
    fileprivate let areFound: Bool
    /// Where to look for near misses.
    fileprivate var nextNear: WidgetID? = 0
    fileprivate var nearLeft = Router.nearLimit
    /// Widgets that the push would concern, as far as was looked.
    package fileprivate(set) var concernedCount: Int
    /// Whether there was nothing more to look at.
    package let isWhole: Bool
    package fileprivate(set) var widgets: [ExplainedWidget] = []
    package fileprivate(set) var near: [ExplainedWidget] = []

    fileprivate init(
        _ app: AppID,
        _ kind: KindID?,
        _ payload: JSONValue,
        isUrgent: Bool,
        limit: Int,
        fields: consuming PushFields,
        push: UInt32,
        candidates: [WidgetID],
        areFound: Bool,
        isWhole: Bool
    ) {
        self.app = app
        self.kind = kind
        self.payload = payload
        self.isUrgent = isUrgent
        self.limit = limit
        self.fields = fields
        self.push = push
        self.candidates = candidates
        self.areFound = areFound
        self.isWhole = isWhole
        concernedCount = areFound ? candidates.count : 0
    }
}

@available(*, unavailable)
extension ExplainWork: Sendable {}

/// What a push would lead to, now: nothing that decides on anything is changed.
extension Router {
    /// Widgets that the index is asked for at most; of more only so many are known.
    package static var explainLimit: Int { 20_000 }
    /// Widgets that are looked at for near misses.
    package static var nearLimit: Int { 512 }

    /// Whether `beginExplaining` can be called: no batch is being searched for.
    package var canExplain: Bool { !state.fanOuts.isSearching && intake.queued.isEmpty }

    /// Looks for the widgets that a push would concern.
    ///
    /// - Parameters:
    ///   - app: by name.
    ///   - payload: the push.
    ///   - isUrgent: whether it is urgent.
    ///   - device: whose widgets alone to look at.
    ///   - kind: whose widgets alone to look at.
    ///   - limit: the most widgets to tell of.
    ///   - now: the clocks of this turn.
    /// - Returns: what is to be explained; see `goOn`.
    /// - Throws: `app-unknown`, `device-unknown`, `kind-unknown`, or why the payload is refused.
    package mutating func beginExplaining(
        app: String,
        payload: [UInt8],
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
                "the payload has \(payload.count) bytes; the longest is \(limits.maxBody) (max-body)"
            )
        }
        let app = try declaredApp(app)
        var wanted: KindID?
        if let kind {
            wanted = try kind.withByteView { (name) throws(ProtocolError) in
                try state.declaredKind(app, name)
            }
        }
        let tree: JSONValue
        var candidates: [WidgetID] = []
        var isWhole = true
        do throws(PayloadError) {
            tree = try payload.withByteView { (view) throws(PayloadError) in
                try WidgetMatcher.tree(view)
            }
            (candidates, isWhole) = try payload.withByteView { (view) throws(PayloadError) in
                // Refuses also what a tree does not; a device's widgets need no index.
                try state.matcher.find(
                    app: app,
                    payload: view,
                    limit: device == nil ? Self.explainLimit : 1
                )
            }
        } catch {
            throw ProtocolError(error)
        }
        if let wanted { candidates.removeAll { state.delivery.widgets[$0].kind != wanted } }
        if let device {
            candidates = widgets(of: try storedDevice(device, app), wanted)
            isWhole = true
        }
        var fields = PushFields(seed: state.fields.seed)
        let push =
            state.fields.catalog.observes(app)
            ? payload.withByteView { fields.read($0, app: app, catalog: state.fields.catalog) }
            : PushFields.none
        return ExplainWork(
            app,
            wanted,
            tree,
            isUrgent: isUrgent,
            limit: limit,
            fields: fields,
            push: push,
            candidates: candidates,
            areFound: device == nil,
            isWhole: isWhole
        )
    }

    private func widgets(of device: DeviceID, _ kind: KindID?) -> [WidgetID] {
        var found: [WidgetID] = []
        var widget = state.delivery.devices[device].firstWidget
        while widget != WidgetRecord.none {
            if kind == nil || state.delivery.widgets[widget].kind == kind { found.append(widget) }
            widget = state.delivery.widgets[widget].nextOfDevice
        }
        return found
    }

    /// Explains the next widget, if it is still there.
    ///
    /// - Returns: whether that was all.
    package func goOn(_ work: ExplainWork) -> Bool {
        if work.nextCandidate < work.candidates.count && work.widgets.count < work.limit {
            let widget = work.candidates[work.nextCandidate]
            work.nextCandidate += 1
            if isExplainable(widget, work) { explain(widget, work) }
            return false
        }
        // A device's own widgets have been told of, concerned or not.
        if !work.areFound { return true }
        return lookForNearMisses(work)
    }

    /// Whether the widget is one of the app still: there may have been other turns since.
    private func isExplainable(_ widget: WidgetID, _ work: ExplainWork) -> Bool {
        state.matcher.index.isStored(widget)
            && state.catalog.kinds[Int(state.delivery.widgets[widget].kind)].app == work.app
    }

    private func explain(_ widget: WidgetID, _ work: ExplainWork) {
        let explanation = state.matcher.index.explain(work.app, work.payload, widget)
        if !explanation.isMatch {
            if !work.areFound { work.near.append(told(widget, explanation)) }
            return
        }
        if !work.areFound { work.concernedCount += 1 }
        var told = told(widget, explanation)
        let outcome = outcome(of: widget, work)
        told.outcome = outcome.name
        told.reloadsAt = outcome.until.map { state.wallTime(ofMonotonic: $0) }
        told.text = "\(explanation.sentence) \(outcome.text)"
        work.widgets.append(told)
    }

    private func lookForNearMisses(_ work: ExplainWork) -> Bool {
        guard let next = work.nextNear, work.nearLeft > 0, work.near.count < work.limit else {
            return true
        }
        work.nearLeft -= 1
        work.nextNear = next + 1
        if next >= state.delivery.widgets.end {
            work.nextNear = nil
            return true
        }
        let isWanted = work.kind == nil || state.delivery.widgets[next].kind == work.kind
        guard isWanted, isExplainable(next, work) else { return false }
        let explanation = state.matcher.index.explain(work.app, work.payload, next)
        if !explanation.isNearMiss { return false }
        work.near.append(told(next, explanation))
        return false
    }

    private func told(_ widget: WidgetID, _ explanation: MatchExplanation) -> ExplainedWidget {
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
                    isHeld: condition.holds
                )
            }
        )
    }

    // MARK: - What would be decided

    private struct Outcome {
        var name: String
        /// On the monotonic clock.
        var until: Int64?
        var text: String
    }

    /// What `take` would do, as long as nothing else happens.
    private func outcome(of widget: WidgetID, _ work: ExplainWork) -> Outcome {
        if state.paused.has(work.app) {
            return Outcome(name: "paused", text: "The app is paused: its pushes are not taken.")
        }
        let record = state.delivery.widgets[widget]
        let rules = state.rules(of: widget)
        if rules.hasFields && !isChange(widget, work) {
            return said(widget, "unchanged", .unchanged)
        }
        let wish = ReloadWish(cause: .push, isUrgent: work.isUrgent)
        let debounces = !work.isUrgent && rules.debounceWait > 0
        var joined = record
        joined.cause = .push
        joined.rights =
            record.stage == .idle ? wish.rights : record.rights.union(wish.joiningRights)
        switch record.stage {
        case .idle where debounces:
            let wait = min(rules.debounceWait, rules.debounceLongest)
            return said(widget, "debounced", .debounced, until: state.clock.now.monotonic + wait)
        case .idle: return decided(widget, joined, work)
        case .debounced where debounces:
            let limit = record.stormLimit.wait(from: state.clock.now.monotonic)
            let wait = min(rules.debounceWait, limit)
            return said(widget, "debounced", .debounced, until: state.clock.now.monotonic + wait)
        case .debounced: return decided(widget, joined, work)
        case .deferred where joined.rights == record.rights:
            return said(widget, "coalesced", .coalesced, until: state.earliest(widget).time)
        case .deferred where !record.rights.contains(.isNoRequest) && debounces:
            let wait = min(rules.debounceWait, rules.debounceLongest)
            return said(widget, "debounced", .debounced, until: state.clock.now.monotonic + wait)
        case .deferred: return decided(widget, joined, work)
        case .queued:
            let wait = state.origins[rules.origin].expectedWait(at: state.clock.schedule.now)
            return said(widget, "coalesced", .coalesced, until: state.clock.now.monotonic + wait)
        case .held, .ready: return said(widget, "coalesced", .coalesced)
        }
    }

    private func isChange(_ widget: WidgetID, _ work: ExplainWork) -> Bool {
        state.fields.widgets.wouldChange(
            widget,
            by: work.push,
            of: work.fields,
            kind: state.delivery.widgets[widget].kind,
            catalog: state.fields.catalog
        )
    }

    /// What `decide` would do.
    private func decided(
        _ widget: WidgetID,
        _ record: WidgetRecord,
        _ work: ExplainWork
    ) -> Outcome {
        if !state.delivery.isAttached(state.delivery.devices[record.device]) {
            return said(widget, "held", .offline)
        }
        let (time, reason) = state.earliest(widget, as: record)
        if time > state.clock.now.monotonic { return said(widget, "deferred", reason, until: time) }
        let rules = state.rules(of: widget)
        let isBrought =
            rules.carries
            && state.fields.widgets.wouldHaveAllCarried(
                widget,
                by: work.push,
                of: work.fields,
                kind: record.kind,
                catalog: state.fields.catalog
            )
        if rules.isPaced && !isBrought {
            let permits = state.origins[rules.origin].ledger.permits(at: state.clock.schedule.now)
            let demand = max(1, work.concernedCount)
            if !state.origins[rules.origin].queue.isEmpty || permits < demand {
                let wait = state.origins[rules.origin].expectedWait(
                    at: state.clock.schedule.now,
                    of: demand
                )
                return said(widget, "queued", .spread, until: state.clock.now.monotonic + wait)
            }
        }
        return Outcome(name: "sent", until: state.clock.now.monotonic, text: "Reloads at once.")
    }

    private func said(
        _ widget: WidgetID,
        _ name: String,
        _ reason: DecisionReason,
        until: Int64? = nil
    ) -> Outcome {
        var spent: String?
        if reason == .budget, let budget = budget(of: widget) {
            spent = DecisionSentence.spent(
                used: budget.used,
                allowance: budget.allowance,
                reserve: budget.reserve
            )
        }
        let sentence = sentences(of: state.delivery.widgets[widget].kind).text(reason, spent: spent)
        return Outcome(
            name: name,
            until: until,
            text: sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
        )
    }
}
