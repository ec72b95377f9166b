package import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// The explanation of a push that is not really made: what the loop finds out about some widgets at
/// a time. What takes long, comparing rules with the payload, is the `Explanation` that it leads
/// to.
///
/// A class, so that it is passed by reference; one is allocated for work that takes milliseconds.
package final class ExplainWork {
    let app: AppID
    /// The only kind whose widgets are examined; nil for all kinds.
    let kind: KindID?
    let isUrgent: Bool
    /// The values of the payload's observed fields.
    let fields: PushFields
    /// The handle of the push in `fields`; `none` if no kind of the app observes fields.
    let push: PushHandle
    /// Where the push is applied to copies of widgets' values.
    var trial = WidgetFields()
    /// Widgets that the push may match, in the order in which they are explained.
    let candidates: [WidgetID]
    /// The most patterns that a device may have for its widgets not to be left out of the push.
    let patternMost: Int
    /// The index in `candidates` of the next widget to explain.
    var nextCandidate = 0
    /// Which widgets are examined for near misses.
    var nearMisses: NearMissSearch
    /// What was found out so far.
    package internal(set) var explanation: Explanation

    init(
        app: AppID,
        kind: KindID?,
        isUrgent: Bool,
        fields: consuming PushFields,
        push: PushHandle,
        candidates: [WidgetID],
        patternMost: Int,
        nearMisses: NearMissSearch,
        explanation: Explanation
    ) {
        self.app = app
        self.kind = kind
        self.isUrgent = isUrgent
        self.fields = fields
        self.push = push
        self.candidates = candidates
        self.patternMost = patternMost
        self.nearMisses = nearMisses
        self.explanation = explanation
    }

    /// Lets all widgets be examined for near misses, and not only as many as a router that serves
    /// can afford.
    package func examineAll() { nearMisses.examineAll() }
}

/// Explaining what a push would lead to now; nothing that decisions depend on is changed.
extension Router {
    /// The largest number of matching widgets that one explanation searches for.
    package static var explainLimit: Int { 20_000 }
    /// The largest number of widgets that are examined for near misses: of all kinds that are asked
    /// for together, each of which has an equal share.
    package static var nearMissLimit: Int { 512 }
    /// The least number of widgets of each kind that are examined, as long as there is room.
    static var fewestNearMisses: Int { 16 }
    /// The largest number of widgets of all apps among which these are looked for; the next search
    /// of the app continues there if there is none of its widgets among them.
    static var nearLookLimit: Int { 1 << 20 }
    /// How many of them one step looks at.
    private static var looksAtOnce: Int { 1_024 }

    /// Whether `beginExplaining` can be called: no search is running, and no push waits for one.
    package var canExplain: Bool { !state.fanOuts.isSearching && intake.queued.isEmpty }

    /// Searches for the widgets that a push would match, which may be narrowed to `kinds`, among
    /// those of one device and of one kind (nil for all). At most `limit` of them are explained,
    /// and at most `near` near misses; `resume` continues the work.
    ///
    /// - Throws: `app-unknown`, `device-unknown`, `kind-unknown`, or why the payload is refused.
    package mutating func beginExplaining(
        app: String,
        payload: [UInt8],
        kinds: [String]? = nil,
        isUrgent: Bool,
        device: String?,
        kind: String?,
        limit: Int,
        near: Int = Explanation.usualNear,
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
                try state.reloads.catalog.declaredKind(of: app, named: name)
            }
        }
        var candidates: [WidgetID] = []
        var isWhole = true
        let patternMost: Int
        let names = try kinds.map { (kinds) throws(ProtocolError) in try Self.encoded(kinds) }
        do throws(PayloadError) {
            defer { charge(intake.scanner.value.work + state.matcher.enqueueWork) }
            // If a device is named, all its widgets are candidates: the search only checks the
            // payload.
            (candidates, isWhole, patternMost) = try find(
                app: app,
                payload: payload,
                names: names,
                limit: device == nil ? Self.explainLimit : 0
            )
            if device == nil { charge(state.matcher.spentWork) }
        } catch {
            throw ProtocolError(error)
        }
        if let wanted { candidates.removeAll { state.reloads.delivery.widgets[$0].kind != wanted } }
        if let device {
            candidates = widgets(of: try storedDevice(device, of: app), kind: wanted)
            isWhole = true
        }
        var fields = PushFields(seed: state.reloads.fields.seed)
        let push = read(payload, of: app, into: &fields)
        return ExplainWork(
            app: app,
            kind: wanted,
            isUrgent: isUrgent,
            fields: fields,
            push: push,
            candidates: candidates,
            patternMost: patternMost,
            nearMisses: nearMissSearch(of: app, kind: kind),
            explanation: Explanation(
                payload: payload,
                kinds: kinds,
                limit: limit,
                nearMost: near,
                foundCount: device == nil ? candidates.count : nil,
                isWhole: isWhole
            )
        )
    }

    private func nearMissSearch(of app: AppID, kind: String?) -> NearMissSearch {
        NearMissSearch(
            from: outbox.observer.outcomes.nearestStarts[app] ?? .first,
            count: state.reloads.delivery.widgets.ids.count,
            kinds: kind == nil ? kindCount(of: app) : 1
        )
    }

    /// Reads the fields of a payload that the app's kinds observe or inline.
    private func read(
        _ payload: [UInt8],
        of app: AppID,
        into fields: inout PushFields
    ) -> PushHandle {
        if !state.reloads.fields.catalog.hasFields(of: app) { return .none }
        return payload.withByteView {
            fields.read($0, app: app, catalog: state.reloads.fields.catalog)
        }
    }

    /// Finds the widgets that a push matches, at a bounded cost.
    private mutating func find(
        app: AppID,
        payload: [UInt8],
        names: [UInt8]?,
        limit: Int
    ) throws(PayloadError) -> (widgets: [WidgetID], isWhole: Bool, patternMost: Int) {
        try payload.withByteView { (view) throws(PayloadError) in
            try (names ?? []).withByteView { (bytes) throws(PayloadError) in
                try state.matcher.find(
                    app: app,
                    payload: view,
                    kinds: names == nil ? nil : KindNames(bytes),
                    limit: limit,
                    with: &intake.scanner.value
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
        var widget = state.reloads.delivery.devices[device].firstWidget
        while !widget.isNone {
            if kind == nil || state.reloads.delivery.widgets[widget].kind == kind {
                found.append(widget)
            }
            widget = state.reloads.delivery.widgets[widget].nextOfDevice
        }
        return found
    }

    /// Finds out about the next widget, if it is still stored, or the next one that may be a near
    /// miss. Returns whether everything is known.
    package mutating func resume(_ work: ExplainWork) -> Bool {
        let isLimited = work.explanation.foundCount != nil
        if work.nextCandidate < work.candidates.count
            && !(isLimited && work.explanation.widgets.count >= work.explanation.limit)
        {
            let widget = work.candidates[work.nextCandidate]
            work.nextCandidate += 1
            if isExplainable(widget, for: work) { explain(widget, for: work) }
            return false
        }
        // All widgets of the device are explained, whether the push matches them or not.
        if !isLimited { return true }
        return lookForNearMisses(work)
    }

    /// Whether the widget still belongs to the app: other ticks may have passed since it was found.
    private func isExplainable(_ widget: WidgetID, for work: ExplainWork) -> Bool {
        state.matcher.index.isStored(widget)
            && state.reloads.catalog.kinds[state.reloads.delivery.widgets[widget].kind].app
                == work.app
    }

    private func explain(_ widget: WidgetID, for work: ExplainWork) {
        var candidate = candidate(widget, for: work)
        let outcome = outcome(of: widget, for: work)
        candidate.outcome = Explanation.Outcome(
            name: outcome.name,
            reloadsAt: outcome.until.map { state.reloads.clock.wallTime(ofMonotonic: $0) },
            text: outcome.text
        )
        work.explanation.widgets.append(candidate)
    }

    private mutating func lookForNearMisses(_ work: ExplainWork) -> Bool {
        for _ in 0..<Self.looksAtOnce where work.nearMisses.isOpen {
            let widget = work.nearMisses.look()
            if !isExplainable(widget, for: work) { continue }
            if !work.nearMisses.hasFoundOwn {
                outbox.observer.outcomes.nearestStarts[work.app] = widget
                work.nearMisses.hasFoundOwn = true
            }
            let kind = state.reloads.delivery.widgets[widget].kind
            if work.kind != nil && work.kind != kind { continue }
            if !work.nearMisses.takes(kind) { continue }
            work.explanation.others.append(candidate(widget, for: work))
            return false
        }
        if work.nearMisses.isOpen { return false }
        if !work.nearMisses.hasFoundOwn {
            outbox.observer.outcomes.nearestStarts[work.app] = work.nearMisses.next
        }
        return true
    }

    private func candidate(_ widget: WidgetID, for work: ExplainWork) -> Explanation.Candidate {
        let record = state.reloads.delivery.widgets[widget]
        return Explanation.Candidate(
            device: state.reloads.delivery.deviceName(record.device).string,
            widget: state.reloads.delivery.widgetName(widget).string,
            kind: kindName(record.kind),
            subject: state.matcher.index.explainable(widget, patternMost: work.patternMost)
        )
    }
}
