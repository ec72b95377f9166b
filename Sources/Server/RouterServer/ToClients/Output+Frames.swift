internal import Basics
internal import FrameCodec
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// The frames of a tick: each leaves at once, or when the journal is committed.
extension Output: FrameSink {
    /// Bytes of frames kept for after a WELCOME; beyond it, the peer is not read from.
    private static var afterWelcomeLimit: Int { 64 << 10 }
    /// How long an ERROR may wait for the store. Beyond it the connection ends without the
    /// ERROR, so that a failing disk does not use up descriptors.
    private static var uncommittedErrorTime: Milliseconds { .seconds(10) }
    /// How long a connection that was ended may take to read its ERROR and close its end.
    private static var lingerTime: Milliseconds { .seconds(2) }

    /// Sends the frames that the router has made.
    func sendFrames() {
        core.router.takeFrames(&frames)
        var sink = self
        frames.send(to: &sink)
        peers.freeReleased()
    }

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
    func send(_ frame: OutgoingFrame, bytes: ByteView) {
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
        limit(connection)
    }

    /// True if an answer of this tick must wait, for its own commit or to stay in order.
    private func awaitsCommit(_ driver: CommitDriver) -> Bool {
        !driver.uncommittedAnswers.isEmpty || core.journalEnd > driver.committed
    }

    /// Ends a connection so that its peer can read why: what is queued goes out, then the router
    /// shuts its end, and discards input until the peer shuts its own. (Closing at once, with input
    /// unread, would make the kernel reset the connection and drop the ERROR.)
    private func linger(_ slot: ConnectionSlot) {
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
        if let details = admission.refusals.removeValue(forKey: slot) {
            metadata.merge(details) { own, _ in own }
        }
        core.logger.info("session ended", metadata: metadata)
    }

    /// Passes the output of this tick to the kernel.
    func flushDirty() {
        var index = 0
        while index < peers.dirty.count {
            let slot = peers.dirty[index]
            index += 1
            peers[slot].isDirty = false
            guard let connection = peers[slot].connection else { continue }
            connection.flush()
            limit(connection)
        }
        peers.removeDirty()
        limitTotal()
    }

    /// Sends the answers whose commit has come; false if none has waited.
    func releaseCommitted() -> Bool {
        guard let driver = core.driver, !driver.uncommittedAnswers.isEmpty else { return false }
        let committed = driver.committed
        driver.uncommittedAnswers.release(upTo: committed) { entry, frame in
            let slot = entry.connection
            // Another connection may have the slot by now.
            if peers[slot].serial != entry.serial { return }
            guard let connection = peers[slot].connection else {
                return deliver(entry.connection, frame: frame)
            }
            peers[slot].uncommittedCount -= 1
            peers.markDirty(entry.connection)
            connection.append(frame)
            peers[slot].uncommittedByteCount -= frame.count
            assert(
                peers[slot].uncommittedCount >= 0 && peers[slot].uncommittedByteCount >= 0,
                "more answers to the peer are committed than have waited"
            )
            metrics.acknowledged.add(entry.count, arrival: entry.arrival)
            if entry.kind == .first { welcomed(entry.connection) }
            if entry.kind == .last { linger(entry.connection) }
        }
        return true
    }

    /// Receives a frame that the router sends to a slot without a connection; if `waits`, only
    /// after the commit.
    private func deliver(_ slot: ConnectionSlot, waits: Bool, frame: ByteView) {
        if sessions[slot: slot] == nil { return }
        if waits, let driver = core.driver, awaitsCommit(driver) {
            unsafe driver.uncommittedAnswers.append(
                position: core.journalEnd,
                connection: slot,
                serial: peers[slot].serial,
                kind: .other,
                byteCount: frame.count
            ) { memory in
                unsafe frame.copy(to: memory)
                return frame.count
            }
            return
        }
        deliver(slot, frame: frame)
    }

    /// Receives a frame for a session over HTTP, after the commit that the frame awaited.
    private func deliver(_ slot: ConnectionSlot, frame: ByteView) {
        guard let session = sessions[slot: slot] else { return }
        session.receive(frame)
        if session.failure != nil { sessions.hasFailure = true }
    }

    // MARK: - Sessions whose WELCOME awaits its commit

    /// Marks that the WELCOME of a session awaits its commit: no other frame leaves before it.
    ///
    ///     WELCOME waits │ what was decided with it, PONGs: kept, to a limit │ it and these leave
    ///                   │ RELOADs: wait in the router, and coalesce         │ and RELOADs
    private func waitForWelcome(_ slot: ConnectionSlot) {
        assert(peers[slot].afterWelcome == nil, "a WELCOME of the session waits already")
        peers[slot].afterWelcome = []
        core.router.outputFilled(slot)
    }

    /// Keeps a frame until the WELCOME of its session has left; kept frames leave in order.
    private func keepAfterWelcome(_ slot: ConnectionSlot, frame: ByteView) {
        peers[slot].afterWelcome! += frame.array
        core.driver!.afterWelcomeByteCount += frame.count
        let waiting = peers[slot].afterWelcome!.count
        if waiting > Self.afterWelcomeLimit { reading.pause(slot, because: .ownOutput) }
    }

    /// The WELCOME of a session has been written: appends the frames kept for after it.
    private func welcomed(_ slot: ConnectionSlot) {
        guard let frames = takeAfterWelcome(slot), let connection = peers[slot].connection
        else { return }
        frames.withByteView { connection.append($0) }
        if peers[slot].hasHungUp { return }
        core.router.outputDrained(slot)
        reading.resume(connection, removing: .ownOutput)
    }

    /// Removes and returns the frames kept for after a WELCOME; nil if none awaits its commit.
    func takeAfterWelcome(_ slot: ConnectionSlot) -> [UInt8]? {
        guard let frames = peers[slot].afterWelcome else { return nil }
        peers[slot].afterWelcome = nil
        core.driver!.afterWelcomeByteCount -= frames.count
        assert(core.driver!.afterWelcomeByteCount >= 0, "more frames leave than were kept")
        return frames
    }
}
