package import Basics
internal import FrameCodec
internal import ReloadScheduling

/// What became of pushes, as operators see it: from the last pushes (`PushLog`) and the decisions
/// on the widgets that they have matched. Both are of this process.
extension Router {
    // MARK: - Lists of pushes

    /// Begins a list, still empty until `resume`, of at most `limit` of an app's last pushes, the
    /// newest first, that were accepted before the one with the fan-out number `end` (nil for all):
    /// of one producer or all, and of the request with one key or all.
    ///
    /// - Throws: `app-unknown`.
    package func beginPushes(
        app: String,
        producer: String?,
        key: UInt64?,
        before end: UInt64?,
        limit: Int
    ) throws(ProtocolError) -> PushWalk {
        let app = try declaredApp(app)
        let numbers = outbox.observer.pushes.numbers
        return PushWalk(
            app: app,
            // A producer that is not known has sent nothing.
            producer: producer.map { find(producer: $0, of: app) ?? .none },
            key: key,
            limit: limit,
            end: min(end ?? .max, numbers.upperBound)
        )
    }

    /// Examines the next `count` pushes for a list. Returns whether the list is complete.
    package func resume(_ walk: inout PushWalk, count: Int) -> Bool {
        let first = outbox.observer.pushes.numbers.lowerBound
        for _ in 0..<count {
            if walk.end <= first { return true }
            let number = walk.end - 1
            if let push = outbox.observer.pushes.push(number), isListed(push, by: walk) {
                if walk.pushes.count == walk.limit {
                    walk.next = walk.end
                    return true
                }
                walk.pushes.append(view(of: push))
            }
            walk.end = number
        }
        return false
    }

    private func isListed(_ push: LoggedPush, by walk: PushWalk) -> Bool {
        if let producer = walk.producer, producer != push.producer { return false }
        if let key = walk.key, key != push.key { return false }
        return state.publishers.producers[push.producer].app == walk.app
    }

    private func find(producer: String, of app: AppID) -> ProducerID? {
        producer.withByteView { state.publishers.producers.find(of: app, named: $0) }
    }

    /// The view of a push whose producer is known.
    func view(of push: LoggedPush) -> PushView {
        PushView(
            producer: state.publishers.producers.name(push.producer).string,
            seq: push.seq,
            at: push.at,
            matched: Int(push.matched)
        )
    }

    // MARK: - One push

    /// Begins the history of a push, which is searched for first: a page of at most `limit` of the
    /// widgets that it matches, after the match at a position (nil for the first).
    ///
    /// - Throws: `app-unknown` as a refusal, `producer-unknown` or `push-unknown`.
    package func beginHistory(
        app name: String,
        producer: String,
        seq: UInt64,
        after position: Int?,
        limit: Int
    ) throws(HistoryWalk.Refusal) -> HistoryWalk {
        let app: AppID
        do throws(ProtocolError) {
            app = try declaredApp(name)
        } catch {
            throw HistoryWalk.Refusal(code: error.code.rawValue, detail: error.message)
        }
        guard let number = find(producer: producer, of: app) else {
            throw HistoryWalk.Refusal(
                code: "producer-unknown",
                detail: "no producer \(quotation(producer)) of \(quotation(name)) is known"
            )
        }
        if state.publishers.producers.rejections.has(seq, of: number) {
            throw .pushUnknown("push \(seq) of \(quotation(producer)) was refused")
        }
        let last = state.publishers.producers[number].lastSeq
        if seq > last {
            throw .pushUnknown(
                "\(quotation(producer)) has not sent push \(seq) yet; "
                    + (last == 0 ? "it has sent none" : "its last one is \(last)")
            )
        }
        return HistoryWalk(
            app: app,
            producer: number,
            seq: seq,
            limit: limit,
            isFirst: position == nil,
            number: outbox.observer.pushes.numbers.upperBound,
            position: position.map { $0 + 1 } ?? 0
        )
    }

    /// Examines the next `count` pushes or widgets for a history. Returns whether the page is
    /// complete.
    ///
    /// - Throws: `push-unknown`.
    package mutating func resume(
        _ walk: inout HistoryWalk,
        count: Int,
        now: Instant
    ) throws(HistoryWalk.Refusal) -> Bool {
        guard let push = walk.push else {
            try search(&walk, count: count)
            return false
        }
        tick(now)
        let kept = outbox.observer.pushes.keptMatches(of: push)
        // Matches that were dropped since the page before are not known any more.
        walk.position = max(walk.position, kept.lowerBound)
        let end = min(walk.position + count, kept.upperBound)
        while walk.position < end {
            let isFull = walk.history!.widgets.count == walk.limit
            if isFull {
                walk.history!.next = walk.history!.next ?? walk.position - 1
                if !walk.isFirst { return true }
            }
            let widget = outbox.observer.pushes.match(
                walk.position,
                of: push,
                number: walk.number
            )
            add(widget, to: &walk, push: push, isListed: !isFull)
            walk.position += 1
        }
        if walk.position < kept.upperBound { return false }
        if walk.isFirst { countUnknown(of: push, in: &walk.history!) }
        return true
    }

    /// Searches the next `count` pushes for the one whose history is made.
    private func search(_ walk: inout HistoryWalk, count: Int) throws(HistoryWalk.Refusal) {
        let producer = state.publishers.producers[walk.producer]
        let name = quotation(state.publishers.producers.name(walk.producer).string)
        let numbers = outbox.observer.pushes.numbers
        for _ in 0..<count {
            if walk.number <= numbers.lowerBound {
                throw .pushUnknown(
                    "push \(walk.seq) of \(name) is not kept any more: only the last "
                        + "\(outbox.observer.pushes.capacity) pushes are, and none from before "
                        + "the router's start"
                )
            }
            walk.number -= 1
            guard let push = outbox.observer.pushes.push(walk.number),
                push.producer == walk.producer, push.seq <= walk.seq
            else { continue }
            if push.seq < walk.seq {
                throw .pushUnknown(
                    "no push \(walk.seq) of \(name) was accepted: after \(push.seq) came one with a "
                        + "higher number"
                )
            }
            assert(producer.app == walk.app, "the producer is of another app")
            walk.push = push
            let oldest = outbox.observer.pushes.push(numbers.lowerBound) ?? push
            walk.history = PushHistory(
                app: state.reloads.catalog.apps[walk.app].declaration.app,
                push: view(of: push),
                keptSince: oldest.at,
                outcomes: walk.isFirst ? [:] : nil,
                kinds: walk.isFirst ? [:] : nil
            )
            return
        }
    }

    /// Counts the widgets that the push matches and whose numbers are not kept.
    private func countUnknown(of push: LoggedPush, in history: inout PushHistory) {
        let known = history.outcomes!.values.reduce(0, +)
        if known < Int(push.matched) {
            history.outcomes!["unknown", default: 0] += Int(push.matched) - known
        }
    }

    /// Adds a widget that the push matches, nil if it was removed since, to the counts and, if it
    /// `isListed`, to the page.
    private func add(
        _ widget: WidgetID?,
        to walk: inout HistoryWalk,
        push: LoggedPush,
        isListed: Bool
    ) {
        guard let widget else {
            walk.history!.outcomes?[DecisionReason.removed.name, default: 0] += 1
            return
        }
        let outcome = pushedOutcome(of: widget, for: push, number: walk.number)
        let kind = state.reloads.delivery.widgets[widget].kind
        walk.history!.outcomes?[outcome.name, default: 0] += 1
        if walk.isFirst { walk.history!.kinds?[kindName(kind), default: 0] += 1 }
        if !isListed { return }
        let device = state.reloads.delivery.widgets[widget].device
        walk.history!.widgets.append(
            PushedWidget(
                device: state.reloads.delivery.deviceName(device).string,
                widget: state.reloads.delivery.widgetName(widget).string,
                kind: kindName(kind),
                outcome: outcome.name,
                at: outcome.at,
                until: outcome.until,
                first: outcome.first == outcome.reason ? nil : outcome.first,
                why: outcome.reason.flatMap { sentences(of: kind).why($0) }
            )
        )
    }

    /// What became of a push for a widget.
    private struct PushedOutcome {
        var name: String
        var reason: DecisionReason?
        var at: WallTime?
        var until: WallTime?
        /// What was decided when the push came; nil if nothing was, or that is not kept.
        var first: DecisionReason?
    }

    private func pushedOutcome(
        of widget: WidgetID,
        for push: LoggedPush,
        number: UInt64
    ) -> PushedOutcome {
        let device = state.reloads.delivery.widgets[widget].device
        var story = PushStory(push, number: number, widget: widget)
        let isFull = outbox.observer.decisions.isFull(device)
        outbox.observer.decisions.forEach(device) { story.add($0, isFull: isFull) }
        switch story.end {
        case .decided(let decision):
            return PushedOutcome(
                name: decision.reason.name,
                reason: decision.reason,
                at: decision.at,
                first: story.own?.reason
            )
        case .waits:
            guard let wait = state.reloads.wait(of: widget) else { break }
            return PushedOutcome(
                name: wait.reason?.name ?? "ready",
                reason: wait.reason,
                until: wait.until,
                first: story.own?.reason
            )
        case .unknown: break
        }
        return PushedOutcome(name: "unknown")
    }
}

extension HistoryWalk.Refusal {
    /// Nothing is known of the push.
    fileprivate static func pushUnknown(_ detail: String) -> Self {
        Self(code: "push-unknown", detail: detail)
    }
}
