internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// Drain and end.
extension Server {
    /// Reads the app file and the keys for APNs again, and what the program reads again on SIGHUP.
    func readFilesAgain() {
        appFiles.reload()
        integration.onHangUp()
    }

    /// Drains the router, and ends at once when asked for a second time.
    func stop() {
        if core.phase == .serving { drain() } else { closeAll() }
    }

    /// Begins a graceful end: stops accepting, processes what has arrived, sends GOAWAY, flushes,
    /// and closes connections as their answers leave.
    func drain() {
        assert(core.phase == .serving, "the drain has begun already")
        core.logger.notice("draining", metadata: ["connections": "\(peers.openCount)"])
        metrics.mark(.drain)
        integration.stopping()
        appFiles.cancel(atEnd: false)
        for listener in reading.listeners { listener.close() }
        tick()
        admission.isOpen = false
        core.router.drain()
        tick()
        core.phase = .draining
        try? ticks.drainTimer?.start(after: configuration.drainTimeout)
        lingerWhenAnswered()
        publishing.dropUnsentPushes()
        endIfEmpty()
    }

    /// Ends a drain when no connection, no push over HTTP, no report and no push by APNs is left.
    func endIfEmpty() {
        let isEmpty = peers.openCount == 0 && !publishing.isBusy && apns?.isBusy != true
        if core.phase == .draining && isEmpty { end() }
    }

    /// In a drain, ends the connections once all answers awaiting commit have left.
    func lingerWhenAnswered() {
        assert(core.phase == .draining, "connections are ended without a drain")
        if let isAnswered = core.driver?.uncommittedAnswers.isEmpty, !isAnswered { return }
        for index in peers.slots {
            guard let connection = peers[index].connection, !peers[index].isLeaving else {
                continue
            }
            peers[index].isLeaving = true
            peers[index].lingerUntil = core.now.monotonic + Self.drainLinger
            connection.shutdownAfterFlush()
            connection.resumeReading()
        }
    }

    /// Closes every connection, flushed or not.
    func closeAll() {
        assert(core.phase != .ended, "the server has ended already")
        core.phase = .draining
        apns?.close()
        for index in peers.slots {
            if let connection = peers[index].connection { release(connection) }
        }
        if peers.openCount == 0 { end() }
    }

    /// Closes the server's own handles; the loop ends when their close callbacks have run.
    func end() {
        if core.phase == .ended { return }
        assert(core.phase == .draining, "the server ends without a drain")
        assertInvariants { () throws(InvariantViolation) in
            try peers.checkInvariants()
            try publishing.sessions.checkInvariants()
        }
        core.phase = .ended
        // Other threads read the last status while the store closes.
        admin.snapshot.close(status)
        admin.close()
        admission.gatekeeper.close()
        appFiles.close()
        apns?.close()
        core.recording?.timer.close()
        integration.signals?.close()
        ticks.close()
        core.logger.notice(
            "drained",
            metadata: [
                "pushes": "\(core.router.counters.pushesAccepted)",
                "reloads": "\(core.router.counters.reloadsSent)",
            ]
        )
    }
}
