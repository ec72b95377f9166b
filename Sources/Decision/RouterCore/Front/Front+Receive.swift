internal import Basics
internal import FrameCodec

extension Front {
    /// Accepts the whole frames at the beginning of what a connection has received; see
    /// `Router.received`.
    mutating func received(
        on connection: ConnectionSlot,
        bytes: ByteView,
        areNew: Bool,
        isMeasured: Bool,
        now: Instant,
        in partition: inout Router
    ) -> Int {
        partition.tick(now)
        if awaitsVerdict(connection) { return 0 }
        let spentBefore = partition.outbox.work.spent
        let spendable = spendable(by: connection, of: partition)
        var offset = 0
        var frames: UInt64 = 0
        do throws(ProtocolError) {
            let maxBody = maxBody(of: connection, limit: partition.limits.maxBody)
            let wantsOutcomes = sessions.connections[connection].wantsOutcomes
            var next = NextFrame.checked
            while partition.outbox.work.spent < spendable, next != .awaited,
                next == .accepted || !refuses(connection, of: partition),
                let header = try FrameHeader.decode(bytes, at: offset, maxBody: maxBody)
            {
                if header.type != .push && !finishBatch(connection, in: &partition) { break }
                let start = offset + FrameHeader.byteCount
                let end = start + header.bodyCount
                next = try received(
                    on: connection,
                    header: header,
                    body: bytes.slice(start, to: end),
                    wantsOutcomes: wantsOutcomes,
                    in: &partition
                )
                offset = next != .none ? end : bytes.count
                frames &+= 1
            }
        } catch {
            if finishBatch(connection, in: &partition) {
                refuse(connection, with: error, in: &partition)
                offset = bytes.count
            }
        }
        assert(offset <= bytes.count, "more bytes are consumed than were offered")
        partition.matchQueued()
        take(from: &partition)
        partition.outbox.work.charge(areNew ? WorkCost.read : WorkCost.look)
        partition.outbox.work.settle(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            cost: partition.outbox.work.spent &- spentBefore,
            isMeasured: isMeasured,
            at: now.monotonic
        )
        sessions.connections[connection].frames &+= frames
        readEnded(
            connection,
            hasFrame: offset > 0,
            hasPartialFrame: offset < bytes.count && !isPaused(connection, of: partition),
            at: now.monotonic
        )
        return offset
    }

    /// Whether the next frame is accepted.
    private enum NextFrame {
        /// The next frame is accepted without a check: the one before, such as an ordinary push,
        /// has changed nothing that could prevent it.
        case accepted
        /// The next frame is accepted if `refuses` is false for the connection.
        case checked
        /// No further frame is accepted until the driver has judged the HELLO.
        case awaited
        /// No further frame is accepted, because the session has ended.
        case none
    }

    /// The limit of the tick's work for a connection, in units of `WorkCost`: while less has been
    /// done, the connection's next frame is accepted.
    @inline(__always)
    private func spendable(by connection: ConnectionSlot, of partition: borrowing Router) -> Int {
        if isResting(connection, of: partition) { return partition.outbox.work.spent }
        let estimate = partition.outbox.work.estimate(
            for: sessions.connections[connection].work,
            in: sessions.connections[connection].group
        )
        return min(partition.outbox.work.spent &+ estimate, partition.limits.workPerTick)
    }

    /// The longest body that a connection may send, in bytes; shorter before its HELLO.
    @inline(__always)
    private func maxBody(of connection: ConnectionSlot, limit: Int) -> Int {
        if sessions.connections[connection].session.phase != .awaitingHello {
            return limit
        }
        return min(limit, RouterLimits.helloBody)
    }

    /// Matches the queued pushes before a frame of another type is accepted, because that frame may
    /// change what they match, or end the session that gets their ACK. Returns whether the frame
    /// can be accepted now; if not, it has to wait.
    private mutating func finishBatch(
        _ connection: ConnectionSlot,
        in partition: inout Router
    ) -> Bool {
        partition.matchQueued()
        take(from: &partition)
        return !refuses(connection, of: partition)
    }

    /// Ends a session that has sent an illegal frame.
    mutating func refuse(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        in partition: inout Router
    ) {
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        fail(connection, with: error, in: &partition)
    }

    /// Records when a connection's last frame came, and since when it has been sending an
    /// incomplete one.
    private mutating func readEnded(
        _ connection: ConnectionSlot,
        hasFrame: Bool,
        hasPartialFrame: Bool,
        at time: MonotonicTime
    ) {
        if hasFrame {
            sessions.connections[connection].lastFrameAt = time
            sessions.connections[connection].pingsUnanswered = 0
            sessions.connections[connection].partialSince = .zero
        }
        if hasPartialFrame && sessions.connections[connection].partialSince == .zero {
            sessions.connections[connection].partialSince = time
        }
    }

    /// Handles one whole frame, whose body must stay valid until the first search of the batch has
    /// ended.
    @inline(__always)
    private mutating func received(
        on connection: ConnectionSlot,
        header: FrameHeader,
        body: ByteView,
        wantsOutcomes: Bool,
        in partition: inout Router
    ) throws(ProtocolError) -> NextFrame {
        partition.outbox.work.charge(WorkCost.frame)
        let input = try sessions.connections[connection].session.received(
            header,
            window: partition.limits.window,
            jump: partition.limits.seqJump
        )
        switch input {
        case .push:
            return receivedPush(
                on: connection,
                header: header,
                body: body,
                wantsOutcome: wantsOutcomes,
                in: &partition
            )
        case .perhapsRejectedPush:
            partition.withdrawRejection(of: header.seq, on: connection)
            return receivedPush(
                on: connection,
                header: header,
                body: body,
                wantsOutcome: wantsOutcomes,
                in: &partition
            )
        case .duplicatePush:
            if !partition.receiveDuplicate(from: session(of: connection), seq: header.seq) {
                sessions.accepted(
                    on: connection,
                    upTo: header.seq,
                    arrival: partition.outbox.arrival
                )
            }
            if !sessions.connections[connection].wantsDuplicates { return .accepted }
            partition.reportDuplicate(on: connection, seq: header.seq)
            return .checked
        case .hello:
            return receivedHello(on: connection, body: body, in: &partition) ? .awaited : .none
        case .ping:
            partition.outbox.allowance.addAnswer(0)
            partition.outbox.write(to: connection, type: .pong, seq: header.seq)
        case .pong: break
        case .attach: receivedAttach(on: connection, seq: header.seq, body: body, in: &partition)
        case .widgets, .timeline, .state, .request:
            receivedFromDevice(
                on: connection,
                type: header.type,
                seq: header.seq,
                body: body,
                in: &partition
            )
        }
        return .checked
    }

    /// Passes a push on, which the partition queues or refuses.
    @inline(__always)
    private mutating func receivedPush(
        on connection: ConnectionSlot,
        header: FrameHeader,
        body: ByteView,
        wantsOutcome: Bool,
        in partition: inout Router
    ) -> NextFrame {
        do throws(ProtocolError) {
            let isMatched = try partition.receivePush(
                from: session(of: connection),
                header: header,
                body: body,
                wantsOutcome: wantsOutcome
            )
            return isMatched || wantsOutcome ? .checked : .accepted
        } catch {
            // It is remembered for a publisher that does not get the REJECT.
            partition.recordRejection(of: header.seq, on: connection, because: error.code)
            reject(connection, seq: header.seq, with: error, in: &partition)
            return .checked
        }
    }

    /// Handles a frame that changes a device's state: the partition applies it, and it is
    /// acknowledged; or it is rejected whole.
    private mutating func receivedFromDevice(
        on connection: ConnectionSlot,
        type: FrameType,
        seq: UInt64,
        body: ByteView,
        in partition: inout Router
    ) {
        do throws(ProtocolError) {
            try partition.receive(type, on: connection, seq: seq, body: body)
        } catch {
            return reject(connection, seq: seq, with: error, in: &partition)
        }
        take(from: &partition)
        partition.capture.record(on: connection, type: type, seq: seq, body: body)
        sessions.accepted(on: connection, upTo: seq, arrival: .none)
    }

    /// Handles ATTACH: the gateway speaks for the devices that it lists, as far as it may, and the
    /// answer says for which it does not.
    private mutating func receivedAttach(
        on connection: ConnectionSlot,
        seq: UInt64,
        body: ByteView,
        in partition: inout Router
    ) {
        do throws(ProtocolError) {
            let answer = try partition.receiveAttach(on: connection, body: body)
            take(from: &partition)
            partition.outbox.write(to: connection, type: .attached, seq: seq, body: answer.encoded)
        } catch {
            return reject(connection, seq: seq, with: error, in: &partition)
        }
        partition.capture.record(on: connection, type: .attach, seq: seq, body: body)
        sessions.accepted(on: connection, upTo: seq, arrival: .none)
    }
}
