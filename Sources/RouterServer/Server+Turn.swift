internal import ByteStorage
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import ReloadModel
internal import RouterCore

extension Server: HookOwner, TimerOwner, WakeupOwner {
    /// The loop has called back for everything that was ready.
    package func hookFired(_ hook: LoopHook) {
        turn()
        clock.endTurn()
    }

    /// Ends a loop turn: decide, write, flush.
    func turn() {
        // Flushing can close connections, which must not start a turn inside this one.
        if isStepping || phase == .ended { return }
        isStepping = true
        turnInput = 0
        router.step(now: clock.now())
        performActions()
        flushDirty()
        isStepping = false
        releaseHeld()
        if router.needsStep { scheduleTurn() }
        armDeadline()
    }

    /// Makes sure that there is a next turn even if nobody sends anything.
    func scheduleTurn() {
        wakeup?.door.wake()
    }

    package func wokenUp(_ wakeup: LoopWakeup) {
        // The check hook, which follows in the same turn, does the work.
    }

    private func performActions() {
        for index in router.actions.indices { perform(router.actions[index]) }
        router.actionsPerformed()
    }

    private func perform(_ action: RouterAction) {
        switch action {
        case .reload(let order):
            guard let connection = output(order.connection) else { return }
            unsafe connection.withOutput(router.frameBound(order)) { memory in
                unsafe router.write(order, to: memory)
            }
        case .acknowledge(let slot, let seq, let matched):
            guard let connection = output(slot) else { return }
            unsafe connection.withOutput(FrameHeader.byteCount + 4) { memory in
                let count = matched == nil ? 0 : 4
                unsafe FrameHeader(type: .ack, seq: seq, bodyCount: count).write(to: memory)
                unsafe memory.storeBytes(
                    of: (matched ?? 0).bigEndian,
                    toByteOffset: FrameHeader.byteCount,
                    as: UInt32.self
                )
                return FrameHeader.byteCount + count
            }
        case .pong(let slot, let seq):
            write(slot, FrameHeader(type: .pong, seq: seq, bodyCount: 0))
        case .ping(let slot):
            write(slot, FrameHeader(type: .ping, seq: 0, bodyCount: 0))
        case .write(let slot, let type, let seq, let body):
            write(slot, FrameType(rawValue: type)!, seq: seq, router.bodies[body])
        case .fail(let slot, let body):
            write(slot, .error, seq: 0, router.bodies[body])
            linger(slot)
        }
    }

    /// The connection to write to, marked to be flushed at the end of the turn.
    private func output(_ slot: UInt32) -> TCPConnection? {
        let index = Int(slot)
        guard let connection = peers[index].connection else { return nil }
        if !peers[index].isDirty {
            peers[index].isDirty = true
            dirty.append(slot)
        }
        return connection
    }

    private func write(_ slot: UInt32, _ header: FrameHeader) {
        guard let connection = output(slot) else { return }
        unsafe connection.withOutput(FrameHeader.byteCount) { memory in
            unsafe header.write(to: memory)
            return FrameHeader.byteCount
        }
    }

    private func write(_ slot: UInt32, _ type: FrameType, seq: UInt64, _ body: [UInt8]) {
        guard let connection = output(slot) else { return }
        encodeFrame(type, seq: seq, body: body).withByteView { connection.append($0) }
    }

    /// Ends a connection so that its peer can read why: what is queued goes out, then our end is
    /// shut, and its input is thrown away until it shuts its own. (Closing at once, with input
    /// unread, would make the kernel reset the connection and drop the ERROR.)
    private func linger(_ slot: UInt32) {
        guard let connection = peers[Int(slot)].connection else { return }
        peers[Int(slot)].lingerUntil = clock.now().monotonic + Self.lingerTime
        connection.shutdownAfterFlush()
        connection.resumeReading()
        logger.info(
            "session ended",
            metadata: [
                "peer": "\(connection.remoteAddress)",
                "code": "\(router.counters.lastFailure?.rawValue ?? "")",
            ]
        )
    }

    private func flushDirty() {
        var index = 0
        while index < dirty.count {
            let slot = Int(dirty[index])
            index += 1
            peers[slot].isDirty = false
            guard let connection = peers[slot].connection else { continue }
            connection.flush()
            limitOutput(connection)
        }
        dirty.removeAll(keepingCapacity: true)
        limitTotalOutput()
    }

    // MARK: - Time

    package func timerFired(_ timer: LoopTimer) {
        if timer === sweepTimer {
            sweep()
        } else if timer === drainTimer {
            closeAll()
        }
        // Timers run before the loop waits for input: what they lead to must not wait for that.
        turn()
        clock.endTurn()
    }

    private func sweep() {
        if phase == .serving {
            let peers = peers
            router.sweep(now: clock.now()) { slot in
                peers[Int(slot)].connection?.isReading ?? false
            }
            limitTotalOutput()
            logWarnings()
        }
        closeLingering()
    }

    /// Closes connections whose peers have had the time to read their end.
    ///
    /// A drain waits longer for those that still have output: `closeAll` ends that.
    private func closeLingering() {
        let now = clock.now().monotonic
        for slot in peers.indices {
            let deadline = peers[slot].lingerUntil
            guard deadline != 0, deadline <= now, let connection = peers[slot].connection,
                phase == .serving || connection.outputByteCount == 0
            else { continue }
            release(connection)
        }
    }

    /// Arms the one timer for whatever the router does next by itself.
    private func armDeadline() {
        let now = clock.now()
        guard let time = router.nextWakeUp(after: now) else { return }
        try? deadlineTimer?.start(
            afterMilliseconds: UInt64(max(1, time - now.monotonic)),
            repeatingMilliseconds: 0
        )
    }
}
