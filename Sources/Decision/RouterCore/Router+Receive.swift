internal import ChangeDetection
package import DataStructures
internal import FrameCodec
package import ReloadModel
internal import RouterMetrics
internal import WidgetMatching

extension Router {
    /// Takes all whole frames at the beginning of what a connection has received.
    ///
    /// - Parameters:
    ///   - connection: the slot they came on.
    ///   - bytes: valid until the method returns.
    ///   - areNew: whether the kernel has just been asked for some of them, which has its cost.
    ///   - now: the clocks of this turn.
    /// - Returns: how many bytes were taken. What is left is to be offered again: with what comes
    ///   next, or, if the router `holds` the connection, when it does not any more. All of them are
    ///   taken if the session has ended.
    package mutating func received(
        _ connection: UInt32,
        _ bytes: ByteView,
        areNew: Bool = true,
        now: Instant
    ) -> Int {
        tick(now)
        let spentBefore = outbox.work.spent
        var spendable = spendable(by: connection)
        var offset = 0
        var frames: UInt64 = 0
        do throws(ProtocolError) {
            var maxBody = maxBody(of: connection)
            var next = NextFrame.asked
            while outbox.work.spent < spendable, next == .taken || !refuses(connection),
                let header = try FrameHeader.decode(bytes, at: offset, maxBody: maxBody)
            {
                if header.type != .push && !isBatchFinished(connection) { break }
                let start = offset + FrameHeader.byteCount
                let end = start + header.bodyCount
                next = try received(connection, header, bytes.slice(start, end))
                if header.type == .hello {
                    maxBody = limits.maxBody
                    spendable = min(spendable, self.spendable(by: connection))
                }
                offset = next != .none ? end : bytes.count
                frames &+= 1
            }
        } catch {
            if isBatchFinished(connection) {
                refuse(connection, error)
                offset = bytes.count
            }
        }
        if !state.fanOuts.isSearching { matchQueued() }
        outbox.work.charge(areNew ? WorkCost.read : WorkCost.look)
        outbox.work.settle(
            &sessions.connections[connection].work,
            cost: outbox.work.spent &- spentBefore,
            at: now.monotonic
        )
        sessions.connections[connection].frames &+= frames
        readEnded(
            connection,
            hasFrame: offset > 0,
            hasPartialFrame: offset < bytes.count && !holds(connection)
        )
        return offset
    }

    /// Whether the frame is taken that follows one.
    private enum NextFrame {
        /// The one in front has changed nothing that could be in the way, as most pushes.
        case taken
        /// If the router does not refuse it by now.
        case asked
        /// The session has ended.
        case none
    }

    /// Up to which the tick's work may be, for a connection's next frame to be taken.
    @inline(__always)
    private func spendable(by connection: UInt32) -> Int {
        if isResting(connection) { return outbox.work.spent }
        let credit = outbox.work.credit(of: sessions.connections[connection].work)
        return min(outbox.work.spent &+ credit, limits.workPerTick)
    }

    /// The longest body that a connection may send: before its HELLO that is shorter.
    @inline(__always)
    private func maxBody(of connection: UInt32) -> Int {
        if sessions.connections[connection].session.phase != .awaitingHello {
            return limits.maxBody
        }
        return min(limits.maxBody, RouterLimits.helloBody)
    }

    /// Matches the pushes in front of a frame that is none: it may change what they concern, or end
    /// the session that is owed their ACK.
    ///
    /// - Returns: whether that is done; else the frame has to wait.
    private mutating func isBatchFinished(_ connection: UInt32) -> Bool {
        matchQueued()
        return !refuses(connection)
    }

    /// Ends a session that has sent what is no legal frame.
    private mutating func refuse(_ connection: UInt32, _ error: ProtocolError) {
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        fail(connection, error)
    }

    private mutating func readEnded(
        _ connection: UInt32,
        hasFrame: Bool,
        hasPartialFrame: Bool
    ) {
        if hasFrame {
            sessions.connections[connection].lastFrameAt = state.clock.now.monotonic
            sessions.connections[connection].pingsUnanswered = 0
            sessions.connections[connection].partialSince = 0
        }
        if hasPartialFrame && sessions.connections[connection].partialSince == 0 {
            sessions.connections[connection].partialSince = state.clock.now.monotonic
        }
    }

    /// Takes one whole frame; its body stays valid until the batch's first portion is matched.
    @inline(__always)
    private mutating func received(
        _ connection: UInt32,
        _ header: FrameHeader,
        _ body: ByteView
    ) throws(ProtocolError) -> NextFrame {
        outbox.work.charge(WorkCost.frame)
        let input = try sessions.connections[connection].session.received(
            header,
            window: limits.window
        )
        switch input {
        case .push:
            return receivedPush(connection, header, body)
        case .duplicatePush:
            outbox.observer.counters.pushesDuplicate += 1
            acceptedPush(connection, header.seq)
            return .taken
        case .hello:
            return receivedHello(connection, body) ? .asked : .none
        case .ping:
            outbox.room.addAnswer(0)
            outbox.write(connection, .pong, seq: header.seq)
        case .pong:
            break
        case .acknowledgement:
            return receivedAcknowledgement(connection, header.seq) ? .asked : .none
        case .widgets, .timeline, .state, .request:
            receivedFromDevice(connection, header.type, header.seq, body)
        }
        return .asked
    }

    /// Remembers that an ACK up to `seq` is due at the end of the turn.
    ///
    /// - Parameters:
    ///   - connection: whom to.
    ///   - seq: of the last frame that it covers.
    ///   - arrival: when the first one came; see `arrival`.
    @inline(__always)
    mutating func accepted(_ connection: UInt32, _ seq: UInt64, arrival: Int64) {
        if seq > sessions.connections[connection].ackSeq {
            sessions.connections[connection].ackSeq = seq
        }
        if !sessions.connections[connection].ackIsDue { makeAckDue(connection, arrival) }
    }

    @inline(never)
    private mutating func makeAckDue(_ connection: UInt32, _ arrival: Int64) {
        sessions.connections[connection].ackIsDue = true
        sessions.connections[connection].ackArrival = arrival
        sessions.acknowledging.append(connection)
    }

    // MARK: - Pushes

    private mutating func receivedPush(
        _ connection: UInt32,
        _ header: FrameHeader,
        _ body: ByteView
    ) -> NextFrame {
        var payload = body
        var voidAt = Int64.max
        if header.flags & PushFlags.expires != 0 {
            guard body.count >= 8 else {
                reject(
                    connection,
                    seq: header.seq,
                    ProtocolError(
                        .payloadExpiry,
                        "the body has \(body.count) bytes; flag 0x02 wants 8 for the date"
                    )
                )
                return .asked
            }
            voidAt = Int64(clamping: body.bigEndian(UInt64.self, at: 0))
            payload = body.slice(8, body.count)
        }
        let app = state.delivery.sessions[connection].app
        let producer = state.delivery.sessions[connection].subject
        do throws(PayloadError) {
            try state.matcher.enqueue(
                app: app,
                payload: payload,
                tag: UInt32(intake.queued.count)
            )
            outbox.work.charge(state.matcher.enqueueWork)
        } catch {
            outbox.work.charge(state.matcher.enqueueWork)
            reject(connection, seq: header.seq, ProtocolError(error))
            return .asked
        }
        let isVoid = voidAt <= state.clock.now.wall
        let hasFields = !isVoid && state.fields.catalog.observes(app)
        // For reading them, should it match.
        if hasFields { outbox.work.charge(payload.count &* WorkCost.scannedByte) }
        intake.queued.append(
            PushIntake.Push(
                isUrgent: header.flags & PushFlags.urgent != 0,
                isVoid: isVoid,
                voidAt: voidAt,
                payload: hasFields ? payload : nil,
                seq: header.seq,
                reloadsBefore: state.numbers.reload
            )
        )
        if capture.isOn { capture.record(connection, header, body) }
        intake.producer = producer
        outbox.observer.counters.pushesAccepted += 1
        outbox.observer.appMetrics[Int(app)].pushes &+= 1
        acceptedPush(connection, header.seq)
        if !state.matcher.isBatchFull { return .taken }
        matchQueued()
        return .asked
    }
}

extension ProtocolError {
    /// The error for a payload that the matcher refused.
    init(_ error: PayloadError) {
        switch error {
        case .json(let json): self.init(json)
        case .kinds: self.init(.payloadKinds, error.message)
        case .tooManyProbes: self.init(.payloadCombinations, error.message)
        case .textCost: self.init(.patternCost, error.message)
        }
    }
}
