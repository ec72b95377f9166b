package import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import ReloadScheduling
internal import WidgetMatching

/// What an input has done, for the log.
enum InputEffect {
    /// Nothing: the log need not have it.
    case none
    case change
    /// No more than `deviceAttached` says.
    case attachment(connection: UInt32, device: DeviceID)
}

/// Whether what an input asks for has to be within the limits.
enum Admission {
    /// It comes from outside.
    case asked
    /// It was admitted when it came, perhaps by an older version or under higher limits: it stays.
    case given
}

/// Inputs: the only way in which the state changes.
extension Router {
    /// Applies an input of this process and logs it.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func perform(_ input: borrowing RouterInput) throws(ProtocolError) {
        switch try apply(input, .asked) {
        case .none: break
        case .change: log.append(input, at: now, scheduleClock)
        case .attachment(let connection, let device):
            let attachment = RouterInput.deviceAttached(connection: connection, device: device)
            log.append(attachment, at: now, scheduleClock)
        }
    }

    /// The same for inputs that cannot be refused.
    mutating func commit(_ input: borrowing RouterInput) {
        do throws(ProtocolError) {
            try perform(input)
        } catch {
            preconditionFailure("an input was refused: \(error.message)")
        }
    }

    /// Changes the state as an input says.
    ///
    /// - Throws: why a device's frame is refused; then nothing has changed.
    mutating func apply(
        _ input: borrowing RouterInput,
        _ admission: Admission
    ) throws(ProtocolError) -> InputEffect {
        switch input {
        case .clock(let time, let clock):
            now = time
            scheduleClock = clock
            hasClock = true
        case .sessionOpened(let connection, let role, let app, let name):
            openSession(connection, role, app, name)
        case .sessionEnded(let connection):
            endSession(connection, at: now)
        case .deviceFrame(let connection, let type, let body):
            return try apply(connection, type, body, admission)
        case .deviceAttached(let connection, let device):
            takeOver(device, connection)
        case .matched(let producer, let areApplied, let pushes, let matches):
            applyMatches(producer, areApplied: areApplied, pushes, matches)
        case .batchEnded(let producer, let lastSeq, let count):
            endBatch(of: producer, lastSeq: lastSeq, count: count)
        case .timersFired(let widgets):
            fireTimers(widgets)
        case .permitsGranted:
            return drainOrigins(limit: RouterLimits.reloadsPerStep) ? .change : .none
        case .delivered(let device):
            hand(device)
        case .originsPassed:
            passOrigins()
        case .catalogInstalled(let catalog, let source):
            install(catalog, source.array)
        case .restarted:
            restart()
        case .portionApplied(let count):
            applyPortion(count)
        case .appPaused(let app, let isPaused):
            setPaused(isPaused, app)
        case .slotsTaken(let kind, let dates):
            givenSlots.removeAll(keepingCapacity: true)
            for index in dates.indices { givenSlots.append(takeSlot(kind, dates[index])) }
        case .producersForgotten(let list):
            for index in list.indices { producers.forget(list[index]) }
        }
        return .change
    }

    /// All sessions have ended, with the process that had them.
    ///
    /// It may have sent RELOADs that no log knows of, so their numbers are passed over: by as many as
    /// fit below a step.
    private mutating func restart() {
        abandonSearch()
        paused = PausedApps()
        reloadSeq = (reloadSeq >> Self.restartShift + 1) << Self.restartShift
        for connection in 0..<delivery.connections.end {
            if delivery.connections[connection].session.phase.isEstablished {
                endSession(connection, at: nil)
            }
            delivery.connections[connection].isOpen = false
        }
        producers.stopped()
    }

    private static var restartShift: UInt64 { 32 }
}

// MARK: - The log

extension Router {
    /// Begins to log inputs; until then nothing is encoded.
    package mutating func startJournal() { log.start() }

    /// The inputs since `journalTaken`: the body of a journal record.
    package var journalBytes: ByteView { log.bytes }

    package mutating func journalTaken() { log.clear() }

    /// A checkpoint does not have the pauses: the log behind it begins with them.
    mutating func logPauses() {
        for app in paused.apps.sorted() {
            log.append(.appPaused(app: app, isPaused: true), at: now, scheduleClock)
        }
    }
}
