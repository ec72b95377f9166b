package import DataStructures
internal import FrameCodec
package import LibuvLoop
internal import Logging
internal import ReloadModel
internal import Times

/// Forwards bytes in both directions: client and router see one connection.
///
/// When one side reads more slowly than the other sends, the tap pauses reading from the sender, so
/// that at most `Tap.outputLimit` and one read are buffered in each direction.
extension Tap: ListenerOwner, ConnectionOwner {
    private static var noSlot: UInt32 { UInt32.max }

    /// Accepts a client and opens a connection to the router for it; refuses it if that fails.
    package func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        connection.slot = Self.noSlot
        connection.setNoDelay()
        do throws(UVError) {
            let upstream = try TCPConnection.connect(loop, to: self.upstream, owner: self)
            let slot = freeSlots.popLast() ?? pairs.count
            if slot == pairs.count { pairs.append(nil) }
            assert(pairs[slot] == nil, "the slot is in use")
            for end in [connection, upstream] {
                end.slot = UInt32(slot)
                end.drainThreshold = Self.outputLimit / 2
            }
            pairs[slot] = TapPair(slot: slot, client: connection, upstream: upstream)
            openCount += 1
            assert(openCount == pairs.count - freeSlots.count, "a slot is counted twice")
        } catch {
            logger.warning("the router cannot be reached", metadata: ["error": "\(error)"])
            connection.close()
        }
    }

    /// Starts forwarding once the connection to the router is established.
    package func connectionOpened(_ connection: TCPConnection) {
        guard let pair = pair(of: connection) else { return }
        connection.setNoDelay()
        assert(
            connection === pair.upstream && !pair.isConnected,
            "the tap opens one connection for a client"
        )
        pair.isConnected = true
        connection.resumeReading()
        pair.client.resumeReading()
    }

    /// Records and forwards received bytes; always uses all of them.
    package func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        guard let pair = pair(of: connection) else { return bytes.count }
        let peer = pair.peer(of: connection)
        let isFromClient = connection === pair.client
        // Recorded before forwarding, so that no answer can arrive before its frame is known.
        follow(pair, bytes: bytes, isFromClient: isFromClient)
        if isFromClient ? pair.upstreamHasEnded : pair.clientHasEnded { return bytes.count }
        peer.append(bytes)
        peer.flush()
        if peer.outputByteCount > Self.outputLimit { connection.pauseReading() }
        return bytes.count
    }

    /// Resumes reading from the other side once the output of this one is mostly written.
    package func connectionDrained(_ connection: TCPConnection) {
        guard let pair = pair(of: connection), pair.isConnected else { return }
        let peer = pair.peer(of: connection)
        // While draining, nothing more is read from clients.
        if isDraining && peer === pair.client { return }
        peer.resumeReading()
    }

    /// Passes one side's end on to the other; closes the pair if both have ended or one has failed.
    package func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        guard let pair = pair(of: connection) else { return connection.close() }
        if connection === pair.client {
            pair.clientHasEnded = true
            if pair.isFollowed { pair.session.clientEnded(at: now, entries: &entries) }
        } else {
            if !pair.isConnected, let error {
                logger.warning("the router cannot be reached", metadata: ["error": "\(error)"])
            }
            pair.upstreamHasEnded = true
            endRecording(pair)
        }
        if error != nil || (pair.clientHasEnded && pair.upstreamHasEnded) || !pair.isConnected {
            return leave(pair)
        }
        let peer = pair.peer(of: connection)
        let isSent = isDraining && peer.outputByteCount == 0
        pair.deadline = min(pair.deadline, now + (isSent ? Self.drainLinger : Self.lingerTime))
        peer.shutdownAfterFlush()
        peer.resumeReading()
    }

    /// Ends a pair when both sides have ended or one has failed: writes what is left, then closes.
    private func leave(_ pair: TapPair) {
        endRecording(pair)
        pair.clientHasEnded = true
        pair.upstreamHasEnded = true
        pair.deadline = min(pair.deadline, now + Self.lingerTime)
        for end in [pair.client, pair.upstream] {
            if end.outputByteCount == 0 { end.close() } else { end.shutdownAfterFlush() }
        }
    }

    /// Frees the pair's slot once both of its connections are closed.
    package func connectionClosed(_ connection: TCPConnection) {
        let slot = connection.slot
        connection.slot = Self.noSlot
        guard slot != Self.noSlot, let pair = pairs[Int(slot)] else { return }
        if pair.peer(of: connection).slot != Self.noSlot { return }
        pairs[pair.slot] = nil
        freeSlots.append(pair.slot)
        openCount -= 1
        assert(openCount == pairs.count - freeSlots.count, "a slot is counted twice")
        if isDraining && openCount == 0 { end() }
    }

    private func pair(of connection: TCPConnection) -> TapPair? {
        connection.slot == Self.noSlot ? nil : pairs[Int(connection.slot)]
    }

    // MARK: - Frames

    /// Passes the frames in forwarded bytes to the pair's session, which records them, unless
    /// recording of the pair has ended.
    private func follow(_ pair: TapPair, bytes: ByteView, isFromClient: Bool) {
        if !pair.isFollowed { return }
        let time = now
        do throws(ProtocolError) {
            if isFromClient {
                try pair.sent.take(bytes) { header, body in
                    pair.session.sent(header, body: body, at: time, entries: &entries)
                }
            } else {
                try pair.answers.take(bytes) { header, body in
                    pair.session.answered(header, body: body, at: time, entries: &entries)
                }
            }
        } catch {
            let side = isFromClient ? "the client" : "the router"
            logger.warning(
                "a connection is no longer recorded: its bytes are not frames",
                metadata: [
                    "peer": "\(pair.client.remoteAddress)", "by": "\(side)",
                    "error": "\(error.message)",
                ]
            )
            endRecording(pair)
        }
        recordDecided()
    }

    /// Ends the recording of a pair; its bytes are still forwarded.
    private func endRecording(_ pair: TapPair) {
        pair.isFollowed = false
        pair.session.end(at: now, entries: &entries)
        recordDecided()
    }

    // MARK: - The end

    /// Stops accepting connections, lets the router answer what it was sent, and ends.
    func drain() {
        assert(!isDraining, "the tap is ending already")
        logger.notice("draining", metadata: ["connections": "\(openCount)"])
        isDraining = true
        for listener in listeners { listener.close() }
        for case let pair? in pairs {
            if !pair.isConnected {
                close(pair)
                continue
            }
            let isSent = pair.upstreamHasEnded && pair.client.outputByteCount == 0
            pair.deadline = min(pair.deadline, now + (isSent ? Self.drainLinger : Self.lingerTime))
            if pair.upstreamHasEnded { continue }
            pair.client.pauseReading()
            pair.upstream.shutdownAfterFlush()
        }
        if openCount == 0 { end() }
    }

    /// Closes everything that is still open.
    func closeAll() {
        assert(isDraining, "the first signal drains the tap")
        for case let pair? in pairs { close(pair) }
        if openCount == 0 { end() }
    }

    private func close(_ pair: TapPair) {
        endRecording(pair)
        pair.client.close()
        pair.upstream.close()
    }

    /// Closes pairs that are finished or have reached their deadline.
    func closeLingering() {
        let now = now
        for case let pair? in pairs where pair.deadline != .max {
            let isDone = pair.clientHasEnded && pair.upstreamHasEnded
            if isDone {
                if pair.client.outputByteCount == 0 { pair.client.close() }
                if pair.upstream.outputByteCount == 0 { pair.upstream.close() }
            }
            if pair.deadline <= now { close(pair) }
        }
    }

    /// Closes the tap's own handles; the loop ends once their callbacks have run.
    func end() {
        if hasEnded { return }
        hasEnded = true
        assert(isDraining && openCount == 0, "connections are open")
        for listener in listeners { listener.close() }
        discardSignals([TapSignal.interrupt.rawValue, TapSignal.terminate.rawValue])
        for signal in signals { signal.close() }
        timer?.close()
    }
}
