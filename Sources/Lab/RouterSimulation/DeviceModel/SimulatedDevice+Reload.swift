package import Basics
package import Foundation
internal import FrameCodec
package import WidgetTimelines

/// How a reload request of a widget becomes a timeline.
extension SimulatedDevice {
    /// Does what is due by `now`; call it at `nextWake` at the latest.
    package mutating func wake(at now: WallTime, into actions: inout [DeviceAction]) {
        for widget in widgets.indices {
            if let pendingQuestion = widgets[widget].pendingQuestion,
                pendingQuestion.since + rules.extensionTime <= now
            {
                end(widget, at: now, into: &actions)
            }
            if let date = widgets[widget].ownDate(rules), date <= now,
                widgets[widget].request == nil, widgets[widget].pendingQuestion == nil
            {
                request(widget, occasion: .date, values: nil, at: now, into: &actions)
            } else {
                begin(widget, at: now, into: &actions)
            }
        }
    }

    /// Records a reload request and begins the reload, unless something delays it. If a request of
    /// the widget is waiting already, the two become one.
    mutating func request(
        _ widget: Int,
        occasion: ReloadOccasion,
        values: String?,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        let earlier = widgets[widget].request
        if earlier != nil { actions.append(.coalesced(widget: widget)) }
        // The router waits for an answer to its reload; the device's own date does not replace
        // that request.
        if case .reload? = earlier?.occasion, case .date = occasion {
        } else {
            widgets[widget].request = SimulatedWidget.ReloadRequest(
                occasion: occasion,
                values: values,
                due: earlier?.due
            )
        }
        begin(widget, at: now, into: &actions)
    }

    /// Begins all waiting reloads that nothing delays any longer.
    mutating func beginAll(at now: WallTime, into actions: inout [DeviceAction]) {
        for widget in widgets.indices { begin(widget, at: now, into: &actions) }
    }

    /// Begins a widget's waiting reload, unless another question to its provider, a pause before a
    /// retry or the budget delays it.
    mutating func begin(_ widget: Int, at now: WallTime, into actions: inout [DeviceAction]) {
        guard widgets[widget].isPlaced, widgets[widget].pendingQuestion == nil,
            let request = widgets[widget].request, request.mayBeTried(at: now)
        else { return }
        let isFree = isForeground || media != .silent || request.occasion.isFree
        if !isFree {
            let earliest = widgets[widget].earliest(
                rules.budget,
                mayUseReserve: isVisible(widget),
                at: now
            )
            if earliest > now {
                if request.due == nil { actions.append(.postponed(widget: widget)) }
                widgets[widget].request?.due = earliest
                return
            }
            widgets[widget].charge(at: now)
        }
        widgets[widget].request = nil
        ask(
            .timeline,
            of: widget,
            occasion: request.occasion,
            values: request.values,
            at: now,
            into: &actions
        )
    }

    /// Asks a widget's provider; an earlier question is no longer awaited.
    mutating func ask(
        _ subject: ProviderQuestion.Subject,
        of widget: Int,
        occasion: ReloadOccasion,
        values: String?,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        assert(!widgets[widget].isAsking, "an extension answers one question at a time")
        widgets[widget].lastNumber &+= 1
        let number = widgets[widget].lastNumber
        widgets[widget].pendingQuestion = SimulatedWidget.PendingQuestion(
            number: number,
            subject: subject,
            occasion: occasion,
            since: now
        )
        actions.append(
            .ask(ProviderQuestion(widget: widget, subject: subject, number: number, values: values))
        )
    }

    // MARK: - Answers

    /// Accepts a provider's timeline: displays it and reports it to the router. The answer to a
    /// question that is no longer awaited is dropped.
    ///
    /// `shift` is how far the device's clock is ahead of the clock that the provider has read, in
    /// s.
    package mutating func answer(
        _ question: ProviderQuestion,
        timeline: RenderableTimeline,
        shift: TimeInterval = 0,
        at now: WallTime,
        calendar: Calendar,
        into actions: inout [DeviceAction]
    ) {
        let widget = question.widget
        guard let pendingQuestion = widgets[widget].pendingQuestion,
            pendingQuestion.number == question.number
        else { return }
        assert(pendingQuestion.subject == .timeline, "a timeline answers another question")
        if timeline.byteCount > rules.extensionMemory {
            return end(widget, at: now, into: &actions)
        }
        widgets[widget].pendingQuestion = nil
        let player = TimelinePlayer(timeline, arrival: now.date, shift: shift)
        let isNew = show(player, on: widget, at: now, calendar: calendar)
        widgets[widget].outcome = SimulatedWidget.Outcome(
            occasion: pendingQuestion.occasion,
            at: now,
            isNew: isNew
        )
        actions.append(
            .rendered(
                Rendering(
                    widget: widget,
                    occasion: .timeline(pendingQuestion.occasion),
                    isNew: isNew
                )
            )
        )
        actions.append(.report(report(player, of: widget, occasion: pendingQuestion.occasion)))
        begin(widget, at: now, into: &actions)
    }

    /// Replaces the timeline that the widget displays; returns whether the text in sight has
    /// changed.
    private mutating func show(
        _ player: TimelinePlayer,
        on widget: Int,
        at now: WallTime,
        calendar: Calendar
    ) -> Bool {
        let before = widgets[widget].player?.lines(at: now.date, calendar: calendar)
        widgets[widget].player = player
        widgets[widget].preliminaryEntry = nil
        widgets[widget].reportedDate = nil
        return before != player.lines(at: now.date, calendar: calendar)
    }

    private func report(
        _ player: TimelinePlayer,
        of widget: Int,
        occasion: ReloadOccasion
    ) -> TimelineReport {
        let policy: TimelinePolicy =
            switch player.reloadChoice {
            case .never: .never
            case .atEnd: .atEnd
            case .after(let date): .after(date.wallTime)
            }
        return TimelineReport(
            widget: widget,
            occasion: occasion,
            entries: player.entryDates,
            policy: policy,
            hasOwnTimer: rules.timer == .device
        )
    }

    /// Ends the extension that runs a widget's provider, so that its answer is lost. A lost
    /// timeline is requested again after a pause.
    private mutating func end(_ widget: Int, at now: WallTime, into actions: inout [DeviceAction]) {
        let pendingQuestion = widgets[widget].pendingQuestion
        assert(pendingQuestion != nil, "an extension ends that does not run")
        widgets[widget].pendingQuestion = nil
        actions.append(.ended(widget: widget))
        switch pendingQuestion?.subject {
        case .sample:
            ask(.placeholder, of: widget, occasion: .added, values: nil, at: now, into: &actions)
        case .placeholder, .timeline, nil:
            widgets[widget].isPlaced = true
            if widgets[widget].request == nil, let pendingQuestion {
                widgets[widget].request = SimulatedWidget.ReloadRequest(
                    occasion: pendingQuestion.occasion,
                    retryAt: now + DeviceRules.leastInterval
                )
            }
            begin(widget, at: now, into: &actions)
        }
    }
}
