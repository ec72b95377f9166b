package import Basics
internal import FrameCodec
internal import ReloadScheduling

/// What became of pushes, for operators and for those who have sent them: from the last pushes
/// (`PushLog`) and the decisions on the widgets that they have matched. Both are of this process.
///
///     begin ─► a walk ─► resume, resume … ─► a page
///
/// A walk refers to numbers that may be another's when it is resumed. So it keeps names, and asks
/// the log, which knows what was removed since.
extension Router {
    // MARK: - Lists of pushes

    /// Begins a list, still empty until `resume`, of at most `limit` of an app's last pushes, the
    /// newest first, that were accepted before the one with the fan-out number `end` (nil for all):
    /// of one producer or all, and of the request or the event with one name or all.
    ///
    /// - Throws: `app-unknown`.
    package func beginPushes(
        app: String,
        producer: String?,
        named name: RequestKey?,
        before end: UInt64?,
        limit: Int
    ) throws(HistoryRefusal) -> PushWalk {
        let app = try historyApp(app)
        let numbers = outbox.observer.pushes.numbers
        return PushWalk(
            app: app,
            // A producer that is not known has sent nothing.
            producer: producer.map { find(producer: $0, of: app) ?? .none },
            name: name,
            limit: limit,
            isFirst: end == nil,
            end: min(end ?? .max, numbers.upperBound)
        )
    }

    /// Examines the next `count` pushes for a list. Returns whether the list is complete.
    ///
    /// - Throws: `push-unknown` or `push-forgotten`, if none has the name that is asked for.
    package func resume(
        _ walk: inout PushWalk,
        count: Int
    ) throws(HistoryRefusal) -> Bool {
        let first = outbox.observer.pushes.numbers.lowerBound
        for _ in 0..<count {
            if walk.end <= first {
                try requireNamed(walk)
                return true
            }
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
        if let name = walk.name, name.high != push.key { return false }
        return state.publishers.producers[push.producer].app == walk.app
    }

    /// Refuses a whole list without a push of the name that is asked for.
    private func requireNamed(_ walk: PushWalk) throws(HistoryRefusal) {
        guard let name = walk.name, walk.isFirst, walk.pushes.isEmpty else { return }
        if let known = progress(of: name) {
            throw HistoryRefusal(
                code: .pushForgotten,
                detail: "\(known.accepted) pushes of the request were accepted, and are forgotten: "
                    + Self.keptText(outbox.observer.pushes.capacity)
            )
        }
        throw HistoryRefusal(
            code: .pushUnknown,
            detail: "no push of such a request or event is known: "
                + Self.keptText(outbox.observer.pushes.capacity)
        )
    }

    /// Says which pushes are kept.
    private static func keptText(_ capacity: Int) -> String {
        "only the last \(capacity) pushes are kept, and none from before the router's start"
    }

    private func historyApp(_ name: String) throws(HistoryRefusal) -> AppID {
        do throws(ProtocolError) {
            return try declaredApp(name)
        } catch {
            throw HistoryRefusal(code: .appUnknown, detail: error.message)
        }
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
    /// - Throws: why nothing is known of it.
    package func beginHistory(
        app: String,
        producer: String,
        seq: UInt64,
        after position: Int?,
        limit: Int
    ) throws(HistoryRefusal) -> HistoryWalk {
        guard let number = find(producer: producer, of: try historyApp(app)) else {
            throw HistoryRefusal(
                code: .producerUnknown,
                detail: "no producer \(quotation(producer)) of \(quotation(app)) is known"
            )
        }
        return try beginHistory(of: number, seq: seq, after: position, limit: limit)
    }

    /// Begins the history of a push of a known producer.
    func beginHistory(
        of producer: ProducerID,
        seq: UInt64,
        after position: Int?,
        limit: Int
    ) throws(HistoryRefusal) -> HistoryWalk {
        let walk = HistoryWalk(
            app: appName(state.publishers.producers[producer].app),
            producer: producer,
            producerName: state.publishers.producers.name(producer).string,
            seq: seq,
            limit: limit,
            isFirst: position == nil,
            number: outbox.observer.pushes.numbers.upperBound,
            position: position.map { $0 + 1 } ?? 0
        )
        let name = quotation(walk.producerName)
        if state.publishers.producers.rejections.has(seq, of: producer) {
            throw HistoryRefusal(
                code: .pushUnknown,
                detail: "push \(seq) of \(name) was refused"
            )
        }
        let last = state.publishers.producers[producer].lastSeq
        if seq > last {
            throw HistoryRefusal(
                code: .pushUnknown,
                detail: "no push \(seq) of \(name) is accepted yet; "
                    + (last == 0 ? "none is" : "the last one is \(last)")
            )
        }
        return walk
    }

    /// Examines the next `count` pushes or widgets for a history. Returns whether the page is
    /// complete.
    ///
    /// - Throws: `push-unknown` or `push-forgotten`.
    package mutating func resume(
        _ walk: inout HistoryWalk,
        count: Int,
        now: Instant
    ) throws(HistoryRefusal) -> Bool {
        guard let push = walk.push else {
            try search(&walk, count: count)
            return false
        }
        tick(now)
        let kept = outbox.observer.pushes.keptMatches(of: push)
        // Matches that were dropped since the page before are not known any more.
        walk.position = max(walk.position, kept.lowerBound)
        let end = min(walk.position + count, kept.upperBound)
        let isApplied = isApplied(push, number: walk.number)
        while walk.position < end {
            let isFull = walk.history!.widgets.count == walk.limit
            if isFull {
                walk.history!.next = walk.history!.next ?? walk.position - 1
                if !walk.isFirst { return true }
            }
            let widget = outbox.observer.pushes.match(walk.position, of: push, number: walk.number)
            if let widget {
                add(widget, to: &walk, push: push, isApplied: isApplied, isListed: !isFull)
            } else {
                walk.outcomes[.decided(.removed)] += 1
            }
            walk.position += 1
        }
        if walk.position < kept.upperBound { return false }
        if walk.isFirst { addCounts(of: push, to: &walk) }
        return true
    }

    /// Searches the next `count` pushes for the one whose history is made.
    private func search(_ walk: inout HistoryWalk, count: Int) throws(HistoryRefusal) {
        let first = outbox.observer.pushes.numbers.lowerBound
        for _ in 0..<count {
            if walk.number <= first {
                throw HistoryRefusal(
                    code: .pushForgotten,
                    detail: "push \(walk.seq) of \(quotation(walk.producerName)) is forgotten: "
                        + Self.keptText(outbox.observer.pushes.capacity)
                )
            }
            walk.number -= 1
            guard let push = outbox.observer.pushes.push(walk.number),
                push.producer == walk.producer, push.seq <= walk.seq
            else { continue }
            if push.seq < walk.seq {
                throw HistoryRefusal(
                    code: .pushUnknown,
                    detail: "no push \(walk.seq) of \(quotation(walk.producerName)) was accepted: "
                        + "after \(push.seq) came one with a higher number"
                )
            }
            walk.push = push
            walk.history = PushHistory(
                app: walk.app,
                push: PushView(
                    producer: walk.producerName,
                    seq: push.seq,
                    at: push.at,
                    matched: Int(push.matched)
                ),
                keptSince: outbox.observer.pushes.keptSince ?? push.at
            )
            return
        }
    }

    /// Whether a push was applied to all widgets that it matches.
    private func isApplied(_ push: LoggedPush, number: UInt64) -> Bool {
        if !push.isFanOut { return true }
        // There are few fan-outs, each of a batch of pushes.
        return !state.fanOuts.fanOuts.contains { fanOut in
            fanOut.source == .producer(push.producer)
                && fanOut.batch.pushes.contains { $0.isKnown && $0.fanOut == number }
        }
    }

    /// Says how many of all widgets that the push matches have each outcome, and each kind; the
    /// numbers of some may not be kept.
    private func addCounts(of push: LoggedPush, to walk: inout HistoryWalk) {
        walk.outcomes[.unknown] += max(0, Int(push.matched) - walk.outcomes.total)
        walk.history!.outcomes = walk.outcomes.named
        let named = walk.kinds.map { (kindName($0.key), $0.value) }
        walk.history!.kinds = Dictionary(named) { $0 + $1 }
    }

    /// Adds a widget that the push matches to the counts and, if it `isListed`, to the page.
    private func add(
        _ widget: WidgetID,
        to walk: inout HistoryWalk,
        push: LoggedPush,
        isApplied: Bool,
        isListed: Bool
    ) {
        let outcome = outcome(of: widget, for: push, number: walk.number, isApplied: isApplied)
        let record = state.reloads.delivery.widgets[widget]
        if walk.isFirst {
            walk.outcomes[outcome.name] += 1
            if walk.kinds.count < RouterLimits.historyKinds || walk.kinds[record.kind] != nil {
                walk.kinds[record.kind, default: 0] += 1
            }
        }
        if !isListed { return }
        walk.history!.widgets.append(
            PushedWidget(
                device: state.reloads.delivery.deviceName(record.device).string,
                widget: state.reloads.delivery.widgetName(widget).string,
                kind: kindName(record.kind),
                outcome: outcome.name.text,
                at: outcome.at,
                until: outcome.until,
                first: outcome.first == outcome.reason ? nil : outcome.first,
                why: outcome.reason.flatMap { why($0, of: widget, kind: record.kind) }
                    .map { quotation($0) }
            )
        )
    }

    private func outcome(
        of widget: WidgetID,
        for push: LoggedPush,
        number: UInt64,
        isApplied: Bool
    ) -> PushedOutcome {
        let device = state.reloads.delivery.widgets[widget].device
        var story = PushStory(push, number: number, widget: widget)
        let isFull = outbox.observer.decisions.isFull(device)
        outbox.observer.decisions.forEach(device) { decision in
            story.add(decision, isFull: isFull, of: outbox.observer.pushes)
        }
        switch story.end {
        case .decided(let decision):
            return PushedOutcome(
                name: .decided(decision.reason),
                at: decision.at,
                first: story.own?.reason
            )
        case .waits:
            if let wait = state.reloads.wait(of: widget) {
                return PushedOutcome(
                    name: wait.reason.map { .decided($0) } ?? .ready,
                    until: wait.until,
                    first: story.own?.reason
                )
            }
            return PushedOutcome(name: isApplied || story.own != nil ? .unknown : .undecided)
        case .unknown: return PushedOutcome(name: .unknown)
        }
    }
}
