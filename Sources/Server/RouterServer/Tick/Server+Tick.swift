internal import AdminAPI
package import Basics
internal import FrameCodec
internal import HTTPServing
package import LibuvLoop
internal import Platform
internal import RouterCore
internal import RouterStore

/// The tick: what happens once per iteration of the loop, in its order.
extension Server: HookOwner, WakeupOwner {
    /// The loop has called back for everything that was ready: performs the tick.
    package func hookFired(_ hook: LoopHook) {
        tick()
        core.loop.meter.enter(.admin)
        core.part(paidBy: appFiles.payer) { appFiles.continueLoading() }
        if admin.perform() { armDeadline() }
        if admin.snapshot.isAsked { admin.snapshot.publish(status) }
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
        if ticks.isStepping || core.phase == .ended { return }
        core.unpaid { performTick() }
    }

    private func performTick() {
        ticks.isStepping = true
        ticks.serial &+= 1
        ticks.inputByteCount = 0
        continueSweep()
        admission.applyVerdicts { publishing.listener?.apply($0, isValid: $1, to: $2) }
        publishing.listener?.publishRead()
        let mayStep = core.driver?.hasRoomForSteps ?? true
        if mayStep {
            let now = core.now
            if let lag = ticks.deadline?.takeLag(at: core.clock.begin) {
                metrics.schedulerLag.record(lag)
            }
            output.setReloadLimit()
            core.router.step(now: now)
            if let apns {
                core.setArrivalTime()
                apns.serve(&core.router, at: now, isDraining: core.phase != .serving)
            }
        }
        core.submit()
        core.recording?.endTick(&core.router)
        output.sendFrames()
        if output.releaseCommitted() && core.phase == .draining { lingerWhenAnswered() }
        output.recordLargest()
        output.flushDirty()
        reading.limitTotalInput { release($0) }
        apns?.flush(&core.router)
        releaseAnswered()
        metrics.recordLatencies()
        ticks.isStepping = false
        if core.phase == .draining, let apns, !apns.isBusy { endIfEmpty() }
        resumeStore()
        if reading.beginRound() {
            publishing.listener?.resumeDeferred()
            reading.resumeWaiting()
        }
        if isSweeping { core.scheduleTick() }
        // If no step is allowed, the store's thread wakes the loop once it has written something.
        if mayStep { resumeLater() }
    }

    /// Continues a checkpoint, adapts input to the store's speed, and logs the store's state.
    private func resumeStore() {
        guard let driver = core.driver, core.phase != .ended else { return }
        if driver.continueCheckpoint(&core.router) { core.scheduleTick() }
        reading.limit(by: driver)
        core.commits?.look(clock: &core.clock, logger: core.logger)
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
        metrics.recordHistory()
        if metrics.rotateWindows() { apns?.metrics.answerTime.rotate() }
        core.setArrivalTime()
        if core.phase == .serving {
            core.router.beginSweep(now: core.now)
            output.limitTotal()
            output.closeLargest(of: outputHolders)
            metrics.warnings.log(
                core.router.counters,
                lost: core.recording?.lostCount ?? 0,
                now: core.now.monotonic,
                logger: core.logger
            )
        }
        core.loop.trimOutputMemory()
        output.frames.trim()
        closeLingering()
        publishing.listener?.http.sweep()
        publishing.answerLate()
        admin.answers.failLate()
        if admin.isDrainRequested && core.phase == .serving { drain() }
        integration.alive()
        metrics.warnings.log(core.loop.meter.stalls, logger: core.logger)
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

    /// The connections whose peers have yet to read output, and its bytes: sessions, and publishers
    /// over HTTP with their answers.
    private var outputHolders: [OutputHolder] {
        var holders: [OutputHolder] = []
        for slot in peers.slots {
            guard let connection = peers[slot].connection else { continue }
            holders.append((connection.outputByteCount, { self.release(connection) }))
        }
        if let http = publishing.listener?.http {
            for connection in http.all {
                holders.append((connection.tcp.outputByteCount, { http.close(connection) }))
            }
        }
        return holders
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
        let asked = min(publishing.restEnd, admin.restEnd ?? .max)
        let resting = min(reading.waiting.restEnd ?? .max, publishing.listener?.restEnd ?? .max)
        let rests = min(resting, asked)
        ticks.deadline?.arm(
            at: min(core.router.nextWakeUp(after: now) ?? .max, max(rests, now.monotonic)),
            now: now.monotonic,
            begin: core.clock.begin
        )
    }
}
