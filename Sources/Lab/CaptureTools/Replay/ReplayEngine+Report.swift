internal import Basics
internal import LoadReporting

extension ReplayEngine {
    /// Records that a publisher's next frame was written to its socket.
    func sent(_ stream: ReplayStream, at time: ExactTime) {
        let ring = stream.ring
        if ring.isNextSentAgain {
            recorder.resent()
            return ring.didSend()
        }
        // At the speed `max` there is no schedule: a push is due when it can be sent.
        let isScheduled = clock.factor != nil
        recorder.sent(intended: isScheduled ? ring.nextIntended : time, at: time)
        ring.didSend(at: isScheduled ? nil : time)
    }

    /// Fills in everything that the engine knows about the run.
    func fill(_ report: inout ReplayReport) {
        report.speed = settings.speed.description
        report.isOpenLoop = settings.speed != .unlimited
        report.scale = settings.scale
        report.loops = settings.loops
        report.publishers = plan.publisherCount
        report.gateways = streams.count - plan.publisherCount
        report.gaveUp = hasGivenUp
        report.lostRecords = Int(clamping: roster.lost)
        report.laterAppFiles = roster.laterAppFiles
        recorder.fill(&report)
        report.pushes.intended = intended
        report.pushes.peakIntendedPerSecond = report.series.intended.max() ?? 0
        if let tracker {
            report.devices.devices = tracker.deviceCount
            report.devices.widgets = tracker.widgetCount
            report.devices.unreachable = tracker.unreachable
            report.reloads.waiting = tracker.waitingCount
        }
        report.devices.registrations = registered
        fillRates(&report)
    }

    private func fillRates(_ report: inout ReplayReport) {
        guard let clock else { return }
        func rate(_ count: Int, until time: ExactTime) -> Double {
            let seconds = (time - clock.begin).inSeconds
            return seconds > 0 ? Double(count) / seconds : 0
        }
        let end = isCutShort ? drainBegin : clock.due(roster.end, round: settings.loops - 1)
        report.seconds = (max(end, recorder.lastSent) - clock.begin).inSeconds
        if clock.factor != nil { report.pushes.intendedPerSecond = rate(intended, until: end) }
        report.pushes.sentPerSecond = rate(recorder.pushes.sent, until: max(end, recorder.lastSent))
        report.pushes.acknowledgedPerSecond = rate(
            recorder.pushes.acknowledged,
            until: max(end, recorder.lastAcknowledged)
        )
    }
}

extension ReplayEngine {
    /// What the run does now and what happened in the last whole second, in one line; the schedule
    /// began at `start`.
    func progress(since start: ExactTime, now: ExactTime) -> String {
        switch phase {
        case .connecting: return "connecting"
        case .registering: return "registering: \(registered) frames answered"
        case .over: return "over"
        case .playing, .draining: break
        }
        let (pushes, series) = (recorder.pushes, recorder.series)
        let last = series.sent.count - 1
        let due = series.intended.indices.contains(last) ? series.intended[last] : 0
        func p99(_ series: [Double]) -> String {
            guard let time = series.last, time > 0 else { return "–" }
            return FigureText.milliseconds(time)
        }
        let what =
            phase == .draining
            ? "waiting for the last answers" : "\(Int((now - start).inSeconds)) s"
        return "\(what): \(due)/s intended, \(series.sent.last ?? 0)/s sent, "
            + "\(pushes.sent - pushes.acknowledged - pushes.rejected) in flight, "
            + "\(intended - pushes.sent) wait, late p99 \(p99(series.latenessP99)), "
            + "ACK p99 \(p99(series.acknowledgementP99)), RELOAD p99 \(p99(series.reloadP99)), "
            + "\(pushes.rejected) rejected"
    }
}
