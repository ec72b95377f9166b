package import Basics
internal import FrameCodec
internal import HTTPServing
package import LibuvLoop
internal import Logging
internal import Platform
package import RouterCore
internal import RouterStore

/// The tick: what happens once per iteration of the loop, in its order.
extension Server: HookOwner, WakeupOwner, FrameSink {
    /// The loop has called back for everything that was ready: performs the tick.
    package func hookFired(_ hook: LoopHook) {
        tick()
        core.loop.meter.enter(.admin)
        core.part(paidBy: appFiles.payer) { continueAppFile() }
        performAdminRequests()
        publishStatus()
        endTick()
    }

    /// Lets the payer of a callback that has ended pay what it has cost.
    package func hook(_ hook: LoopHook, measured time: Nanoseconds) {
        core.callbackEnded(after: time, otherwise: apns?.payer)
        apns?.payer = nil
    }

    /// Performs a tick: a step of the router, its record in the journal, and the output.
    func tick() {
        // Flushing can close connections, which must not start a tick inside this one.
        if thisTick.isStepping || core.phase == .ended { return }
        core.unpaid { performTick() }
    }

    private func performTick() {
        thisTick.isStepping = true
        thisTick.serial &+= 1
        thisTick.inputByteCount = 0
        continueSweep()
        applyVerdicts()
        publishing.listener?.publishRead()
        let mayStep = core.driver?.hasRoomForSteps ?? true
        if mayStep {
            let now = core.now
            if let lag = handles.deadline?.takeLag(at: core.clock.begin) {
                metrics.schedulerLag.record(lag)
            }
            setReloadLimit()
            core.router.step(now: now)
            serveAPNs(at: now)
        }
        core.submit()
        core.recording?.endTick(&core.router)
        sendFrames()
        releaseCommitted()
        recordLargestOutput()
        flushDirty()
        apns?.flush(&core.router)
        releaseAnswered()
        recordLatencies()
        thisTick.isStepping = false
        endIfPushesEnded()
        resumeStore()
        if reading.beginRound() {
            publishing.listener?.resumeDeferred()
            reading.resumeWaiting()
        }
        if isSweeping { core.scheduleTick() }
        // If no step is allowed, the store's thread wakes the loop once it has written something.
        if mayStep { resumeLater() }
    }

    private func resumeLater() {
        let hasDeferred = publishing.listener?.http.hasDeferred ?? false
        if core.router.needsStep || !reading.waiting.isEmpty || !reading.handshakes.isEmpty
            || hasDeferred || (!core.loop.accepts && !reading.holdsBackConnections)
        {
            core.scheduleTick()
        }
        armDeadline()
    }

    /// Does nothing: the wake-up only makes the loop perform a tick.
    package func wokenUp(_ wakeup: LoopWakeup) {
        // The check hook, which follows in the same iteration of the loop, does the work.
    }

    private func sendFrames() {
        core.router.takeFrames(&frames)
        var sink = self
        frames.send(to: &sink)
        peers.freeReleased()
    }

    // MARK: - Output

    /// When a frame may leave, and whether the connection ends after it.
    private enum Departure {
        /// At once, but not before the session's WELCOME.
        case free
        /// When what it answers is committed.
        case answer
        /// When its session is committed; no other frame of the session leaves before it.
        case welcome
        /// When what came before it is committed; then the connection ends.
        case error
        /// At once, and then the connection ends: without a session, nothing was promised to it.
        case refusal

        var waits: Bool {
            switch self {
            case .free, .refusal: false
            case .answer, .welcome, .error: true
            }
        }

        var isLast: Bool { self == .error || self == .refusal }

        var kind: UncommittedOutput.Kind {
            switch self {
            case .free, .answer: .other
            case .welcome: .first
            case .error, .refusal: .last
            }
        }
    }

    private func departure(of frame: OutgoingFrame) -> Departure {
        switch frame.type {
        case .welcome: .welcome
        case .error: peers[frame.connection].hasSession ? .error : .refusal
        // A RELOAD changes nothing that must be durable, so it need not wait for the store.
        case .reload, .ping, .pong: .free
        default: .answer
        }
    }

    /// Writes a frame to its connection, or queues it until the journal is committed.
    package func send(_ frame: OutgoingFrame, bytes: ByteView) {
        let slot = frame.connection
        // Nearly all frames are RELOADs: these take the shortest way.
        if frame.type == .reload && peers.write(bytes, to: slot) { return }
        if frame.type == .welcome {
            peers.sessionBegins(slot)
            reading.sessionRate.sessionBegins(at: core.now.monotonic)
        }
        if let code = frame.code { logFailure(slot, code: code) }
        let departure = departure(of: frame)
        guard let connection = peers[slot].connection else {
            return deliver(slot, waits: departure.waits, frame: bytes)
        }
        if departure == .free && peers[slot].afterWelcome != nil {
            return keepAfterWelcome(slot, frame: bytes)
        }
        if departure.waits, let driver = core.driver, awaitsCommit(driver) {
            return queueUntilCommit(
                frame,
                bytes: bytes,
                departure: departure,
                connection: connection,
                driver: driver
            )
        }
        peers.markDirty(slot)
        connection.append(bytes)
        if frame.coveredCount > 0 {
            metrics.acknowledged.add(frame.coveredCount, arrival: frame.arrival)
        }
        if departure == .refusal { peers.markRefused(slot) }
        if departure.isLast { linger(slot) }
    }

    /// Queues a frame until the journal is committed.
    private func queueUntilCommit(
        _ frame: OutgoingFrame,
        bytes: ByteView,
        departure: Departure,
        connection: TCPConnection,
        driver: CommitDriver
    ) {
        let slot = frame.connection
        if departure == .welcome { waitForWelcome(slot) }
        if departure == .error { lingerUntilCommit(slot) }
        let before = driver.uncommittedAnswers.byteCount
        peers[slot].uncommittedCount += 1
        unsafe driver.uncommittedAnswers.append(
            position: core.journalEnd,
            connection: slot,
            serial: peers[slot].serial,
            kind: departure.kind,
            arrival: frame.arrival,
            count: frame.coveredCount,
            byteCount: bytes.count
        ) { memory in
            unsafe bytes.copy(to: memory)
            return bytes.count
        }
        peers[slot].uncommittedByteCount += driver.uncommittedAnswers.byteCount - before
        limitOutput(connection)
    }

    /// True if an answer of this tick must wait, for its own commit or to stay in order.
    private func awaitsCommit(_ driver: CommitDriver) -> Bool {
        !driver.uncommittedAnswers.isEmpty || core.journalEnd > driver.committed
    }

    /// Ends a connection so that its peer can read why: what is queued goes out, then the router
    /// shuts its end, and discards input until the peer shuts its own. (Closing at once, with input
    /// unread, would make the kernel reset the connection and drop the ERROR.)
    func linger(_ slot: ConnectionSlot) {
        guard let connection = peers[slot].connection else { return }
        peers[slot].lingerUntil = core.now.monotonic + Self.lingerTime
        connection.shutdownAfterFlush()
        connection.resumeReading()
    }

    /// Discards the connection's input from now on, while its ERROR awaits its commit. The
    /// connection is still read from, so that the end of the peer is noticed.
    private func lingerUntilCommit(_ slot: ConnectionSlot) {
        peers[slot].lingerUntil = core.now.monotonic + Self.uncommittedErrorTime
        peers[slot].connection?.resumeReading()
    }

    private func logFailure(_ slot: ConnectionSlot, code: ErrorCode) {
        guard let connection = peers[slot].connection else { return }
        var metadata: Logger.Metadata = [
            "peer": "\(connection.remoteAddress)", "code": "\(code.rawValue)",
        ]
        if let name = core.router.sessionName(slot) { metadata["session"] = "\(name)" }
        if let details = gatekeeper.refusals.removeValue(forKey: slot) {
            metadata.merge(details) { own, _ in own }
        }
        core.logger.info("session ended", metadata: metadata)
    }

    private func flushDirty() {
        var index = 0
        while index < peers.dirty.count {
            let slot = peers.dirty[index]
            index += 1
            peers[slot].isDirty = false
            guard let connection = peers[slot].connection else { continue }
            connection.flush()
            limitOutput(connection)
        }
        peers.removeDirty()
        limitTotalOutput()
        reading.limitTotalInput(release: release)
    }

    // MARK: - Time

    /// Performs the tick that follows what a timer does.
    func tickAfterTimer() {
        // Timers run before the loop waits for input: their effects must not wait for that.
        tick()
        endTick()
    }

    private func endTick() {
        guard let time = core.clock.endTick() else { return }
        metrics.ticks.record(time)
        metrics.tickCount += 1
    }

    /// Periodic work of the loop: time-outs, warnings, late answers and signs of life.
    func sweep() {
        recordHistory()
        rotateLatencyWindows()
        core.setArrivalTime()
        if core.phase == .serving {
            core.router.beginSweep(now: core.now)
            limitTotalOutput()
            closeLargestOutput()
            warnings.log(
                core.router.counters,
                lost: core.recording?.lostCount ?? 0,
                now: core.now.monotonic,
                logger: core.logger
            )
        }
        core.loop.trimOutputMemory()
        frames.trim()
        closeLingering()
        publishing.listener?.http.sweep()
        answerLatePushes()
        for answer in admin.uncommitted.takeLate(at: core.now.monotonic) {
            answer.fail(with: UncommittedAnswers.lateness)
        }
        drainIfAsked()
        reportAlive()
        warnings.log(core.loop.meter.stalls, logger: core.logger)
        integration.logLimiter?.report()
    }

    private var isSweeping: Bool { core.phase == .serving && core.router.isSweeping }

    private func continueSweep() {
        if !isSweeping { return }
        core.router.continueSweep(now: core.now) { slot in
            let peer = peers[slot]
            // A peer that still waits for its WELCOME cannot see a PING.
            return peer.afterWelcome == nil && peer.connection?.isReading ?? false
        }
    }

    /// Closes connections whose peers had until now (`lingerUntil`) to read their last frames.
    ///
    /// During a drain, those that still have output are kept longer; `closeAll` ends that.
    private func closeLingering() {
        let now = core.now.monotonic
        for slot in peers.slots {
            let deadline = peers[slot].lingerUntil
            guard deadline != .zero, deadline <= now, let connection = peers[slot].connection,
                core.phase == .serving || connection.outputByteCount == 0
            else { continue }
            release(connection)
        }
    }

    /// Arms the timer for the router's next scheduled work, or for the end of the first rest of a
    /// connection, a publisher or an operator, whichever comes first.
    func armDeadline() {
        let now = core.now
        let published = min(publishing.sessions.restEnd ?? .max, publishing.reports.restEnd ?? .max)
        let asked = min(published, admin.restEnd ?? .max)
        let resting = min(reading.waiting.restEnd ?? .max, publishing.listener?.restEnd ?? .max)
        let rests = min(resting, asked)
        handles.deadline?.arm(
            at: min(core.router.nextWakeUp(after: now) ?? .max, max(rests, now.monotonic)),
            now: now.monotonic,
            begin: core.clock.begin
        )
    }
}
