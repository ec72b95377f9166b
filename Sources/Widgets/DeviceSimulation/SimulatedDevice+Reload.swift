package import Foundation
package import WidgetTimelines

/// How a reload request of a widget becomes a timeline.
extension SimulatedDevice {
    /// Does what is due by `now`; call it at `nextWake` at the latest.
    package mutating func wake(at now: Int64, _ actions: inout [DeviceAction]) {
        for widget in widgets.indices {
            if let asking = widgets[widget].asking, asking.since + rules.extensionTime <= now {
                end(widget, .time, at: now, &actions)
            }
            if let date = widgets[widget].ownDate(rules), date <= now,
                widgets[widget].wish == nil, widgets[widget].asking == nil
            {
                wish(widget, .date, values: nil, at: now, &actions)
            } else {
                begin(widget, at: now, &actions)
            }
        }
    }

    /// Records a reload request and begins the reload, unless something delays it. A request that
    /// is waiting already is merged with it.
    mutating func wish(
        _ widget: Int,
        _ occasion: ReloadOccasion,
        values: String?,
        at now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        let earlier = widgets[widget].wish
        if earlier != nil { actions.append(.coalesced(widget: widget)) }
        // The router waits for an answer to its reload; the device's own date does not replace
        // that.
        if case .reload? = earlier?.occasion, case .date = occasion {
        } else {
            widgets[widget].wish = SimulatedWidget.Wish(
                occasion: occasion,
                values: values,
                due: earlier?.due ?? .min
            )
        }
        begin(widget, at: now, &actions)
    }

    /// Begins all waiting reloads that nothing delays any longer.
    mutating func beginAll(at now: Int64, _ actions: inout [DeviceAction]) {
        for widget in widgets.indices { begin(widget, at: now, &actions) }
    }

    /// Begins a widget's waiting reload if nothing delays it any longer: another question, a retry
    /// pause or the budget.
    mutating func begin(_ widget: Int, at now: Int64, _ actions: inout [DeviceAction]) {
        guard widgets[widget].isPlaced, widgets[widget].asking == nil,
            let wish = widgets[widget].wish, wish.retry <= now
        else { return }
        let isFree = isForeground || media != .silent || wish.occasion.isFree
        if !isFree {
            let earliest = widgets[widget].earliest(
                rules.budget,
                mayUseReserve: isVisible(widget),
                at: now
            )
            if earliest > now {
                if wish.due == .min { actions.append(.held(widget: widget)) }
                widgets[widget].wish?.due = earliest
                return
            }
            widgets[widget].charge(at: now)
        }
        widgets[widget].wish = nil
        ask(.timeline, of: widget, wish.occasion, values: wish.values, at: now, &actions)
    }

    /// Asks a widget's provider; an earlier question is no longer awaited.
    mutating func ask(
        _ subject: ProviderQuestion.Subject,
        of widget: Int,
        _ occasion: ReloadOccasion,
        values: String?,
        at now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        widgets[widget].lastNumber &+= 1
        let number = widgets[widget].lastNumber
        widgets[widget].asking = SimulatedWidget.Asking(
            number: number,
            subject: subject,
            occasion: occasion,
            since: now
        )
        actions.append(
            .ask(
                ProviderQuestion(widget: widget, subject: subject, number: number, values: values)
            )
        )
    }

    // MARK: - Answers

    /// Accepts a provider's timeline: displays it and reports it to the router.
    ///
    /// - Parameters:
    ///   - question: the question that was asked; the answer to one that is no longer awaited is
    ///     dropped.
    ///   - timeline: the provider's answer.
    ///   - shift: how far the device's clock is ahead of the clock that the provider has read, in
    ///     seconds.
    ///   - now: the time.
    ///   - calendar: the device's calendar.
    ///   - actions: appended to by what the driver must do.
    package mutating func answer(
        _ question: ProviderQuestion,
        timeline: RenderableTimeline,
        shift: TimeInterval = 0,
        at now: Int64,
        calendar: Calendar,
        _ actions: inout [DeviceAction]
    ) {
        let widget = question.widget
        guard let asking = widgets[widget].asking, asking.number == question.number else { return }
        let bytes = timeline.byteCount
        if bytes > rules.extensionMemory { return end(widget, .memory(bytes), at: now, &actions) }
        widgets[widget].asking = nil
        let player = TimelinePlayer(timeline, arrival: now.date, shift: shift)
        let isNew = show(player, on: widget, at: now, calendar)
        widgets[widget].outcome = SimulatedWidget.Outcome(
            occasion: asking.occasion,
            at: now,
            isNew: isNew
        )
        actions.append(
            .rendered(
                Rendering(
                    widget: widget,
                    occasion: .timeline(asking.occasion),
                    askedAt: asking.since,
                    isNew: isNew,
                    faults: player.faults
                )
            )
        )
        actions.append(.report(report(player, of: widget, asking.occasion)))
        begin(widget, at: now, &actions)
    }

    /// Replaces what the widget displays; returns whether the text in sight has changed.
    private mutating func show(
        _ player: TimelinePlayer,
        on widget: Int,
        at now: Int64,
        _ calendar: Calendar
    ) -> Bool {
        let before = widgets[widget].player?.lines(at: now.date, calendar: calendar)
        widgets[widget].player = player
        widgets[widget].stand = nil
        widgets[widget].toldDate = nil
        return before != player.lines(at: now.date, calendar: calendar)
    }

    private func report(
        _ player: TimelinePlayer,
        of widget: Int,
        _ occasion: ReloadOccasion
    ) -> TimelineReport {
        let policy: TimelineReport.Policy =
            switch player.reloadChoice {
            case .never: .never
            case .atEnd: .atEnd
            case .after(let date): .after(date.milliseconds)
            }
        return TimelineReport(
            widget: widget,
            occasion: occasion,
            entries: player.entryDates,
            policy: policy,
            hasOwnTimer: rules.timer == .device
        )
    }

    /// Ends the extension that works for a widget: its answer is lost. A lost timeline is requested
    /// again after a pause.
    private mutating func end(
        _ widget: Int,
        _ end: ExtensionEnd,
        at now: Int64,
        _ actions: inout [DeviceAction]
    ) {
        let asking = widgets[widget].asking
        widgets[widget].asking = nil
        actions.append(.ended(widget: widget, end))
        switch asking?.subject {
        case .sample: ask(.placeholder, of: widget, .added, values: nil, at: now, &actions)
        case .placeholder, .timeline, nil:
            widgets[widget].isPlaced = true
            if widgets[widget].wish == nil, let asking {
                widgets[widget].wish = SimulatedWidget.Wish(
                    occasion: asking.occasion,
                    retry: now + DeviceRules.leastInterval
                )
            }
            begin(widget, at: now, &actions)
        }
    }
}
