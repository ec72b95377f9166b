internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling

/// Applying an input, whether it is this process's own or comes from a log.
extension ReloadState {
    /// Changes the state as an input says.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func apply(
        _ input: borrowing RouterInput,
        _ admission: Admission,
        _ out: inout Outbox
    ) throws(ProtocolError) -> InputEffect {
        switch input {
        case .clock(let time, let schedule):
            setClock(time, schedule)
        case .sessionOpened(let connection, let role, let app, let name):
            openSession(connection, role, app, name, &out)
        case .sessionEnded(let connection):
            endSession(connection, at: clock.now)
        case .deviceFrame(let connection, let type, let body):
            return try apply(connection, type, body, admission, &out)
        case .deviceAttached(let connection, let device):
            takeOver(device, connection, &out)
        case .matched(let producer, let areApplied, let pushes, let matches):
            applyMatches(producer, areApplied: areApplied, pushes, matches, &out)
        case .batchEnded(let producer, let lastSeq, let count):
            endBatch(of: producer, lastSeq: lastSeq, count: count)
        case .timersFired(let widgets):
            fireTimers(widgets, &out)
        case .permitsGranted:
            return drainOrigins(limit: RouterLimits.reloadsPerStep, &out) ? .change : .none
        case .delivered(let device):
            hand(device, &out)
        case .originsPassed:
            passOrigins()
        case .catalogInstalled(let declarations, let source):
            install(declarations, source.array, &out)
        case .restarted:
            restart()
        case .portionApplied(let count):
            applyPortion(count, &out)
        case .appPaused(let app, let isPaused):
            setPaused(isPaused, app, &out)
        case .slotsTaken(let kind, let dates):
            out.givenSlots.removeAll(keepingCapacity: true)
            for index in dates.indices { out.givenSlots.append(takeSlot(kind, dates[index], &out)) }
        case .producersForgotten(let list):
            for index in list.indices { producers.forget(list[index]) }
        }
        return .change
    }

    @inline(__always)
    mutating func setClock(_ now: Instant, _ schedule: ScheduleClock) {
        clock.now = now
        clock.schedule = schedule
        clock.isSet = true
    }

    /// All sessions have ended, with the process that had them.
    ///
    /// It may have sent RELOADs that no log knows of, so their numbers are passed over: by as many as
    /// fit below a step.
    private mutating func restart() {
        abandonSearch()
        paused = PausedApps()
        numbers.reload = (numbers.reload >> Self.restartShift + 1) << Self.restartShift
        for connection in 0..<delivery.sessions.end {
            if delivery.sessions[connection].role != nil { endSession(connection, at: nil) }
        }
        producers.stopped()
    }

    private static var restartShift: UInt64 { 32 }
}
