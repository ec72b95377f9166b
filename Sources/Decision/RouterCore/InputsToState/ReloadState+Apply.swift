internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// Applying inputs, both those of this process and those of a log.
extension ReloadState {
    /// Changes the state as an input says, and returns what the log has to record of it.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func apply(
        _ input: borrowing RouterInput,
        admission: Admission,
        into out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        switch input {
        case .clock(let time, let schedule): reloads.clock.set(time, schedule: schedule)
        case .sessionOpened(let connection, let role, let app, let name):
            openSession(on: connection, role: role, app: app, name: name, into: &out)
        case .sessionEnded(let connection):
            endSession(connection, at: reloads.clock.now, into: &out)
        case .deviceFrame(let connection, let type, let body):
            let sender = reloads.delivery.sender(on: connection)
            return try apply(type, body: body, from: sender, admission: admission, into: &out)
        case .deviceReported(let app, let type, let body):
            let sender = FrameSender(app: app)
            return try apply(type, body: body, from: sender, admission: admission, into: &out)
        case .deviceAttached(let connection, let device):
            reloads.takeOver(device, by: connection, into: &out)
        case .tokensConfirmed(let device):
            reloads.apns.confirmTokens(of: device, in: &reloads.delivery, clock: &reloads.clock)
        case .deviceForgotten(let device): remove(device, from: .none, into: &out)
        case .tokensRevoked(let app, let device, let before):
            revocations.set(before, of: device.array, app: app)
        case .matched(let source, let areApplied, let pushes, let matches):
            applyMatches(
                of: source,
                areApplied: areApplied,
                pushes: pushes,
                matches: matches,
                into: &out
            )
        case .batchEnded(let source, let last, let count):
            endBatch(of: source, last: last, count: count)
        case .pushesAccepted, .pushesSettled, .permitsLent, .permitsBorrowed:
            applyOfPartition(input)
        case .timersFired(let widgets): reloads.fireTimers(of: widgets, into: &out)
        case .permitsGranted:
            return reloads.drainOrigins(limit: RouterLimits.reloadsPerStep, into: &out)
                ? .change : .none
        case .delivered(let device):
            reloads.deliver(to: device, isFanningOut: !fanOuts.isEmpty, into: &out)
        case .originsPassed: reloads.passOrigins(widgets: matcher.index.widgetCount)
        case .catalogInstalled(let apps, let source, let revision, let change):
            let source = source.array
            install(apps, source: source, revision: revision, after: change, into: &out)
        case .catalogChanged(let declared, _, let withdrawn, _, let kinds):
            change(declaring: declared, withdrawing: withdrawn, kinds: kinds, into: &out)
        case .rulesAdopted(let count): adoptRules(devices: count, into: &out)
        case .restarted: restart(into: &out)
        case .portionApplied(let count): applyPortion(count, into: &out)
        case .appPaused(let app, let isPaused):
            reloads.schedules.setPaused(isPaused, app: app, in: reloads.catalog, into: &out)
        case .slotsTaken(let kind, let dates):
            let rules = reloads.catalog.kinds[kind].rules
            reloads.schedules.takeSlots(for: dates, by: rules, clock: reloads.clock, into: &out)
        case .producersForgotten(let list): forget(list, into: &out)
        case .pushRejected, .rejectionWithdrawn, .requestBegan, .requestEnded:
            applyOfProducer(input)
        case .requestKeysForgotten(let app, let count):
            publishers.requestKeys.forgetOldest(count, of: app)
        case .apnsPushEnded(let device, let number, let outcome):
            apnsPushEnded(device, number: number, outcome: outcome, into: &out)
        }
        return .change
    }

    /// Applies what has happened to a producer's pushes beside that they were accepted.
    private mutating func applyOfProducer(_ input: borrowing RouterInput) {
        switch input {
        case .pushRejected(let producer, let seq, let code):
            publishers.rejected(seq, with: code, of: producer)
        case .rejectionWithdrawn(let producer, let seq):
            publishers.producers.withdrawRejection(of: seq, of: producer)
        case .requestBegan(let producer, let key, let firstSeq):
            publishers.beginRequest(of: producer, key: key, firstSeq: firstSeq)
        case .requestEnded(let producer, let lines):
            publishers.endRequest(of: producer, lines: lines, running: reloads.clock.running.total)
        default: preconditionFailure("\(input.tag) is not of a producer alone")
        }
    }

    /// Sets how many refused lines are remembered of the requests of each app.
    mutating func limitRefusedLines() {
        publishers.limitRefusedLines(apps: reloads.catalog.declaredAppCount)
    }

    private mutating func forget(_ producers: Span<ProducerID>, into out: inout Outbox) {
        for index in producers.indices { out.observer.pushes.forget(producers[index]) }
        publishers.forget(producers)
    }

    /// Ends all sessions, because the process that had them has ended.
    private mutating func restart(into out: inout Outbox) {
        abandonSearch()
        reloads.schedules.paused = PausedApps()
        reloads.numbers.skipReloads()
        for connection in reloads.delivery.sessions.ids {
            if reloads.delivery.sessions[connection].role != nil {
                endSession(connection, at: nil, into: &out)
            }
        }
        reloads.endPushes(into: &out)
        reloads.clock.running.stop()
    }
}
