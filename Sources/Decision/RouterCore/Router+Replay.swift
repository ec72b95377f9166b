package import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
package import StoreFormat
internal import WidgetMatching

/// Reading the journal: the same entries lead to the same state.
///
/// A record that was written by a router is read without an error; everything is checked all the
/// same, because what is thrown here is a sentence for an operator, and a trap is not.
extension Router {
    /// Begins to read what a journal has; nothing is sent until `endReplay`.
    package mutating func beginReplay() {
        precondition(!journal.isOn, "the journal is read before it goes on")
        isReplaying = true
        identifiers.isStored = true
        delivery.isReplaying = true
    }

    /// Does what the body of a journal record says.
    ///
    /// - Throws: `corrupt`. The router is of no use then.
    package mutating func replay(_ body: ByteView) throws(StoreError) {
        precondition(isReplaying)
        var reader = StoreReader(body)
        while !reader.isAtEnd {
            guard let entry = JournalEntry(rawValue: try reader.read(UInt8.self)) else {
                throw reader.corrupt("there is no such entry")
            }
            try replay(entry, &reader)
        }
        actionsPerformed()
        acknowledging.removeAll(keepingCapacity: true)
    }

    /// All has been read; from now on the router goes on.
    ///
    /// - Parameter isRestart: whether the process is another one than that which wrote the journal.
    package mutating func endReplay(isRestart: Bool = true) {
        if isRestart { replayRestart() }
        for origin in 0..<UInt32(origins.count) { origins[origin].turns = 0 }
        abandonSearch()
        isReplaying = false
        identifiers.isStored = false
        delivery.isReplaying = false
        counters = RouterCounters()
        appMetrics.reset()
        wheel = TimingWheel(now: UInt64(scheduleClock.now))
        counters.wishes = UInt64(armAll())
    }

    private static var restartShift: UInt64 { 32 }

    private mutating func replay(
        _ entry: JournalEntry,
        _ reader: inout StoreReader
    ) throws(StoreError) {
        switch entry {
        case .clock: try replayClock(&reader)
        case .session: try replaySession(&reader)
        case .ended: replayEnd(try readConnection(&reader), at: now)
        case .frame: try replayFrame(&reader)
        case .attached:
            let connection = try readConnection(&reader)
            takeOver(try readDevice(reader.readNumber(), reader), connection)
        case .matched: try replayMatches(&reader)
        case .batch: try replayBatch(&reader)
        case .expired: try replayExpired(&reader)
        case .turns: drainOrigins(limit: RouterLimits.reloadsPerStep)
        case .handed: try replayHanding(&reader)
        case .passed: passOrigins()
        case .apps: try replayApps(&reader)
        case .restarted: replayRestart()
        case .fannedOut: try replayFanOut(&reader)
        case .paused:
            let app = try reader.readCount(atMost: apps.count - 1)
            setPaused(try reader.readBool(), AppID(app))
        case .slots: try replaySlots(&reader)
        case .forgotten: try replayForgetting(&reader)
        }
    }

    private mutating func replayClock(_ reader: inout StoreReader) throws(StoreError) {
        let monotonic = try reader.readSigned()
        let wall = try reader.readSigned()
        let clock = try ScheduleClock(reading: &reader)
        if hasClock && (monotonic < now.monotonic || clock.now < scheduleClock.now) {
            throw reader.corrupt("time goes back")
        }
        let time = Instant(monotonic: monotonic, wall: wall)
        if !time.isStorable { throw reader.corrupt("a time that cannot be") }
        now = time
        scheduleClock = clock
        hasClock = true
    }

    private mutating func replayHanding(_ reader: inout StoreReader) throws(StoreError) {
        let device = try readDevice(reader.read(UInt32.self), reader)
        if !delivery.isAttached(delivery.devices[device]) {
            throw reader.corrupt("nobody speaks for device \(device)")
        }
        hand(device)
    }

    // MARK: - Sessions and frames

    private mutating func replaySession(_ reader: inout StoreReader) throws(StoreError) {
        let connection = try reader.readCount(atMost: RouterLimits.connectionsLimit - 1)
        let role = try Peer(reading: &reader)
        let app = try reader.readCount(atMost: apps.count - 1)
        let name = try reader.readCounted().array
        if role != .gateway && !(1...RouterLimits.identifierBytes).contains(name.count) {
            throw reader.corrupt("a name of \(name.count) bytes")
        }
        do throws(ProtocolError) {
            try replaySession(UInt32(connection), role, AppID(app), name)
        } catch {
            throw reader.corrupt("a session was refused (\(error.message))")
        }
    }

    private mutating func replayFrame(_ reader: inout StoreReader) throws(StoreError) {
        let connection = try readConnection(&reader)
        let type = FrameType(rawValue: try reader.read(UInt8.self))
        let body = try reader.readCounted()
        guard let type, [.widgets, .timeline, .state, .request].contains(type) else {
            throw reader.corrupt("no device sends such a frame")
        }
        do throws(ProtocolError) {
            try perform(connection, type, 0, body)
        } catch {
            throw reader.corrupt("\(type) was refused (\(error.message))")
        }
    }

    private mutating func replayApps(_ reader: inout StoreReader) throws(StoreError) {
        let source = try reader.readCounted()
        let catalog: AppCatalog
        do throws(AppFileError) {
            catalog = try AppFile.parse(source, isStored: true)
        } catch {
            throw reader.corrupt("the app file was refused (\(error))")
        }
        if let problem = problem(with: catalog) { throw reader.corrupt(problem) }
        install(catalog, source: source.array)
    }

    /// All sessions have ended, with the process that had them.
    ///
    /// It may have sent RELOADs that the journal does not know of, so their numbers are passed over:
    /// by as many as fit below a step.
    private mutating func replayRestart() {
        abandonSearch()
        forgetPauses()
        reloadSeq = (reloadSeq >> Self.restartShift + 1) << Self.restartShift
        for connection in 0..<delivery.connections.end {
            if delivery.connections[connection].isOpen { replayEnd(connection, at: nil) }
        }
        producers.stopped()
    }

    private mutating func replaySlots(_ reader: inout StoreReader) throws(StoreError) {
        let kind = try reader.readCount(atMost: kinds.count - 1)
        let count = try reader.readCount(atMost: reader.remainingCount)
        for _ in 0..<count { _ = takeSlot(KindID(kind), try reader.readSigned()) }
    }

    private mutating func replayForgetting(_ reader: inout StoreReader) throws(StoreError) {
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            let producer = try readProducer(&reader)
            if !producers[producer].isIdle {
                throw reader.corrupt("producer \(producer) was forgotten while it was in use")
            }
            producers.forget(producer)
        }
    }

    // MARK: - Pushes

    private mutating func replayMatches(_ reader: inout StoreReader) throws(StoreError) {
        let producer = try readProducer(&reader)
        let areTaken = try reader.readBool()
        if isMatching && (areTaken || fanOuts.last?.producer != producer) {
            throw reader.corrupt("a batch begins within another")
        }
        if !areTaken && !isMatching {
            if producers[producer].isFanningOut {
                throw reader.corrupt("a producer's pushes overtake each other")
            }
            openFanOut(of: producer)
        }
        var left = try reader.readCount(atMost: reader.remainingCount)
        if areTaken { beginTurns(left) }
        while left > 0 {
            let tag = try reader.readCount(atMost: WidgetMatcher.batchLimit - 1)
            if try reader.readBool() { try replayPush(tag, producers[producer].app, &reader) }
            if tag >= pushes.count || !pushes[tag].isJournaled {
                throw reader.corrupt("a match is of no push")
            }
            let count = try reader.readCount(atMost: left)
            for _ in 0..<count {
                let widget = try readWidget(reader.read(UInt32.self), reader)
                let match = WidgetMatch(widget: widget, tag: UInt32(tag))
                if areTaken { take(match) } else { fanOuts.append(match) }
            }
            left -= count
        }
        if areTaken { endTurns() }
    }

    private mutating func replayFanOut(_ reader: inout StoreReader) throws(StoreError) {
        let count = try reader.readCount(atMost: fanOuts.first?.count ?? -1)
        handOut(count)
    }

    private mutating func replayPush(
        _ tag: Int,
        _ app: AppID,
        _ reader: inout StoreReader
    ) throws(StoreError) {
        let flags = try reader.read(UInt8.self)
        var push = QueuedPush(
            isUrgent: flags & QueuedPush.urgentFlag != 0,
            isVoid: flags & QueuedPush.voidFlag != 0,
            voidAt: 0,
            fields: PushFields.none,
            burst: journal.lastBurst &+ (try reader.readVarint()),
            seq: 0,
            reloadsBefore: reloadSeq &- (try reader.readVarint()),
            isJournaled: true
        )
        push.voidAt = try reader.readSigned()
        if flags & QueuedPush.fieldsFlag != 0 {
            let payload = try reader.readCounted()
            do throws(ProtocolError) {
                try validate(payload)
            } catch {
                throw reader.corrupt("a payload was refused (\(error.message))")
            }
            push.fields = pushFields.read(payload, app: app, catalog: fieldCatalog)
        }
        let none = QueuedPush(
            isUrgent: false,
            isVoid: true,
            voidAt: 0,
            fields: PushFields.none,
            burst: 0,
            seq: 0,
            reloadsBefore: 0
        )
        while pushes.count <= tag { pushes.append(none) }
        pushes[tag] = push
    }

    private mutating func replayBatch(_ reader: inout StoreReader) throws(StoreError) {
        let producer = try readProducer(&reader)
        producers.accepted(try reader.readVarint(), of: producer)
        journal.lastBurst &+= try reader.readVarint()
        lastBurst = journal.lastBurst
        if isMatching { endSearch() } else { endBatch() }
    }

    // MARK: - Time

    private mutating func replayExpired(_ reader: inout StoreReader) throws(StoreError) {
        let count = try reader.readCount(atMost: reader.remainingCount / 4)
        beginTurns(count)
        for _ in 0..<count {
            let widget = try readWidget(reader.read(UInt32.self), reader)
            timerFired(widget)
        }
        endTurns()
    }

    // MARK: - Numbers

    private func readConnection(_ reader: inout StoreReader) throws(StoreError) -> UInt32 {
        let connection = try reader.readNumber()
        guard connection < delivery.connections.end, delivery.connections[connection].isOpen else {
            throw reader.corrupt("connection \(connection) has no session")
        }
        return connection
    }

    private func readProducer(_ reader: inout StoreReader) throws(StoreError) -> UInt32 {
        let producer = try reader.readNumber()
        if !producers.isKnown(producer) { throw reader.corrupt("there is no producer \(producer)") }
        return producer
    }

    private func readDevice(
        _ device: UInt32,
        _ reader: StoreReader
    ) throws(StoreError) -> DeviceID {
        guard delivery.isStored(device) else {
            throw reader.corrupt("there is no device \(device)")
        }
        return device
    }

    private func readWidget(
        _ widget: UInt32,
        _ reader: StoreReader
    ) throws(StoreError) -> WidgetID {
        guard matcher.isStored(widget) else {
            throw reader.corrupt("there is no widget \(widget)")
        }
        return widget
    }
}
